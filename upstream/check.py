#!/usr/bin/env python3
"""Replays the recorded questions of spec/vectors to a built kube-scheduler and compares the answers.

    upstream/check.py RELEASE BINARY [FILE...]

Prints one line a difference, and one with figures. Exit code 1 if there is a difference.
"""
import json
import pathlib
import re
import subprocess
import sys
import threading
import time

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "spec" / "vectors"
EXCLUDED = "node is filtered out by the prefilter result"
REPEAT = 24
SHOWN = 20


def covers(ranges, releases, release):
    """Whether one of the ranges, each A or A..B in the order of releases, has the release."""
    position = releases.index(release)
    ends = ([releases.index(end) for end in text.split("..")] for text in ranges)
    return any(range_ends[0] <= position <= range_ends[-1] for range_ends in ends)


def recorded(files, release):
    """Yields (case name, command, question, answer, whether absent statuses mean none) for the release."""
    for file in files:
        vectors = json.loads(file.read_text())
        if release not in vectors["releases"] or not vectors.get("recorded"):
            continue
        for case in vectors["cases"]:
            for entry in case["answers"]:
                if covers(entry["releases"], vectors["releases"], release):
                    yield (case["name"], vectors.get("command", "run"), case["question"], entry["answer"],
                           vectors.get("statuses", False))


def ask(binary, questions):
    """Returns the answers to the questions, in order, and the seconds they took."""
    process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def feed():
        for question in questions:
            process.stdin.write(json.dumps(question) + "\n")
        process.stdin.close()

    begin = time.monotonic()
    feeder = threading.Thread(target=feed)
    feeder.start()
    answers = [json.loads(line) for line in process.stdout]
    feeder.join()
    seconds = time.monotonic() - begin
    if process.wait() != 0 or len(answers) != len(questions):
        sys.exit(f"{binary}: {len(answers)} answers to {len(questions)} questions, exit code {process.returncode}")
    return answers, seconds


def comparable(reasons):
    """Returns reasons as a list, but those of extended resources, which come in the order of a map, as a set. One of
    several missing CSI drivers is named by the order of a map too (PRE-ATTACH-7)."""
    reasons = [re.sub(r"^\S+ (CSI driver is not installed)", r"\1", reason) for reason in reasons]
    plain = [reason for reason in reasons if not re.match(r"Insufficient [^/]+/", reason)]
    return plain, set(reasons) - set(plain)


def same_status(want, got):
    if want.get("reasons") == [EXCLUDED]:
        return got is not None and got["code"] == want["code"]
    if got is None:
        return False
    return (want["code"] == got["code"] and want.get("plugin") == got.get("plugin")
            and comparable(want.get("reasons", [])) == comparable(got.get("reasons", [])))


def same_statuses(want, got):
    return want.keys() == got.keys() and all(same_status(want[node], got[node]) for node in want)


def rank(question, candidate):
    """Returns all of a candidate that the choice among nodes can see: two nodes with the same rank tie."""
    pods = {f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata']['name']}": pod for pod in question["pods"]}
    victims = [pods[name] for name in candidate["victims"]]
    return candidate["numPDBViolations"], [
        (pod.get("spec", {}).get("priority", 0), pod.get("status", {}).get("startTime")) for pod in victims]


def unseen(question, want, got):
    """Returns the nodes that were chosen and neither are recorded as chosen nor tie with one that is: a recording of
    many tied nodes need not have all of them."""
    if "observed" not in want:
        return set()
    nodes = set(got.get("observed", {})) - set(want["observed"])
    candidates = want.get("candidates", {})
    ranks = [rank(question, candidates[node]) for node in want["observed"] if node in candidates] if nodes else []
    return {node for node in nodes if node not in candidates or rank(question, candidates[node]) not in ranks}


def nonzero(scores):
    """Returns the scores that are not 0: a scorer that a recording leaves out gave 0, or was skipped."""
    return {node: {name: score for name, score in of_node.items() if score} for node, of_node in scores.items()}


def placement_differences(want, got):
    """Yields what the answer about a pod that fits says otherwise than the recording."""
    if sorted(want["feasible"]) != sorted(got.get("feasible", [])):
        yield f"feasible {got.get('feasible')}, recorded {want['feasible']}"
    best = set(got.get("best", []))
    if "scores" in want:
        for key, of in (("totals", dict), ("best", sorted), ("scores", nonzero)):
            if of(want[key]) != of(got.get(key, [])):
                yield f"{key} {got.get(key)}, recorded {want[key]}"
    elif "scores" in got:
        yield f"scores {got['scores']}, recorded none"
    hosts = {want["node"]} if "node" in want else set(want.get("chosen", {}))
    if not hosts | {got.get("node")} | set(got.get("observed", {})) <= best:
        yield f"node {got.get('node')}, observed {got.get('observed')}, recorded {sorted(hosts)}, best {sorted(best)}"


def differences(question, want, got, statuses):
    """Yields what an answer says otherwise than the recording."""
    if "error" in got or "skipped" in got:
        yield json.dumps(got)
        return
    if "outcome" not in want:  # the recording ends when no node is feasible
        if got["outcome"] not in ("ineligible", "none", "nominated"):
            yield f"outcome {got['outcome']}, recorded no feasible node"
        return
    outcomes = {want["outcome"]} | ({"nominated"} if want["outcome"] == "error" and "candidates" in want else set())
    if got["outcome"] not in outcomes:
        yield f"outcome {got['outcome']}, recorded {want['outcome']}"
    if want["outcome"] == "scheduled":
        yield from placement_differences(want, got)
        return
    had_nomination = "nominatedNodeName" in question["pod"].get("status", {})
    for key in ("ineligible", "nomination", "clears"):
        if key == "nomination" and not had_nomination and want.get(key) in ("cleared", "kept"):
            continue  # there is nothing to clear or to keep
        if key in want and want[key] != got.get(key):
            yield f"{key} {got.get(key)}, recorded {want[key]}"
    if want.get("candidates", {}) != got.get("candidates", {}):
        yield f"candidates {got.get('candidates')}, recorded {want.get('candidates')}"
    if unseen(question, want, got):
        yield f"observed {sorted(got['observed'])}, recorded {want['observed']}"
    for key in ("filter", "dryRun"):
        if (statuses or key in want) and want["outcome"] != "error":
            if not same_statuses(want.get(key, {}), got.get(key, {})):
                yield f"{key} {got.get(key)}, recorded {want.get(key)}"


def main():
    release, binary = sys.argv[1:3]
    files = [pathlib.Path(name) for name in sys.argv[3:]]
    files = files or sorted(VECTORS.glob("*/*.json"))
    cases = list(recorded(files, release))
    if not cases:
        print(f"{release}: no recording has this release")
        return 0
    answers, seconds = ask(binary, [
        question | {"cmd": command, "seq": number, "release": release, "repeat": REPEAT}
        for number, (_, command, question, _, _) in enumerate(cases)
    ])
    different = 0
    for (name, _, question, want, statuses), got in zip(cases, answers):
        found = list(differences(question, want, got, statuses))
        different += bool(found)
        if found and different <= SHOWN:
            print(f"{release} {name}: " + "; ".join(found))
    print(f"{release}: {len(cases)} cases, {len(cases) - different} agreed, {different} differences, "
          f"{len(cases) / seconds:.0f} cases/s with start")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
