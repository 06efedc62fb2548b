#!/usr/bin/env python3
"""Replays the recorded timelines of spec/vectors/time to a built kube-scheduler and compares the answers.

    upstream/check_time.py RELEASE BINARY

Prints one line a difference, and one with figures. Exit code 1 if there is a difference.
"""
import json
import sys

from check import SHOWN, VECTORS, ask


def calls_by_pod(calls):
    """Returns the calls for each pod in order, without patches that only change a message."""
    by_pod = {}
    for call in calls:
        if call["call"] == "patch" and not ("nominatedNodeName" in call or "reason" in call):
            continue
        kept = {key: call[key] for key in ("call", "nominatedNodeName", "reason", "held") if key in call}
        by_pod.setdefault(call["pod"], []).append(kept)
    return by_pod


def difference(want, got):
    """Returns the first part in which an answer differs from the recorded one, or None."""
    if ("error" in want) != ("error" in got):
        return f"{got.get('error', 'no error')}, recorded {want.get('error', 'no error')}"
    if calls_by_pod(want.get("calls", [])) != calls_by_pod(got.get("calls", [])):
        return f"calls {got.get('calls')}, recorded {want.get('calls')}"
    for key in want.keys() - {"seq", "calls", "state", "error"}:
        if want[key] != got.get(key):
            return f"{key} {got.get(key)}, recorded {want[key]}"
    for key, value in want.get("state", {}).items():
        if value != got["state"].get(key):
            return f"state.{key} {got['state'].get(key)}, recorded {value}"
    return None


def first_difference(timeline, answers):
    """Returns the first difference of a timeline. A recorded state has the keys that have changed."""
    state = {}
    for number, (want, got) in enumerate(zip(timeline["answers"], answers)):
        if "state" in want:
            state.update(want["state"])
            want = want | {"state": state}
        found = difference(want, got)
        if found:
            return f"command {number}: {found}"
    return None


def main():
    release, binary = sys.argv[1:3]
    file = VECTORS / "time" / f"{release}.jsonl"
    if not file.exists():
        print(f"{release}: no timeline of this release is recorded")
        return 0
    timelines = [json.loads(line) for line in file.read_text().splitlines()]
    commands = [command for timeline in timelines for command in timeline["commands"]]
    answers, seconds = ask(binary, [command | {"seq": number} for number, command in enumerate(commands)])
    different = begin = 0
    for timeline in timelines:
        end = begin + len(timeline["commands"])
        found = first_difference(timeline, answers[begin:end])
        begin = end
        different += bool(found)
        if found and different <= SHOWN:
            print(f"{release} {timeline['name']}: {found}")
    print(f"{release}: {len(timelines)} timelines, {len(timelines) - different} agreed, {different} differences, "
          f"{len(commands) / seconds:.0f} commands/s with start")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
