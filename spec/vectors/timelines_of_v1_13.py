#!/usr/bin/env python3
"""Writes time/v1.13.0.jsonl beside this script: scenes as the running kube-scheduler v1.13.0 answers them.

    python3 spec/vectors/timelines_of_v1_13.py build/release/touchstone build/upstream/v1.13.0/stepper

Each scene shows a clause of the sections about v1.13.0. Which clauses it shows besides, touchstone says.
"""
import json
import subprocess
import sys
from pathlib import Path

from timelines import clauses_of, without_repetition

RELEASE = "v1.13.0"


def node(name, cpu="1", **labels):
    return {"metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **labels}},
            "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "20"}}}


def pod(name, priority, on=None, cpu="1", labels=None, uid=None, **status):
    spec = {"priority": priority, "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]}
    if on:
        spec["nodeName"] = on
    made = {"metadata": {"name": name, "namespace": "default", "uid": uid or f"u-{name}", "labels": labels or {"app": name}}, "spec": spec}
    return made | ({"status": status} if status else {})


def write(verb, kind, thing):
    return {"cmd": "write", "verb": verb, "kind": kind, "object": thing}


def remove(thing):
    return write("remove", "Pod", thing)


def hold(call, name):
    return {"cmd": "hold", "call": call, "pod": f"default/{name}"}


def answer(call, name, result="ok"):
    return {"cmd": "answer", "call": call, "pod": f"default/{name}", "result": result}


CYCLE = {"cmd": "cycle"}
HOLD_PODS = {"cmd": "hold", "watch": "Pod"}
DELIVER_PODS = {"cmd": "deliver", "watch": "Pod"}


def labelled(thing, **labels):
    return {**thing, "metadata": {**thing["metadata"], "labels": labels}}


def scenes():
    """(name, nodes, pods, commands)"""
    n1, n2, v, w, p, q = node("n1"), node("n2"), pod("v", 0, "n1"), pod("w", 0, "n1"), pod("p", 10), pod("q", 5)
    yield "no-backoff", [n1], [pod("v", 20, "n1"), p], [CYCLE, remove(pod("v", 20, "n1")), CYCLE]
    yield "no-timers", [n1], [pod("v", 20, "n1"), p], [
        CYCLE, {"cmd": "advance", "seconds": 3600}, {"cmd": "flush", "queue": "leftover"}, {"cmd": "flush", "queue": "backoff"}]
    yield "priorities", [node("n1", "8")], [pod("a", 0), pod("b", 20), pod("c", 10)], [CYCLE, CYCLE, CYCLE, CYCLE]
    yield "preemption", [n1], [v, p], [CYCLE, CYCLE, remove(v), CYCLE]
    yield "put-back-while-a-deletion-waits", [n1], [v, p], [hold("delete", "v"), CYCLE, CYCLE, answer("delete", "v"), remove(v), CYCLE]
    yield "put-back-before-the-condition", [n1], [v, p], [hold("patch", "p"), CYCLE, answer("patch", "p"), CYCLE]
    yield "room-comes-before-preemption", [n1], [v, p], [hold("patch", "p"), CYCLE, remove(v), answer("patch", "p"), CYCLE]
    yield "moved-during-an-attempt", [n1, n2], [v, pod("x", 0, "n2"), p], [
        hold("patch", "p"), {**CYCLE, "take": "n1"}, write("update", "Node", n2), answer("patch", "p"), CYCLE]
    yield "condition-meets-a-conflict", [n1], [pod("v", 20, "n1"), p], [
        HOLD_PODS, write("update", "Pod", labelled(p, app="other")), CYCLE, DELIVER_PODS, CYCLE]
    yield "gone-before-preemption", [n1], [v, p], [HOLD_PODS, remove(p), CYCLE, DELIVER_PODS]
    yield "made-again-before-preemption", [n1], [v, p], [
        HOLD_PODS, remove(p), write("create", "Pod", pod("p", 10, uid="u-p-2")), CYCLE, DELIVER_PODS, CYCLE]
    yield "deletion-refused", [node("n1", "2")], [v, w, pod("p", 10, cpu="2")], [
        hold("delete", "v"), hold("delete", "w"), CYCLE, answer("delete", "v", "error"), CYCLE]
    yield "nomination-refused", [n1], [v, p], [hold("patch", "p"), hold("patch", "p"), CYCLE, answer("patch", "p"), answer("patch", "p", "error"), CYCLE]
    yield "lower-nomination-cleared", [n1], [v, q], [CYCLE, write("create", "Pod", p), CYCLE, remove(v), CYCLE, CYCLE]
    yield "own-nomination-cleared", [n1], [pod("p", 10, nominatedNodeName="n1", cpu="1") | {"spec": {**p["spec"], "nodeSelector": {"x": "y"}}}], [CYCLE, CYCLE]
    yield "no-nodes", [], [p], [CYCLE, CYCLE, write("create", "Node", n1), CYCLE]
    yield "binding-refused", [n1], [p], [hold("bind", "p"), CYCLE, answer("bind", "p", "error"), CYCLE]
    yield "binding-refused-wakes-nobody", [n1], [p, q], [hold("bind", "p"), CYCLE, CYCLE, CYCLE, answer("bind", "p", "error")]
    yield "assumed-pod-is-tried-again", [node("n1", "2")], [p], [
        hold("bind", "p"), CYCLE, write("update", "Pod", labelled(p, app="other")), CYCLE, answer("bind", "p"), CYCLE]
    yield "annotation-of-an-assumed-pod", [n1], [p], [
        hold("bind", "p"), CYCLE, write("update", "Pod", {**p, "metadata": {**p["metadata"], "annotations": {"a": "b"}}}), answer("bind", "p")]
    yield "confirmed-in-place", [node("n1", "3")], [p], [
        hold("bind", "p"), CYCLE, write("create", "Pod", pod("x", 10, "n1")), answer("bind", "p"),
        write("create", "Pod", pod("y", 20, cpu="3")), CYCLE]
    yield "heartbeat", [n1], [pod("v", 20, "n1"), p], [CYCLE, write("update", "Node", n1), CYCLE, write("delete", "Node", n1)]
    yield "bound-pod-is-wanted", [n1], [pod("v", 20, "n1"), p], [CYCLE, write("create", "Pod", pod("x", 0, "n1", cpu="0")), CYCLE]
    yield "ghost-nomination", [n1, n2], [v, pod("x", 5, "n2"), p], [
        CYCLE, remove(v), write("create", "Pod", pod("h", 20, "n1")), hold("delete", "x"), CYCLE,
        {"cmd": "state"}, answer("delete", "x"), remove(pod("x", 5, "n2")), CYCLE, CYCLE, remove(pod("h", 20, "n1")), write("create", "Pod", pod("q", 10)), CYCLE]
    yield "ghost-nomination-while-held", [n1, n2], [pod("h", 20, "n1"), pod("g", 20, "n2"), pod("p", 10, nominatedNodeName="n1")], [
        hold("patch", "p"), CYCLE, write("update", "Pod", pod("p", 10, nominatedNodeName="n2")), answer("patch", "p"), remove(p), CYCLE]
    yield "nominated-pod-as-it-was", [n1], [v, p], [
        CYCLE, write("update", "Pod", labelled(p, app="other")), CYCLE, remove(v), CYCLE]
    yield "terminating-pod-is-popped", [n1], [{**p, "metadata": {**p["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.com/f"]}}], [CYCLE]


def main():
    touchstone, stepper = sys.argv[1:3]
    known = subprocess.Popen([touchstone, "subject"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    running = subprocess.Popen([stepper], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    with open(Path(__file__).parent / "time" / f"{RELEASE}.jsonl", "w", encoding="utf-8") as out:
        for name, nodes, pods, commands in scenes():
            commands = [{"cmd": "init", "release": RELEASE, "now": "2026-01-01T00:00:00Z", "nodes": nodes, "pods": pods}, *commands]
            answers = []
            for seq, command in enumerate(commands):
                running.stdin.write(json.dumps({**command, "seq": seq}) + "\n")
                running.stdin.flush()
                reply = json.loads(running.stdout.readline())
                if "error" in reply:
                    sys.exit(f"{name}, command {seq}: {reply['error']}")
                del reply["seq"]
                answers.append(reply)
            row = {"name": f"time/{RELEASE}/scene-{name}", "release": RELEASE, "clauses": sorted(clauses_of(known, {"commands": commands})),
                   "commands": commands, "answers": list(without_repetition(answers))}
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    for process in (known, running):
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
