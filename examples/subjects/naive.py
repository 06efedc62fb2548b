#!/usr/bin/env python3
"""A scheduler as a subject of spec/protocol.md, in a few lines, and wrong on purpose: it knows CPU only, evicts every pod
of lower priority, and takes the first node where that makes room.

    touchstone fuzz --release v1.34.4 --families pdbs,starts -- python3 examples/subjects/naive.py

finds where that departs from kube-scheduler, and shows each difference on the smallest cluster.
"""
import json
import sys


def milli(quantity):
    text = str(quantity)
    return int(text[:-1]) if text.endswith("m") else 1000 * int(text)


def get(thing, *path, default):
    for key in path:
        thing = thing.get(key, {})
    return thing or default


def cpu(pod):
    return sum(milli(get(container, "resources", "requests", "cpu", default="0"))
               for container in get(pod, "spec", "containers", default=[]))


def priority(pod):
    return get(pod, "spec", "priority", default=0)


def decide(question):
    preemptor = question["pod"]
    for node in question.get("nodes", []):
        name = node["metadata"]["name"]
        pods = [pod for pod in question.get("pods", []) if get(pod, "spec", "nodeName", default="") == name]
        room = milli(get(node, "status", "allocatable", "cpu", default="0"))
        if cpu(preemptor) <= room - sum(map(cpu, pods)):
            return {"outcome": "fits", "feasible": [name]}
        victims = [pod for pod in pods if priority(pod) < priority(preemptor)]
        if victims and cpu(preemptor) <= room - sum(cpu(pod) for pod in pods if pod not in victims):
            return {"outcome": "nominated", "node": name,
                    "victims": [pod["metadata"].get("namespace", "default") + "/" + pod["metadata"]["name"]
                                for pod in victims]}
    return {"outcome": "none"}


for line in sys.stdin:
    question = json.loads(line)
    if question["cmd"] == "bye":
        break
    if question["cmd"] == "hello":
        answer = {"name": "naive", "version": "1", "protocol": 1, "releases": [], "features": ["core"]}
    else:
        answer = {"seq": question["seq"], **decide(question)}
    print(json.dumps(answer), flush=True)
