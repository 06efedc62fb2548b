#!/usr/bin/env python3
"""Writes time/groups.jsonl beside this script: scenes with pod groups, as the running kube-scheduler v1.36.3 answers them.

    python3 spec/vectors/timelines_of_groups.py build/release/touchstone build/upstream/v1.36.3/stepper

Each scene is about a clause QUE-GROUP of clauses/queue.md. Which clauses it shows besides, touchstone says.
"""
import sys

from timelines_of_permit import FLUSH_BACKOFF, STATE, advance, create, delete, write_timelines
from timelines_of_v1_13 import CYCLE, DELIVER_PODS, HOLD_PODS, answer, hold, node, pod, remove, write

GATES = {"GenericWorkload": True, "GangScheduling": True}


def member(name, priority, group="g", **more):
    made = pod(name, priority, **more)
    made["spec"]["schedulingGroup"] = {"podGroupName": group}
    return made


def group(least, name="g"):
    policy = {"gang": {"minCount": least}} if least else {"basic": {}}
    return {"metadata": {"name": name, "namespace": "default"}, "spec": {"schedulingPolicy": policy}}


def pod_group(verb, thing):
    return write(verb, "PodGroup", thing)


def scenes():
    """(name, what init has, commands)"""
    one, two, four = node("n1"), node("n1", "2"), node("n1", "4")
    a, b, c = member("a", 9), member("b", 8), member("c", 7)
    v, w = pod("v", 1, "n1"), pod("w", 1, "n1")
    later = [advance(3), FLUSH_BACKOFF]

    def begin(nodes, pods, *groups, gates=GATES):
        return {"nodes": nodes, "pods": pods, "podGroups": list(groups), "featureGates": gates}
    yield "complete", begin([four], [a]), [pod_group("create", group(2)), create(b), CYCLE, create(c), CYCLE]
    yield "basic", begin([two], [a, b, c, member("x", 1, "other")], group(0)), [CYCLE, *later, CYCLE]
    yield "without-gangs", begin([two], [a, b, c], gates={"GenericWorkload": True}), [CYCLE, *later, CYCLE]
    yield "other-group", begin([four], [a]), [pod_group("create", group(1, "other")), pod_group("create", group(2)),
                                              pod_group("update", group(1)), pod_group("delete", group(1)), pod_group("create", group(1))]
    yield "infeasible", begin([one], [a, b], group(2)), [CYCLE, write("create", "Node", node("n2")), *later, CYCLE]
    yield "backoff-comes-along", begin([one], [a, b], group(2)), [CYCLE, write("create", "Node", node("n2")), CYCLE]
    yield "part-of-a-gang", begin([two], [a, b, c], group(2)), [CYCLE, *later, CYCLE]
    yield "bigger-first", begin([two], [member("a", 9, cpu="3"), b, c], group(2)), [CYCLE, *later, CYCLE]
    gated = {**c, "spec": {**c["spec"], "schedulingGates": [{"name": "example.com/x"}]}}
    yield "gated-member", begin([four], [a, b, gated], group(2)), [CYCLE, write("update", "Pod", c), CYCLE]
    yield "preempts", begin([two], [v, w, a, b], group(2)), [CYCLE, STATE, remove(v), remove(w), *later, CYCLE]
    yield "one-preempts", begin([two], [v, a, b], group(2)), [CYCLE, remove(v), *later, CYCLE]
    yield "same-victim-twice", begin([two], [pod("v", 1, "n1", cpu="2"), a, b], group(2)), [CYCLE, remove(v), *later, CYCLE]
    yield "preempts-in-vain", begin([one], [v, a, b], group(2)), [CYCLE, remove(v), *later, CYCLE]
    yield "delete-refused", begin([two], [v, w, a, b], group(2)), [hold("delete", "v"), CYCLE, answer("delete", "v", "error"), *later, CYCLE]
    yield "delete-waits", begin([two], [v, w, a, b], group(2)), [hold("delete", "w"), CYCLE, *later, CYCLE, answer("delete", "w"), remove(v), remove(w), *later, CYCLE]
    yield "nominated-and-others", begin([two], [v, w, a, b], group(2)), [CYCLE, remove(v), create(pod("q", 5)), CYCLE, remove(w), CYCLE, *later, CYCLE, CYCLE]
    yield "bindings-wait", begin([four], [a, b, c], group(3)), [hold("bind", "a"), CYCLE, answer("bind", "a", "error"), *later, CYCLE]
    yield "patch-waits", begin([one], [a, b], group(2)), [hold("patch", "a"), CYCLE, STATE, CYCLE, answer("patch", "a"), *later, CYCLE]
    yield "deleted-in-the-cycle", begin([one], [a, b], group(2)), [hold("patch", "a"), CYCLE, delete(b), answer("patch", "a"), *later]
    yield "group-deleted", begin([four], [a, b], group(2)), [pod_group("delete", group(2)), CYCLE, pod_group("create", group(2)), *later, CYCLE]
    yield "group-deleted-and-no-room", begin([one], [pod("v", 20, "n1"), a, b], group(2)), [pod_group("delete", group(2)), CYCLE]
    yield "group-unseen", begin([four], [a, b]), [
        {"cmd": "hold", "watch": "PodGroup"}, pod_group("create", group(2)), STATE, {"cmd": "deliver", "watch": "PodGroup"}, CYCLE]
    yield "preempted-by-another", begin([two], [a, b], group(2)), [CYCLE, create(pod("p", 10, cpu="2")), CYCLE, *later, CYCLE]
    yield "no-nodes", begin([], [a, b], group(2)), [CYCLE, *later, CYCLE]
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {"app": "b"}}, "topologyKey": "kubernetes.io/hostname"}]}}
    lonely, alike = {**a, "spec": {**a["spec"], "affinity": apart}}, pod("s", 1, "n1", cpu="0")
    yield "anti-affinity", begin([four], [lonely, b], group(2)), [CYCLE]
    yield "anti-affinity-of-others", begin([four], [{**alike, "spec": {**alike["spec"], "affinity": apart}}, lonely, c], group(2)), [CYCLE]
    far = {**apart, "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {"app": "none"}}, "topologyKey": "kubernetes.io/hostname"}]}}
    yield "anti-affinity-on-a-listed-node", begin([four], [{**alike, "spec": {**alike["spec"], "affinity": far}}, lonely, b], group(2)), [CYCLE]
    def on_port(thing):
        container = {**thing["spec"]["containers"][0], "ports": [{"containerPort": 80, "hostPort": 80}]}
        return {**thing, "spec": {**thing["spec"], "containers": [container]}}
    taken, wanted, high = on_port(v), on_port(a), create(on_port(pod("q", 20)))
    yield "ports-after-a-trial", begin([four], [taken, wanted], group(0)), [hold("patch", "v"), CYCLE, high, CYCLE]
    yield "ports-after-a-change", begin([four], [taken, wanted], group(0)), [
        hold("patch", "v"), CYCLE, write("update", "Node", {**four, "metadata": {**four["metadata"], "labels": {"x": "y"}}}), high, CYCLE]
    gated = member("a", 9, nominatedNodeName="n1")
    yield "nominated-by-an-addition", begin([four], [gated], group(2)), [create(b), CYCLE]
    yield "pods-unseen", begin([four], [a], group(2)), [HOLD_PODS, create(b), CYCLE, DELIVER_PODS, CYCLE, DELIVER_PODS]


if __name__ == "__main__":
    sys.exit(write_timelines("groups", scenes(), sys.argv[1], sys.argv[2:]))
