#!/usr/bin/env python3
"""Writes the timelines beside this script from recordings of kube-scheduler releases.

    python3 spec/vectors/timelines.py RECORDINGS [--out DIR] -- build/release/touchstone subject

RECORDINGS holds `time-vX.Y.Z.jsonl.gz`, a timeline a line. Written is `time/vX.Y.Z.jsonl`: a small set of timelines in which
every clause that some timeline of the release shows is shown once. Which clauses a timeline shows, the subject says.
"""
import argparse
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path


def clauses_of(subject, timeline):
    """The clauses that decide something in a timeline, by the subject. Its answers are not compared here."""
    shown = set()
    for command in timeline["commands"]:
        asked = {**command, "trace": True} if command["cmd"] == "init" else command
        subject.stdin.write(json.dumps(asked) + "\n")
        subject.stdin.flush()
        shown.update(json.loads(subject.stdout.readline()).get("clauses", []))
    return shown


# Scenes that were thought out before they were run, by their numbers in the recordings.
NUMBERED = re.compile(r"^scene-\d+\.\d+-[0-9A-Z]+-")


def chosen(timelines):
    """All numbered scenes, and a small set of others, so that each clause is shown. Greedy: the most new clauses for the length."""
    taken = [timeline for timeline in timelines if NUMBERED.match(timeline["name"])]
    missing = set().union(*(timeline["clauses"] for timeline in timelines))
    missing -= set().union(*(timeline["clauses"] for timeline in taken))
    while missing:
        def gain(timeline):
            return len(missing & timeline["clauses"]) / (len(json.dumps(timeline["commands"])) + 2000)
        best = max(timelines, key=gain)
        missing -= best["clauses"]
        taken.append(best)
    return [timeline for timeline in timelines if any(timeline is each for each in taken)]


def without_repetition(answers):
    """The answers with those keys of `state` alone that changed since the answer before."""
    last = {}
    for answer in answers:
        state = answer.get("state", {})
        yield {**answer, "state": {key: value for key, value in state.items() if last.get(key) != value}} if state else answer
        last = state or last


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordings", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "time")
    parser.add_argument("subject", nargs="+")
    options = parser.parse_args()
    options.out.mkdir(exist_ok=True)
    subject = subprocess.Popen(options.subject, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    for path in sorted(options.recordings.glob("time-v*.jsonl.gz")):
        release = re.search(r"v\d+\.\d+\.\d+", path.name)[0]
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            timelines = [json.loads(line) for line in lines]
        for timeline in timelines:
            timeline["clauses"] = clauses_of(subject, timeline)
        with open(options.out / f"{release}.jsonl", "w", encoding="utf-8") as out:
            for timeline in chosen(timelines):
                row = {"name": f"time/{release}/{NUMBERED.sub('scene-', timeline['name'])}", "release": release, "clauses": sorted(timeline["clauses"]),
                       "commands": timeline["commands"], "answers": list(without_repetition(timeline["answers"]))}
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    subject.stdin.close()
    subject.wait()


if __name__ == "__main__":
    sys.exit(main())
