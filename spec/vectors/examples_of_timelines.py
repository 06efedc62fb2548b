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


def early(name, clauses, pods, steps, release="v1.29.6", nodes=None):
    """A timeline of a release whose queue has no hints. `nodes`: n1 with 4 CPU if not given."""
    begin = {"cmd": "init", "release": release, "now": "2026-01-01T00:00:00Z", "nodes": nodes or [node("n1", "a")], "pods": pods}
    return {"name": f"time/examples/{name}-{release}", "release": release, "clauses": clauses, "recorded": False,
            "commands": [begin] + [command for command, _ in steps], "answers": [{"state": {}}] + [answer for _, answer in steps]}


def early_timelines():
    """v1.28 to v1.31."""
    big = [{"name": "c", "resources": {"requests": {"cpu": "4"}}}]
    half = [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]
    cycle = {"cmd": "cycle"}
    patched = [{"call": "patch", "pod": "default/p", "reason": "Unschedulable"}]
    failed = (cycle, {"pod": "default/p", "outcome": "none", "calls": patched, "state": {"unschedulable": ["default/p"], "backoff": []}})
    moved = {"state": {"unschedulable": [], "backoff": ["default/p"]}}
    stays = {"state": {"unschedulable": ["default/p"], "backoff": []}}

    def write(verb, kind, thing):
        return {"cmd": "write", "verb": verb, "kind": kind, "object": thing}
    full = [pod("v", 10, nodeName="n1", containers=big), pod("p", 10, containers=big)]
    labelled = {**full[1], "metadata": {**full[1]["metadata"], "labels": {"app": "b"}}}
    larger = {**node("n1", "a"), "status": {"allocatable": {"cpu": "9", "memory": "8Gi", "pods": "20"}}}
    yield early("update-moves", ["QUE-EARLY-1"], full, [failed, (write("update", "Pod", labelled), moved)])
    yield early("node-grows", ["EVT-EARLY-1", "EVT-EARLY-3", "EVT-EARLY-4"], full, [failed, (write("update", "Node", larger), moved)])
    yield early("node-too-small", ["EVT-EARLY-3"], [full[0], pod("p", 10, containers=[{"name": "c", "resources": {"requests": {"cpu": "9"}}}])],
                [failed, (write("create", "Node", node("n2", "b")), stays)])
    yield early("other-pod-bound", ["EVT-EARLY-2"], full, [failed, (write("create", "Pod", pod("x", 0, nodeName="n1")), stays)])
    gates = pod("p", 10, schedulingGates=[{"name": "example.com/g"}])
    yield early("gate-removed", ["QUE-NUMBER-3"], [gates], [(write("update", "Pod", pod("p", 10)), {"state": {"active": ["default/p"], "backoff": []}})])
    low = [pod("v", 0, nodeName="n1", containers=big), pod("p", 10, containers=big)]
    evicted = [{"call": "patch", "pod": "default/v", "reason": "PreemptionByScheduler"},
               {"call": "delete", "pod": "default/v", "held": True}]
    nominated = [{"call": "patch", "pod": "default/p", "nominatedNodeName": "n1", "reason": "Unschedulable"}]
    held = [({"cmd": "hold", "call": "delete", "pod": "default/v"}, {"state": {}}), (cycle, {"pod": "default/p", "outcome": "open", "calls": evicted, "state": {}})]
    done = {"cmd": "answer", "call": "delete", "pod": "default/v", "result": "ok"}
    yield early("event-during-an-attempt", ["QUE-NUMBER-1"], low,
                held + [(write("create", "Pod", pod("x", 0, nodeName="n1", containers=[{"name": "c"}])), {"state": {}}),
                        (done, {**moved, "calls": nominated})])
    yield early("no-event-during-an-attempt", ["QUE-NUMBER-1"], full, [failed])
    for release, answer in (("v1.28.15", stays), ("v1.29.6", moved)):
        nowhere = {"cmd": "init", "release": release, "now": "2026-01-01T00:00:00Z", "nodes": [], "pods": [pod("p", 10)]}
        yield {"name": f"time/examples/no-nodes-{release}", "release": release, "clauses": ["QUE-NUMBER-2"], "recorded": False,
               "commands": [nowhere, cycle], "answers": [{"state": {}}, {"pod": "default/p", "outcome": "none", "calls": patched, **answer}]}

    for release, moves in (("v1.29.6", set()), ("v1.30.14", {"node", "taint"}), ("v1.31.0", {"node", "taint", "bound", "smaller"}), ("v1.32.2", {"node", "taint"})):
        term = {"labelSelector": {"matchLabels": {"app": "z"}}, "topologyKey": "zone"}
        wants = pod("p", 10, affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
        no_zone = pod("p", 10, topologySpreadConstraints=[{**SPREAD[0], "topologyKey": "rack"}])
        x = pod("x", 20, nodeName="n1")
        scene = {
            # InterPodAffinity registered taints from v1.30 on.
            "taint": (["EVT-EARLY-1"], [wants], write("update", "Node", node("n1", "a", taints=[{**TAINT[0], "effect": "PreferNoSchedule"}]))),
            # Two changes of a node are two events from v1.30 on. InterPodAffinity registered the second one.
            "node": (["EVT-EARLY-4"], [wants], write("update", "Node", {**larger, "metadata": {"name": "n1", "labels": {"zone": "a", "x": "y"}}})),
            # PodTopologySpread is asked about each pod of the namespace in v1.31, and by its hint from v1.32 on.
            "bound": (["EVT-EARLY-2"], [no_zone], write("create", "Pod", {**x, "metadata": {**x["metadata"], "labels": {"app": "b"}}})),
            # Smaller requests concern all pods in v1.31.
            "smaller": (["EVT-EARLY-2"], [pod("x", 20, nodeName="n1", containers=half), wants], write("update", "Pod", x)),
        }
        for name, (clauses, pods, change) in scene.items():
            yield early(f"border-{name}", clauses if release != "v1.32.2" else ["EVT-HINT-1"], pods, [failed, (change, moved if name in moves else stays)], release)

    # n1 has no zone. p gets another label and requests less: two events. In v1.32 the second one puts it into another part.
    spreads = pod("p", 10, topologySpreadConstraints=SPREAD)
    smaller = [{"name": "c", "resources": {"requests": {"cpu": "50m"}}}]
    changed = {**pod("p", 10, topologySpreadConstraints=SPREAD, containers=smaller), "metadata": {**spreads["metadata"], "labels": {"app": "x"}}}
    no_zone = [{**node("n1", "a"), "metadata": {"name": "n1"}}]
    for release, parts in (("v1.32.2", {"backoff": ["default/p"], "unschedulable": ["default/p"]}), ("v1.33.13", moved["state"])):
        yield early("deleted-from-two-parts", ["QUE-DELETE-1"] + (["QUE-UPDATE-2"] if release == "v1.32.2" else []), [spreads], [
            failed, (write("update", "Pod", changed), {"state": parts}),
            (write("remove", "Pod", {"metadata": {"name": "p", "namespace": "default"}}), {"state": {"backoff": [], "unschedulable": []}})], release, no_zone)


def museum():
    """Catalogued bugs over time, each before and after it was mended. p (priority 10) needs all of n1, which v (priority 0) has."""
    all_cpu = [{"name": "c", "resources": {"requests": {"cpu": "4"}}}]
    v, p = pod("v", 0, nodeName="n1", containers=all_cpu), pod("p", 10, containers=all_cpu)
    o = pod("o", 50, nodeName="n2")
    small = {**node("n2", "b"), "status": {"allocatable": {"cpu": "1", "memory": "8Gi", "pods": "20"}}}
    both = [node("n1", "a"), small]
    cycle, hold = {"cmd": "cycle"}, {"cmd": "hold", "call": "delete", "pod": "default/v"}
    nominated = {"pod": "default/p", "outcome": "nominated", "node": "n1", "victims": ["default/v"]}
    patch = {"call": "patch", "pod": "default/p", "nominatedNodeName": "n1", "reason": "Unschedulable"}
    marked = {"call": "patch", "pod": "default/v", "reason": "PreemptionByScheduler"}
    deleted = {"call": "delete", "pod": "default/v"}
    held = {**deleted, "held": True}
    nothing = {"state": {}}

    def write(verb, thing):
        return {"cmd": "write", "verb": verb, "kind": "Pod", "object": thing}

    # A1: the deletion of v waits, and the end of o makes p preempt v once more.
    for release, again in (("v1.33.13", True), ("v1.34.4", True), ("v1.35.4", False)):
        second = {**nominated, "calls": [held if again else deleted], "state": {}} if again else {"outcome": "idle", "calls": [], "state": {}}
        yield early("bug-A1-second-preemption", ["QUE-GATE-3"], [v, o, p], [
            (hold, nothing), (cycle, {**nominated, "calls": [marked, held, patch], "state": {}}), (write("remove", o), nothing), (hold, nothing),
            ({"cmd": "advance", "seconds": 2.5}, nothing), ({"cmd": "flush", "queue": "backoff"}, nothing), (cycle, second)], release, both)
    # A5: p is gated by its preemption. The timer for pods that waited too long passes over it.
    for release, leaves in (("v1.35.4", False), ("v1.36.3", False), ("v1.37.2", True)):
        yield early("bug-A5-gated-preemptor-is-not-flushed", ["QUE-GATE-2", "QUE-FLUSH-2"], [v, o, p], [
            (hold, nothing), (cycle, {**nominated, "calls": [marked, held, patch], "state": {}}), (write("remove", o), {"state": {"gated": {"default/p": "DefaultPreemption"}}}),
            (write("delete", v), nothing), ({"cmd": "advance", "seconds": 301}, nothing),
            ({"cmd": "flush", "queue": "leftover"}, {"state": {"active": ["default/p"], "gated": {}} if leaves else {"active": []}})], release, both)
    # A9: v terminates already, and is deleted again.
    for release, again in (("v1.31.0", True), ("v1.34.4", True), ("v1.35.4", False)):
        calls = [marked, deleted, patch] if again else [patch]
        yield early("bug-A9-terminating-victim-is-deleted-again", ["QUE-PREEMPT-3"], [v, p], [
            (write("delete", v), nothing), (cycle, {**nominated, "calls": calls, "state": {}})], release)
    # A11: v gets the conditions of p, which was rejected before.
    rejected = {**p, "status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]}}
    for release, copies in (("v1.29.6", True), ("v1.30.14", False), ("v1.31.0", True), ("v1.32.2", False)):
        shown = {"nodeName": "n1", "terminating": True, **({"reason": "Unschedulable"} if copies else {})}
        yield early("bug-A11-victim-gets-the-status-of-its-preemptor", ["QUE-PREEMPT-4"], [v, rejected], [
            (cycle, {**nominated, "calls": [marked | ({"reason": "Unschedulable"} if copies else {}), deleted, {"call": "patch", "pod": "default/p", "nominatedNodeName": "n1"}], "state": {"pods": {"default/p": {"nominatedNodeName": "n1", "reason": "Unschedulable"}, "default/v": shown}}})], release)
    # N10: a gated pod holds no room.
    gated = {**pod("p", 10, containers=all_cpu, schedulingGates=[{"name": "example.com/g"}]), "status": {"nominatedNodeName": "n1"}}
    for release, holds in (("v1.29.6", False), ("v1.36.3", False), ("v1.37.2", True)):
        outcome = {"outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/q"}]}
        if holds:
            outcome = {"outcome": "none", "calls": [{"call": "patch", "pod": "default/q", "reason": "Unschedulable"}]}
        yield early("bug-N10-gated-pod-holds-no-room", ["NOM-ADD-1"], [gated, pod("q", 5)], [(cycle, {"pod": "default/q", **outcome, "state": {}})], release)
    # The deletion of a victim that is gone fails the preemption up to v1.31.
    gone = {"cmd": "answer", "call": "delete", "pod": "default/v", "result": "notFound"}
    for release, fails in (("v1.31.0", True), ("v1.32.2", False)):
        end = {"ended": {"pod": "default/p", "outcome": "error"}, "calls": [{"call": "patch", "pod": "default/p", "reason": "Unschedulable"}], "state": {"nominated": {}}}
        if not fails:
            end = {"ended": nominated, "calls": [patch], "state": {"nominated": {"n1": ["default/p"]}}}
        yield early("border-gone-victim", ["QUE-PREEMPT-4"], [v, p], [
            (hold, nothing), (cycle, {"pod": "default/p", "outcome": "open", "calls": [marked, held], "state": {}}), (gone, end)], release)
    # A nominated pod that the scheduler dropped, since it terminates, keeps its room up to v1.30.
    ending = {**p, "metadata": {**p["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.com/f"]},
              "status": {"nominatedNodeName": "n1"}}
    for release, holds in (("v1.29.6", True), ("v1.30.14", True), ("v1.31.0", False), ("v1.32.2", False)):
        outcome = {"outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/q"}]}
        if holds:
            outcome = {"outcome": "none", "calls": [{"call": "patch", "pod": "default/q", "reason": "Unschedulable"}]}
        yield early("border-dropped-nominated-pod", ["NOM-COUNT-1"], [ending, pod("q", 5, containers=all_cpu)], [
            (cycle, {"pod": "default/p", "outcome": "dropped", "calls": [], "state": {}}), (cycle, {"pod": "default/q", **outcome, "state": {}})], release)
    # N18: the second victim's deletion is refused, and the first one is gone.
    two = [pod(name, 0, nodeName="n1", containers=[{"name": "c", "resources": {"requests": {"cpu": "2"}}}]) for name in ("v", "w")]
    w_waits = {"cmd": "hold", "call": "delete", "pod": "default/w"}
    refused = {"cmd": "answer", "call": "delete", "pod": "default/w", "result": "error"}
    both_evicted = [marked, deleted, {**marked, "pod": "default/w"}, {**held, "pod": "default/w"}]
    for release in ("v1.29.6", "v1.31.0", "v1.32.2"):
        yield early("bug-N18-one-victim-of-two-is-deleted", ["QUE-PREEMPT-1"], [*two, p], [
            (w_waits, nothing), (cycle, {"pod": "default/p", "outcome": "open", "calls": both_evicted, "state": {}}),
            (refused, {"ended": {"pod": "default/p", "outcome": "error"}, "calls": [{"call": "patch", "pod": "default/p", "reason": "Unschedulable"}], "state": {"nominated": {}}})], release)

    # N6: the node of the nomination is deleted. N7: a pod of higher priority takes the room. p fails, and stays nominated up to v1.18 and v1.23.
    gone = {"cmd": "write", "verb": "delete", "kind": "Node", "object": {"metadata": {"name": "n1"}}}
    others = [pod("r", 20, nodeName="n1", containers=[{"name": "c", "resources": {"requests": {"cpu": "2"}}}]),
              {**pod("p", 10, containers=[{"name": "c", "resources": {"requests": {"cpu": "3"}}}]), "status": {"nominatedNodeName": "n1"}},
              pod("q", 30, containers=[{"name": "c", "resources": {"requests": {"cpu": "1500m"}}}])]
    for release, stays in (("v1.13.0", True), ("v1.29.6", False)):
        first = [{"call": "patch", "pod": "default/p", "reason": "Unschedulable"}, {"call": "patch", "pod": "default/p", "nominatedNodeName": "n1"}, deleted]
        kept = {"state": {"nominated": {"n1": ["default/p"]} if stays else {}}}
        clearing, rule = ({}, ["NOM-OBJECT-1"]) if stays else ({"nominatedNodeName": ""}, ["NOM-FAIL-1"])
        yield early("bug-N6-nomination-outlives-its-node", rule, [v, p], [
            (cycle, {**nominated, "calls": first if stays else [marked, deleted, patch], "state": {}}), (gone, nothing), (write("remove", v), nothing),
            ({"cmd": "advance", "seconds": 2.5}, nothing), ({"cmd": "flush", "queue": "backoff"}, nothing),
            (cycle, {"pod": "default/p", "outcome": "none", "calls": [{"call": "patch", "pod": "default/p", **clearing}], **kept})], release, both)
        yield early("bug-N7-nomination-outlives-its-room", rule, others, [
            (cycle, {"pod": "default/q", "outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/q"}], "state": {}}),
            (cycle, {"pod": "default/p", "outcome": "none", "calls": [{"call": "patch", "pod": "default/p", **clearing, "reason": "Unschedulable"}], **kept})], release)
    # N9: q is rejected, since n1 is kept for p. The nomination of p moves to n2.
    q = pod("q", 5, containers=all_cpu)
    for release, wakes in (("v1.32.2", False), ("v1.33.13", True)):
        yield early("bug-N9-pod-behind-a-nomination-is-not-woken", ["EVT-POD-3"], [v, p], [
            (cycle, {**nominated, "calls": [marked, deleted, patch] if release == "v1.32.2" else [patch, marked, deleted], "state": {}}), (write("create", q), nothing),
            (cycle, {"pod": "default/q", "outcome": "none", "calls": [{"call": "patch", "pod": "default/q", "reason": "Unschedulable"}], "state": {"unschedulable": ["default/p", "default/q"]}}),
            (write("update", {**p, "status": {"nominatedNodeName": "n2"}}), {"state": {"unschedulable": [] if wakes else ["default/p", "default/q"]}})], release, both)
    # A2: v is being bound when p preempts it, and is gone at once. p preempts it in each of its next cycles.
    for release, circles in (("v1.34.4", True), ("v1.35.4", False)):
        again = {**nominated, "calls": [marked], "state": {"active": ["default/p"]}}
        ends = {"pod": "default/p", "outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/p"}], "state": {"active": []}}
        steps = [({"cmd": "hold", "call": "bind", "pod": "default/v"}, nothing), (cycle, {"pod": "default/v", "outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/v", "held": True}], "state": {}}),
                 (write("create", p), nothing), (cycle, {**nominated, "calls": [patch, marked, deleted], "state": {}}), (write("remove", o), {"state": {"backoff": ["default/p"]}}), ({"cmd": "advance", "seconds": 2.5}, nothing), ({"cmd": "flush", "queue": "backoff"}, {"state": {"active": ["default/p"], "backoff": []}})]
        yield early("bug-A2-preemptor-of-a-pod-that-is-being-bound", ["QUE-PREEMPT-2", "QUE-PREEMPT-4"], [pod("v", 0, containers=all_cpu), o],
                    steps + ([(cycle, again), (cycle, again)] if circles else [(cycle, ends)]), release, both)
    # A7: p is tried again before it sees that its victims are gone, and preempts them once more. That preemption wakes nobody.
    w, v2 = (pod(name, priority, nodeName="n1", containers=[{"name": "c", "resources": {"requests": {"cpu": "2"}}}]) for name, priority in (("w", 1), ("v", 0)))
    grown = {**small, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "20"}}}
    twice = {**nominated, "victims": ["default/w", "default/v"]}
    evictions = [patch, {**marked, "pod": "default/w"}, {**deleted, "pod": "default/w"}, marked, deleted]
    w_waits = {**marked, "pod": "default/w", "held": True}
    # The room on n1 is free. v1.37 tries p when it has waited for five minutes.
    for release, place in (("v1.34.4", "active"), ("v1.35.4", "gated"), ("v1.36.3", "gated"), ("v1.37.2", "flushed")):
        waits = {"state": {"active": [], "gated": {"default/p": "DefaultPreemption"}}}
        leaves = {"state": {"active": ["default/p"], "gated": {}}}
        yield early("bug-A7-second-preemption-wakes-nobody", ["QUE-PREEMPT-2", "QUE-PREEMPT-4", "QUE-GATE-3"], [w, v2, o, p], [
            ({"cmd": "hold", "watch": "Pod"}, nothing), (cycle, {**twice, "calls": evictions, "state": {}}), (write("remove", w), nothing), (write("remove", v2), nothing),
            ({"cmd": "write", "verb": "update", "kind": "Node", "object": grown}, {"state": {"backoff": ["default/p"]}}),
            ({"cmd": "advance", "seconds": 2.5}, nothing), ({"cmd": "flush", "queue": "backoff"}, {"state": {"backoff": []}}), ({"cmd": "hold", "call": "patch", "pod": "default/w"}, nothing),
            (cycle, {**twice, "calls": [patch, w_waits], "state": {}}), ({"cmd": "deliver", "watch": "Pod"}, {"state": {"gated": {"default/p": "DefaultPreemption"}}}),
            ({"cmd": "answer", "call": "patch", "pod": "default/w", "result": "notFound"}, leaves if place == "active" else {**waits, "calls": [marked]}),
            ({"cmd": "advance", "seconds": 301}, nothing), ({"cmd": "flush", "queue": "leftover"}, waits if place == "gated" else leaves)], release, both)


def late_timelines(release="v1.36.3"):
    """Timelines that the generator of campaigns does not draw."""
    big = [{"name": "c", "resources": {"requests": {"cpu": "4"}}}]
    cycle = {"cmd": "cycle"}

    def write(verb, kind, thing):
        return {"cmd": "write", "verb": verb, "kind": kind, "object": thing}

    def advance(seconds):
        return {"cmd": "advance", "seconds": seconds}

    def named(name, **metadata):
        return {"metadata": {"name": name, "namespace": "default", **metadata}}
    hold = {"cmd": "hold", "call": "bind", "pod": "default/p"}
    refused = {"cmd": "answer", "call": "bind", "pod": "default/p", "result": "error"}
    flush = {"cmd": "flush", "queue": "backoff"}
    bound = {"pod": "default/p", "outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/p", "held": True}]}

    def rejected(name):
        return {"pod": name, "outcome": "none", "calls": [{"call": "patch", "pod": name, "reason": "Unschedulable"}]}

    small = [pod(f"x{i}", 10, nodeName="n1") for i in range(6)]
    pods = [pod("v", 10, nodeName="n1", containers=[{"name": "c", "resources": {"requests": {"cpu": "3"}}}]), *small, pod("p", 10, containers=big)]
    first = [{"call": "patch", "pod": "default/p", "reason": "Unschedulable"}]
    steps = []
    for i, seconds in enumerate((1, 2, 4, 8, 10, 10)):
        steps += [(cycle, {"pod": "default/p", "outcome": "none", "calls": first if i == 0 else [], "state": {"active": [], "unschedulable": ["default/p"]}}),
                  (write("remove", "Pod", named(f"x{i}")), {"state": {"backoff": ["default/p"], "unschedulable": []}}),
                  (advance(seconds - 0.1), {"state": {}}), (flush, {"state": {"backoff": ["default/p"]}}),
                  (advance(2), {"state": {}}), (flush, {"state": {"active": ["default/p"], "backoff": []}})]
    yield early("backoff-is-limited", ["QUE-BACKOFF-1"], pods, steps, release)

    again = {**pod("p", 10), **named("p", uid="u-p2")}
    yield early("pod-made-again-during-its-attempt", ["QUE-FAIL-2"], [pod("p", 10)],
                [(hold, {"state": {}}), (cycle, bound), (write("remove", "Pod", named("p")), {"state": {}}),
                 (write("create", "Pod", again), {"state": {"active": ["default/p"]}}),
                 (refused, {"state": {"active": ["default/p"], "backoff": [], "unschedulable": []}})], release)

    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]
    pinned = pod("p", 10, containers=big, affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}})
    yield early("pinned-pod", ["QUE-CYCLE-3"], [pod("v", 10, nodeName="n1", containers=big), pinned],
                [(cycle, {**rejected("default/p"), "state": {"rejectors": {"default/p": ["NodeAffinity", "NodeResourcesFit"]}}})], release)

    yield early("binding-of-a-missing-pod", ["QUE-BIND-2"], [pod("p", 30, containers=big)],
                [(hold, {"state": {}}), (cycle, bound), (write("remove", "Pod", named("p")), {"state": {}}),
                 (write("create", "Pod", pod("q", 20, containers=big)), {"state": {}}), (cycle, {"pod": "default/q", "outcome": "scheduled", "node": "n1", "calls": [{"call": "bind", "pod": "default/q"}]}),
                 (write("create", "Pod", pod("r", 20, containers=big)), {"state": {}}),
                 (cycle, {**rejected("default/r"), "state": {"unschedulable": ["default/r"]}}),
                 (refused, {"calls": [{"call": "patch", "pod": "default/p", "reason": "SchedulerError"}],
                            "state": {"unschedulable": [], "backoff": ["default/r"]}})], release)


def panic_of_a_gang(release="v1.35.4"):
    """The release ends by a panic here, and the model skips the command."""
    def member(name, priority):
        return pod(name, priority, workloadRef={"name": "w", "podGroup": "g"})
    workload = {"metadata": {"name": "w", "namespace": "default"}, "spec": {"podGroups": [{"name": "g", "policy": {"gang": {"minCount": 3}}}]}}
    begin = {"cmd": "init", "release": release, "now": "2026-01-01T00:00:00Z", "nodes": [node("n1", "a")], "workloads": [workload],
             "pods": [member("a", 9), member("b", 8), member("c", 7)], "featureGates": {"GenericWorkload": True, "GangScheduling": True}}
    steps = [(begin, {"state": {"active": ["default/a", "default/b", "default/c"]}}),
             ({"cmd": "cycle"}, {"pod": "default/a", "outcome": "scheduled", "node": "n1",
                                 "calls": [{"call": "patch", "pod": "default/a", "nominatedNodeName": "n1"}],
                                 "state": {"active": ["default/b", "default/c"], "waiting": ["default/a"]}}),
             ({"cmd": "write", "verb": "remove", "kind": "Pod", "object": member("a", 9)},
              {"calls": [{"call": "patch", "pod": "default/a", "reason": "Unschedulable"}], "state": {"waiting": []}}),
             ({"cmd": "cycle"}, {"skipped": "the release crashes: a pod of the gang was deleted while it was assumed"})]
    return {"name": f"time/examples/panic-of-a-gang-{release}", "release": release, "clauses": ["QUE-GANG-5"], "recorded": False,
            "commands": [command for command, _ in steps], "answers": [answer for _, answer in steps]}


def main():
    gone = {"cmd": "write", "verb": "remove", "kind": "Pod", "object": {"metadata": {"name": "x", "namespace": "default"}}}
    deleted = {"cmd": "write", "verb": "delete", "kind": "Node", "object": {"metadata": {"name": "n2"}}}
    with open(Path(__file__).parent / "time/examples.jsonl", "w", encoding="utf-8") as out:
        for release in ("v1.32.2", "v1.33.13", "v1.34.4", "v1.35.4", "v1.36.3", "v1.37.2"):
            for timeline in (spread(release, "counted-pod-is-gone", "EVT-SPREAD-1", gone), spread(release, "node-is-deleted", "EVT-SPREAD-3", deleted)):
                out.write(json.dumps(timeline, separators=(",", ":")) + "\n")
        for timeline in [*early_timelines(), *museum(), *late_timelines(), panic_of_a_gang()]:
            out.write(json.dumps(timeline, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
