#!/usr/bin/env python3
"""Writes time/queued-groups.jsonl beside this script: scenes with pod groups, as the running kube-scheduler v1.37.2 answers them.

    python3 spec/vectors/timelines_of_queued_groups.py build/release/touchstone build/upstream/v1.37.2/stepper

Each scene is about a clause QUE-ENTITY of clauses/queue.md. Which clauses it shows besides, touchstone says.
"""
import sys

from timelines_of_groups import group as group_without_priority
from timelines_of_groups import member, pod_group
from timelines_of_permit import FLUSH_BACKOFF, FLUSH_LEFTOVER, STATE, advance, create, delete, permit, write_timelines
from timelines_of_v1_13 import CYCLE, DELIVER_PODS, HOLD_PODS, answer, hold, node, pod, remove, write

GATES = {"GenericWorkload": True}


def group(least, name="g", priority=9):
    made = group_without_priority(least, name)
    made["spec"]["priority"] = priority
    return made


def with_spec(thing, **more):
    return {**thing, "spec": {**thing["spec"], **more}}


def patient(thing, seconds=60):
    return {**thing, "metadata": {**thing["metadata"], "annotations": {"touchstone.dev/permit-seconds": str(seconds)}}}


def anti_affinity(app):
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": "kubernetes.io/hostname"}]}}


def scenes():
    """(name, what init has, commands)"""
    one, two, three, four = node("n1"), node("n1", "2"), node("n1", "3"), node("n1", "4")
    a, b, c, d = (member(name, 9) for name in "abcd")
    v, w, x = (pod(name, 1, "n1") for name in "vwx")
    full = pod("v", 20, "n1")
    gated = with_spec(c, schedulingGates=[{"name": "example.com/x"}])
    new_node = write("create", "Node", node("n2", "4"))
    later = [advance(3), FLUSH_BACKOFF]

    def begin(nodes, pods, *groups):
        return {"nodes": nodes, "pods": pods, "podGroups": list(groups), "featureGates": GATES}

    def changed(thing, **labels):
        return write("update", "Pod", {**thing, "metadata": {**thing["metadata"], "labels": {**thing["metadata"]["labels"], **labels}}})

    # a pod of a group needs its PodGroup
    yield "incomplete", begin([four], [a]), [CYCLE, changed(a, x="y"), create(b), delete(b), pod_group("create", group(0)), CYCLE]
    yield "incomplete-and-gated", begin([four], [a, gated]), [pod_group("create", group(0)), CYCLE, write("update", "Pod", c), CYCLE]
    yield "group-deleted", begin([four], [a, b], group(2)), [pod_group("delete", group(2)), CYCLE, pod_group("create", group(2)), CYCLE]
    yield "group-deleted-in-backoff", begin([one], [a, b], group(2)), [CYCLE, pod_group("delete", group(2)), new_node, pod_group("create", group(2)), CYCLE]
    yield "group-deleted-in-the-cycle", begin([one], [a, b], group(2)), [
        hold("patch", "b"), CYCLE, pod_group("delete", group(2)), answer("patch", "b"), pod_group("create", group(2)), *later, CYCLE]
    yield "group-made-again-in-the-cycle", begin([one], [a, b], group(2)), [
        hold("patch", "a"), CYCLE, pod_group("delete", group(2)), pod_group("create", group(2)), STATE, answer("patch", "a"), *later, CYCLE]
    # one entry for all pods
    yield "complete", begin([four], [a], group(2)), [STATE, CYCLE, create(b), CYCLE]
    yield "basic", begin([two], [a, b, c], group(0)), [CYCLE, CYCLE, *later, CYCLE]
    yield "several-groups", begin([four], [member("p", 5, "h"), a, pod("q", 7), b, member("r", 5, "h")], group(2), group(2, "h", 5)), [CYCLE, CYCLE, CYCLE]
    yield "other-priority", begin([four], [a, member("b", 8)], group(2)), [CYCLE, delete(b), create(member("b", 9, uid="u-b-2")), *later, CYCLE]
    yield "other-policy", begin([four], [a, with_spec(b, preemptionPolicy="Never")], group(2)), [CYCLE, *later, CYCLE]
    yield "priority-of-a-scheduled-pod", begin([four], [member("s", 3, on="n1"), a], group(0)), [CYCLE]
    yield "gated-member", begin([four], [a, b, gated], group(0)), [CYCLE, STATE, write("update", "Pod", c), CYCLE]
    yield "gated-member-deleted", begin([four], [a, gated], group(0)), [delete(gated), STATE, advance(301), FLUSH_LEFTOVER, CYCLE]
    yield "gated-member-and-update", begin([four], [a, gated], group(0)), [changed(a, x="y"), CYCLE]
    yield "least-decreased", begin([four], [a, b], group(3)), [pod_group("update", group(4)), pod_group("update", group(2)), CYCLE]
    yield "least-dropped", begin([four], [a, b], group(3)), [pod_group("update", group(0)), STATE, advance(301), FLUSH_LEFTOVER, CYCLE]
    # pods that join and leave
    yield "joins-active", begin([four], [a], group(0)), [create(b), CYCLE]
    yield "joins-backoff", begin([one], [a, b], group(2)), [CYCLE, create(c), STATE, advance(3), create(d), CYCLE]
    yield "joins-unschedulable", begin([four], [a], group(3)), [create(b), STATE, create(c), CYCLE]
    yield "joins-in-the-cycle", begin([one], [a, b], group(2)), [hold("patch", "a"), CYCLE, create(c), STATE, changed(c, x="y"), answer("patch", "a"), *later, CYCLE]
    yield "leaves-in-the-cycle", begin([one], [a, b], group(2)), [hold("patch", "b"), CYCLE, delete(a), STATE, answer("patch", "b"), *later, CYCLE]
    yield "leaves-active", begin([four], [a, b, c], group(2)), [delete(a), delete(b), CYCLE]
    yield "leaves-backoff", begin([one], [a, b], group(2)), [CYCLE, delete(b), *later, CYCLE]
    yield "last-one-leaves", begin([one], [a], group(1)), [delete(a), CYCLE, create(b), CYCLE]
    yield "update-in-backoff", begin([one], [a, b], group(2)), [CYCLE, changed(a, x="y"), *later, CYCLE]
    yield "update-in-the-cycle", begin([one], [a, b], group(2)), [hold("patch", "a"), CYCLE, changed(b, x="y"), answer("patch", "a"), *later]
    # trial and verdict
    yield "infeasible", begin([one], [a, b], group(2)), [CYCLE, new_node, CYCLE, *later, CYCLE]
    yield "not-enough-pods", begin([four], [a, b], group(2)), [HOLD_PODS, delete(b), CYCLE, DELIVER_PODS]
    yield "too-few-left", begin([two], [a, b, c, d], group(4)), [CYCLE, *later, CYCLE]
    yield "part-of-a-gang", begin([two], [a, b, c], group(2)), [CYCLE, CYCLE, *later, CYCLE]
    yield "more-for-a-gang", begin([two], [a, b], group(2)), [CYCLE, create(c), CYCLE, create(d), CYCLE]
    yield "no-nodes", begin([], [a, b], group(2)), [CYCLE, *later, CYCLE]
    yield "terminating-member", begin([four], [a, {**b, "metadata": {**b["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}], group(0)), [CYCLE]
    yield "anti-affinity", begin([four], [with_spec(a, affinity=anti_affinity("b")), b], group(2)), [CYCLE]
    yield "bindings-fail", begin([four], [a, b], group(2)), [hold("bind", "a"), CYCLE, answer("bind", "a", "error"), STATE, CYCLE]
    yield "binding-fails-in-the-cycle", begin([two], [a, b, c], group(0)), [hold("bind", "a"), hold("patch", "c"), CYCLE, answer("bind", "a", "error"), STATE, answer("patch", "c"), CYCLE]
    yield "other-binding-fails-in-the-cycle", begin([three], [pod("q", 20), a, b, c], group(0)), [
        hold("bind", "q"), CYCLE, hold("patch", "c"), CYCLE, answer("bind", "q", "error"), answer("patch", "c"), STATE, CYCLE]
    # backoff
    yield "backoff", begin([one], [full, a, b, c], group(2)), [step for _ in range(6) for step in (CYCLE, advance(18), FLUSH_BACKOFF)]
    yield "backoff-is-not-popped", begin([one], [full, a], group(0)), [CYCLE, CYCLE, new_node, CYCLE, *later, CYCLE]
    # preemption
    yield "preempts", begin([two], [v, w, a, b], group(2)), [CYCLE, STATE, remove(v), remove(w), *later, CYCLE]
    yield "preempts-least", begin([three], [v, w, x, a, b], group(2)), [CYCLE, remove(x), remove(w), *later, CYCLE]
    yield "preempts-on-two-nodes", begin([one, node("n2")], [v, pod("w", 2, "n2"), a, b], group(2)), [hold("delete", "v"), CYCLE, answer("delete", "v"), remove(v), remove(w), *later, CYCLE]
    yield "preempts-in-vain", begin([one], [v, a, b], group(2)), [CYCLE, *later, CYCLE]
    yield "preempts-never", begin([one], [v, with_spec(a, preemptionPolicy="Never")], group(0)), [CYCLE, *later, CYCLE]
    yield "no-victims", begin([one], [full, a], group(0)), [CYCLE, *later, CYCLE]
    yield "rest-preempts", begin([two], [v, a, b], group(0)), [CYCLE, CYCLE, remove(v), *later, CYCLE]
    yield "delete-waits", begin([two], [v, w, a, b], group(2)), [hold("delete", "w"), CYCLE, *later, CYCLE, answer("delete", "w"), remove(v), remove(w), *later, CYCLE]
    yield "last-delete-waits", begin([one], [v, a], group(0)), [hold("delete", "v"), CYCLE, STATE, *later, answer("delete", "v"), remove(v), *later, CYCLE]
    yield "delete-refused", begin([two], [v, w, a, b], group(2)), [hold("delete", "v"), CYCLE, answer("delete", "v", "error"), *later, CYCLE]
    yield "waits-for-victims", begin([two], [v, w, a, b], group(2)), [CYCLE, *later, create(c), CYCLE, remove(v), remove(w), *later, CYCLE]
    yield "victims-of-a-group", begin([two], [member("s", 1, "h", on="n1"), pod("t", 1, "n1", cpu="1"), a], group(0), group(0, "h", 1)), [CYCLE]
    yield "group-as-victim", begin([two], [member("s", 1, "h", on="n1"), pod("t", 1, "n1", cpu="1"), pod("p", 5)], group(0, "h", 1)), [CYCLE]
    yield "priority-of-the-group-counts", begin([one], [member("s", 1, "h", on="n1"), pod("p", 5)], group(0, "h", 7)), [CYCLE]
    yield "victim-waits-in-permit", begin([one], [patient(pod("v", 1)), ], group(0)), [CYCLE, create(a), CYCLE, STATE, *later, CYCLE, CYCLE]
    yield "lower-nominations-stay", begin([two], [v, w, pod("p", 5)], group(0)), [CYCLE, create(with_spec(a, containers=pod("a", 9, cpu="2")["spec"]["containers"])), CYCLE]
    low = with_spec(pod("low", 1), schedulingGates=[{"name": "example.com/x"}])
    for name in ("cluster", "n1"):
        yield f"lower-nomination-to-{name}", begin([one], [v, {**low, "status": {"nominatedNodeName": name}}, a], group(0)), [CYCLE]
    yield "victim-with-anti-affinity", begin([three], [with_spec(v, affinity=anti_affinity("a")), pod("w", 1, "n1", cpu="2"), a], group(0)), [
        CYCLE, remove(w), *later, CYCLE, *later, CYCLE]
    yield "budget", begin([three], [v, w, x, a], group(0)) | {"pdbs": [{"metadata": {"name": "b", "namespace": "default"}, "spec": {
        "selector": {"matchLabels": {"app": "x"}}}, "status": {"disruptionsAllowed": 0}}]}, [CYCLE]
    # Permit
    yield "permit", begin([two], [patient(a), b], group(0)), [CYCLE, STATE, permit("a", "reject"), CYCLE]
    yield "permit-for-a-gang", begin([four], [a, b, c], group(3)), [CYCLE]
    yield "deleted-while-it-waits", begin([four], [patient(a), patient(b)], group(1)), [
        CYCLE, delete(a), pod_group("update", group(0)), permit("b", "allow")]
    yield "still-counted", begin([four], [patient(a)], group(0)), [CYCLE, delete(a), pod_group("update", group(3)), create(b), create(c), CYCLE]
    yield "nominated-member", begin([four], [member("a", 9, nominatedNodeName="n1")]), [pod_group("create", group(0)), CYCLE]
    yield "group-unseen", begin([four], [a, b]), [
        {"cmd": "hold", "watch": "PodGroup"}, pod_group("create", group(2)), STATE, CYCLE, {"cmd": "deliver", "watch": "PodGroup"}, CYCLE]


if __name__ == "__main__":
    sys.exit(write_timelines("queued-groups", scenes(), sys.argv[1], sys.argv[2:]))
