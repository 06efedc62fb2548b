#!/usr/bin/env python3
"""Writes time/faults.jsonl beside this script: the smallest timeline of each seeded fault, as the running kube-scheduler of its
release answers it.

    python3 spec/vectors/timelines_of_faults.py build/release/touchstone build/upstream/v1.*/stepper

The timelines are those of faults/timelines.jsonl, so a scheduler with one of these faults contradicts a recording.
"""
import json
import sys
from pathlib import Path

from timelines_of_permit import write_recorded

FAULTS = Path(__file__).parent.parent.parent / "faults" / "timelines.jsonl"

# Not recorded. The first ends by a panic of the release. In the others the release may take either of two pods, and took another
# than the model takes first.
LEFT_OUT = {"gangs-never-crash", "groups-keep-apart", "queued-groups-forget-priority"}


def main():
    timelines = [json.loads(line) for line in FAULTS.read_text(encoding="utf-8").splitlines()]
    steppers = sys.argv[2:]
    if missing := {timeline["release"] for timeline in timelines} - {Path(stepper).parent.name for stepper in steppers}:
        sys.exit(f"no stepper of {', '.join(sorted(missing))}")

    def timelines_of(release):
        return [(timeline["fault"], timeline["commands"]) for timeline in timelines
                if timeline["release"] == release and timeline["fault"] not in LEFT_OUT]
    write_recorded("faults", sys.argv[1], steppers, timelines_of)


if __name__ == "__main__":
    sys.exit(main())
