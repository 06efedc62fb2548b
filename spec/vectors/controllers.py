#!/usr/bin/env python3
"""Records timelines of the controllers beside the scheduler from running releases.

    python3 spec/vectors/controllers.py build/release/touchstone build/upstream/v1.37.2/stepper...

Written is `controllers/vX.Y.Z.jsonl`: of the first generated timelines a small set that shows each clause five times. Which clauses a timeline shows, the model says; the answers are those of the release.
"""
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

COUNT = 100  # timelines to choose from, of each controller
TIMES = 5  # how often each clause is shown


class Subject:
    """A subject of the protocol."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def clauses_of(model, commands):
    asked = [{**commands[0], "trace": True}, *commands[1:]]
    return set().union(*(model.ask(line).get("clauses", []) for line in asked))


def chosen(timelines):
    """Greedy: the most clauses that are not shown often enough, for the length."""
    missing = Counter(clause for clauses, _ in timelines for clause in clauses)
    missing = {clause: min(count, TIMES) for clause, count in missing.items()}
    left, taken = list(timelines), []
    while any(missing.values()):
        best = max(left, key=lambda each: sum(missing[clause] > 0 for clause in each[0]) / (len(json.dumps(each[1])) + 500))
        for clause in best[0]:
            missing[clause] = max(missing[clause] - 1, 0)
        left.remove(best)
        taken.append(best)
    return taken


def main():
    touchstone, *schedulers = sys.argv[1:]
    model = Subject(touchstone, "subject")
    folder = Path(__file__).parent / "controllers"
    folder.mkdir(exist_ok=True)
    for command in schedulers:
        scheduler = Subject(command)
        hello = scheduler.ask({"cmd": "hello"})
        release = hello["releases"][0]
        rows = []
        for part in sorted({"disruption", "leaderElection"} & set(hello["features"])):
            generate = [touchstone, "play", "--part", part, "--release", release, "--commands", "--number"]
            timelines = []
            for number in range(COUNT):
                printed = subprocess.run([*generate, str(number)], capture_output=True, text=True, check=True).stdout
                commands = [json.loads(line) for line in printed.splitlines()]
                timelines.append((clauses_of(model, commands), commands))
            for number, (clauses, commands) in enumerate(chosen(timelines)):
                answers = [scheduler.ask(line) for line in commands]
                for answer in answers:
                    del answer["seq"]
                rows.append({"name": f"{part}/{release}/{number}", "release": release, "clauses": sorted(clauses),
                             "recorded": True, "commands": commands, "answers": answers})
        with open(folder / f"{release}.jsonl", "w", encoding="utf-8") as out:
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
        scheduler.close()
        print(f"{release}: {len(rows)} timelines")
    model.close()


if __name__ == "__main__":
    sys.exit(main())
