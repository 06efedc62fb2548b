#!/usr/bin/env python3
"""Writes time/gangs.jsonl beside this script: scenes with gangs of pods, as the running kube-scheduler v1.35.4 answers them.

    python3 spec/vectors/timelines_of_gangs.py build/release/touchstone build/upstream/v1.35.4/stepper

Each scene is about a clause QUE-GANG of clauses/queue.md. Which clauses it shows besides, touchstone says.
"""
import sys

from timelines_of_permit import STATE, advance, create, delete, write_timelines
from timelines_of_v1_13 import CYCLE, answer, hold, node, pod, remove, write

GATES = {"GenericWorkload": True, "GangScheduling": True}


def member(name, priority, workload="w", group="g", **more):
    made = pod(name, priority, **more)
    made["spec"]["workloadRef"] = {"name": workload, "podGroup": group}
    return made


def gang(least, name="w", group="g"):
    policy = {"gang": {"minCount": least}} if least else {"basic": {}}
    return {"metadata": {"name": name, "namespace": "default"}, "spec": {"podGroups": [{"name": group, "policy": policy}]}}


def workload(verb, thing):
    return write(verb, "Workload", thing)


def scenes():
    """(name, what init has, commands)"""
    one, two, four = node("n1"), node("n1", "2"), node("n1", "4")
    a, b, c = member("a", 9), member("b", 8), member("c", 7)
    flush = [advance(3), {"cmd": "flush", "queue": "backoff"}]

    def begin(nodes, pods, *workloads):
        return {"nodes": nodes, "pods": pods, "workloads": list(workloads), "featureGates": GATES}
    yield "complete", begin([four], [a]), [workload("create", gang(2)), create(b), CYCLE, CYCLE, create(c), CYCLE]
    yield "basic", begin([four], [a, member("x", 1, group="other")], gang(0)), [CYCLE, CYCLE]
    yield "basic-while-one-waits", begin([four], [a, b, c], gang(3)), [
        CYCLE, workload("delete", gang(3)), workload("create", gang(0)), CYCLE, STATE]
    yield "moved-pod-is-nominated", begin([four], [member("a", 9, nominatedNodeName="n1")], gang(2)), [create(b), STATE]
    yield "other-workload", begin([four], [a]), [workload("create", gang(1, "other")), workload("create", gang(2)),
                                                 workload("update", gang(1)), workload("delete", gang(1)), workload("create", gang(1))]
    yield "waits-for-room", begin([one], [pod("v", 20, "n1"), a, b], gang(2)), [
        CYCLE, CYCLE, remove(pod("v", 20, "n1")), CYCLE, STATE, write("create", "Node", node("n2")), CYCLE]
    yield "bindings-wait", begin([four], [a, b, c], gang(3)), [hold("bind", "a"), CYCLE, CYCLE, CYCLE, answer("bind", "a", "error"), *flush, CYCLE]
    yield "preempted", begin([two], [a, b, c], gang(3)), [CYCLE, CYCLE, create(pod("p", 10, cpu="2")), CYCLE, *flush, CYCLE]
    yield "deleted-and-alone", begin([four], [a], gang(1)), [delete(a), create(member("a", 9, uid="u-a-2")), CYCLE]
    yield "deleted-while-it-waits", begin([four], [a, b], gang(2)), [CYCLE, delete(a), STATE, create(c)]
    yield "workload-deleted", begin([four], [a, b], gang(2)), [workload("delete", gang(2)), CYCLE, workload("create", gang(2)), *flush, CYCLE, CYCLE]
    yield "workload-deleted-while-one-waits", begin([four], [a, b], gang(2)), [CYCLE, workload("delete", gang(2)), CYCLE, STATE]
    yield "group-gone", begin([four], [a, b], gang(2)), [workload("update", gang(2, group="other")), CYCLE, CYCLE]
    yield "workload-unseen", begin([four], [a, b]), [
        {"cmd": "hold", "watch": "Workload"}, workload("create", gang(2)), STATE, {"cmd": "deliver", "watch": "Workload"}, CYCLE]
    yield "finished-pods-do-not-count", begin([four], [a, b], gang(2)), [
        CYCLE, CYCLE, write("update", "Pod", {**b, "status": {"phase": "Succeeded"}}), create(c), CYCLE]


if __name__ == "__main__":
    sys.exit(write_timelines("gangs", scenes(), sys.argv[1], sys.argv[2:]))
