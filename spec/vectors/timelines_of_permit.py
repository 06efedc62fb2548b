#!/usr/bin/env python3
"""Writes time/permit.jsonl beside this script: scenes with pods that wait in Permit, as running kube-schedulers answer them.

    python3 spec/vectors/timelines_of_permit.py build/release/touchstone build/upstream/v1.{29,3}*/stepper

Each scene is about a clause QUE-PERMIT of clauses/queue.md. Which clauses it shows besides, touchstone says.
"""
import json
import subprocess
import sys
from pathlib import Path

from timelines import clauses_of, without_repetition
from timelines_of_v1_13 import CYCLE, DELIVER_PODS, HOLD_PODS, answer, hold, node, pod, remove, write

STATE = {"cmd": "state"}


def waiting(name, priority, seconds=60, **more):
    made = pod(name, priority, **more)
    made["metadata"]["annotations"] = {"touchstone.dev/permit-seconds": str(seconds)}
    return made


def named(thing, scheduler):
    return {**thing, "spec": {**thing["spec"], "schedulerName": scheduler}}


def permit(name, result):
    return {"cmd": "permit", "pod": f"default/{name}", "result": result}


def create(thing):
    return write("create", "Pod", thing)


def delete(thing):
    return write("delete", "Pod", thing)


def advance(seconds):
    return {"cmd": "advance", "seconds": seconds}


FLUSH_BACKOFF = {"cmd": "flush", "queue": "backoff"}
FLUSH_LEFTOVER = {"cmd": "flush", "queue": "leftover"}


def scenes():
    """(name, nodes, pods, commands). With two waiting victims the order of their patches is chance."""
    one, two, three = node("n1"), node("n1", "2"), node("n1", "3")
    w, p, q, v = waiting("w", 0), pod("p", 10), pod("q", 0), pod("v", 1, "n1")
    wide = pod("p", 10, cpu="2")
    new_node = write("create", "Node", node("n2"))
    yield "allowed", [one], [w], [CYCLE, permit("w", "allow"), CYCLE]
    yield "no-wait", [three], [waiting("w", 2, 901), waiting("x", 1, 0), waiting("y", 0, "soon")], [CYCLE, CYCLE, CYCLE]
    yield "rejected", [one], [w], [CYCLE, permit("w", "reject"), new_node, advance(301), FLUSH_LEFTOVER, CYCLE, permit("w", "allow")]
    yield "rejected-and-changed", [one], [w], [CYCLE, permit("w", "reject"), write("update", "Pod", waiting("w", 0, 60, labels={"app": "x"}))]
    yield "rejected-while-its-patch-waits", [one], [w, q], [
        CYCLE, CYCLE, hold("patch", "w"), permit("w", "reject"), STATE, answer("patch", "w"), advance(3), FLUSH_BACKOFF, CYCLE]
    yield "another-scheduler-while-it-waits", [one], [w, q], [CYCLE, CYCLE, write("update", "Pod", named(w, "other")), STATE]
    yield "scheduler-named-later", [one], [named(w, "other")], [write("update", "Pod", w), CYCLE]
    yield "timeout", [one], [w], [CYCLE, advance(59.9), advance(0.1), advance(301), FLUSH_LEFTOVER, CYCLE, advance(100)]
    yield "two-timeouts", [two], [waiting("w", 5, 60), waiting("x", 2, 5), pod("y", 0)], [CYCLE, CYCLE, CYCLE, advance(61), STATE]
    yield "preempted", [one], [w], [CYCLE, create(p), CYCLE, STATE, new_node, advance(3), FLUSH_BACKOFF, CYCLE, CYCLE]
    yield "preempted-and-flushed", [one], [w], [
        CYCLE, create(p), CYCLE, new_node, advance(240), create(pod("x", 0, "n2", cpu="0")), delete(pod("x", 0, "n2")), advance(61), FLUSH_LEFTOVER]
    yield "preempted-first-of-two", [two], [pod("v", 0, "n1"), waiting("w", 1)], [
        CYCLE, create(wide), hold("delete", "v"), CYCLE, STATE, answer("delete", "v"), remove(v), advance(3), FLUSH_BACKOFF, CYCLE]
    yield "preempted-last-of-two", [two], [v, w], [
        CYCLE, create(wide), hold("delete", "v"), CYCLE, STATE, answer("delete", "v"), remove(v), advance(3), FLUSH_BACKOFF, CYCLE]
    yield "preempted-after-a-failure", [two], [v, w], [
        CYCLE, create(wide), hold("delete", "v"), CYCLE, STATE, answer("delete", "v", "error"), STATE]
    yield "deleted", [one], [w], [CYCLE, create(q), CYCLE, delete(w), STATE]
    yield "deleted-and-made-again", [one], [w], [
        CYCLE, HOLD_PODS, remove(w), create(waiting("w", 0, uid="u-w-2")), DELIVER_PODS, CYCLE]
    yield "deleted-unseen-and-rejected", [one], [w], [CYCLE, HOLD_PODS, remove(w), permit("w", "reject"), STATE, DELIVER_PODS]
    yield "deleted-unseen-and-allowed", [one], [w], [CYCLE, HOLD_PODS, remove(w), permit("w", "allow"), STATE, DELIVER_PODS]
    yield "nomination-waits", [one], [w], [hold("patch", "w"), CYCLE, permit("w", "allow"), STATE, answer("patch", "w", "error")]
    yield "nomination-waits-and-preempted", [one], [w], [
        hold("patch", "w"), CYCLE, permit("w", "allow"), create(p), CYCLE, answer("patch", "w"), STATE]
    yield "nomination-waits-and-preempted-twice", [one], [w], [
        hold("patch", "w"), CYCLE, create(p), CYCLE, create(pod("x", 20)), CYCLE, answer("patch", "w"), STATE]
    yield "nomination-waits-and-deleted", [one], [w, q], [
        hold("patch", "w"), CYCLE, permit("w", "reject"), CYCLE, delete(w), STATE, answer("patch", "w")]
    yield "nominated-already", [one], [waiting("w", 0, nominatedNodeName="n1")], [CYCLE, permit("w", "reject")]
    yield "update-while-it-waits", [one], [w], [CYCLE, write("update", "Pod", waiting("w", 0, 60, labels={"app": "x"})), permit("w", "reject")]


def answers_of(running, commands):
    """The answers of a running scheduler, without `seq`. Of an error only that it is one."""
    for seq, command in enumerate(commands):
        running.stdin.write(json.dumps({**command, "seq": seq}) + "\n")
        running.stdin.flush()
        reply = json.loads(running.stdout.readline())
        yield {"error": True} if "error" in reply else {key: reply[key] for key in reply if key != "seq"}


def write_recorded(kind, touchstone, steppers, timelines_of):
    """Writes time/KIND.jsonl. `timelines_of`: of a release, (name, commands)."""
    known = subprocess.Popen([touchstone, "subject"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    with open(Path(__file__).parent / "time" / f"{kind}.jsonl", "w", encoding="utf-8") as out:
        for stepper in steppers:
            release = Path(stepper).parent.name
            running = subprocess.Popen([stepper], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            for name, commands in timelines_of(release):
                answers = list(answers_of(running, commands))
                if answers != list(answers_of(running, commands)):  # what differs the second time depends on chance
                    sys.exit(f"{release}, {name}: two recordings differ")
                row = {"name": f"time/{release}/{kind}-{name}", "release": release,
                       "clauses": sorted(clauses_of(known, {"commands": commands})),
                       "commands": commands, "answers": list(without_repetition(answers))}
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
            running.stdin.close()
            running.wait()
    known.stdin.close()
    known.wait()


def write_timelines(kind, scenes, touchstone, steppers):
    """Writes time/KIND.jsonl. `scenes`: (name, what init has, commands), for each release."""
    scenes = list(scenes)

    def timelines_of(release):
        for name, begin, commands in scenes:
            yield name, [{"cmd": "init", "release": release, "now": "2026-01-01T00:00:00Z", **begin}, *commands]
    write_recorded(kind, touchstone, steppers, timelines_of)


def main():
    begun = [(name, {"nodes": nodes, "pods": pods}, commands) for name, nodes, pods, commands in scenes()]
    write_timelines("permit", begun, sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
