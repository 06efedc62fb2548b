#!/usr/bin/env python3
"""Writes time/examples.jsonl beside this script: worked timelines for clauses that no recorded timeline shows.

    python3 spec/vectors/examples_of_timelines.py

The expected answers were worked out by hand. They have only the keys that matter.
"""
import json
from pathlib import Path


def node(name, zone, **spec):
    return {"metadata": {"name": name, "labels": {"zone": zone}}, "spec": spec,
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "20"}}}


def pod(name, priority, **spec):
    return {"metadata": {"name": name, "namespace": "default", "uid": f"u-{name}", "labels": {"app": "a"}},
            "spec": {"priority": priority, "containers": [{"name": "c", "resources": {"requests": {"cpu": "100m"}}}], **spec}}


SPREAD = [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "a"}}}]
TAINT = [{"key": "dedicated", "value": "", "effect": "NoSchedule"}]


def spread(release, name, clause, change):
    """p may only go to zone b, whose node is tainted. A change wakes it, and only PodTopologySpread registered the change."""
    begin = {"cmd": "init", "release": release, "now": "2026-01-01T00:00:00Z", "nodes": [node("n1", "a"), node("n2", "b", taints=TAINT)],
             "pods": [pod("x", 100, nodeName="n1"), pod("p", 10, topologySpreadConstraints=SPREAD)]}
    rejected = {"unschedulable": ["default/p"], "rejectors": {"default/p": ["PodTopologySpread", "TaintToleration"]}}
    steps = [
        (begin, {"state": {"active": ["default/p"]}}),
        ({"cmd": "cycle"}, {"pod": "default/p", "outcome": "none", "calls": [{"call": "patch", "pod": "default/p", "reason": "Unschedulable"}],
                            "state": {"active": [], **rejected}}),
        (change, {"state": {"backoff": ["default/p"], "unschedulable": []}}),
    ]
    return {"name": f"time/examples/{name}-{release}", "release": release, "clauses": [clause], "recorded": False,
            "commands": [command for command, _ in steps], "answers": [answer for _, answer in steps]}


def main():
    gone = {"cmd": "write", "verb": "remove", "kind": "Pod", "object": {"metadata": {"name": "x", "namespace": "default"}}}
    deleted = {"cmd": "write", "verb": "delete", "kind": "Node", "object": {"metadata": {"name": "n2"}}}
    with open(Path(__file__).parent / "time/examples.jsonl", "w", encoding="utf-8") as out:
        for release in ("v1.32.2", "v1.33.13", "v1.34.4", "v1.35.4", "v1.36.3", "v1.37.2"):
            for timeline in (spread(release, "counted-pod-is-gone", "EVT-SPREAD-1", gone), spread(release, "node-is-deleted", "EVT-SPREAD-3", deleted)):
                out.write(json.dumps(timeline, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
