#!/usr/bin/env python3
"""touchstone subject with one thing wrong: perturbed.py FAULT RELEASE."""
import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time

fault, release = sys.argv[1:3]
if fault == "dies-at-start":
    sys.exit("no\nlicense")


def touchstone_of(pid):
    """The process that runs this one: the parent of its supervisor."""
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def wait_until_read():
    """Until touchstone has read all that was said so far: of what it has not read it judges nothing."""
    unread = array.array("i", [1])
    while unread[0] > 0:
        time.sleep(0.001)
        fcntl.ioctl(sys.stdout.fileno(), termios.FIONREAD, unread)


# The leak checker of the child can meet a thread that is about to end, and says so on standard error, which is taken
# for the subject's last words. Leaks of `touchstone subject` are looked for where it is tested itself.
quiet = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
child = subprocess.Popen(
    [os.environ["TOUCHSTONE"], "subject"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=quiet)
asked = 0
seen = set()


def line_of(question):
    """A question without its number: the same text if it is asked again."""
    return json.dumps({key: value for key, value in question.items() if key != "seq"})


def perturb_placement(answer):
    """Changes a placement that has scores."""
    if fault == "image-score":
        for node, scores in answer["scores"].items():
            if "ImageLocality" in scores:
                scores["ImageLocality"] //= 2
            answer["totals"][node] = sum(scores.values())
        most = max(answer["totals"].values())
        answer["best"] = [node for node in answer["feasible"] if answer["totals"][node] == most]
        answer["node"] = answer["best"][0]
    if fault == "worst-host":
        answer["node"] = min(answer["totals"], key=answer["totals"].get)
    if fault == "scores-as-text":
        answer["scores"] = {node: {name: str(score) for name, score in scores.items()}
                            for node, scores in answer["scores"].items()}
    if fault == "scores-of-strangers":
        answer["scores"]["stranger"] = {}
    if fault == "scores-missing":
        del answer["scores"][answer["feasible"][0]]


for line in sys.stdin:
    question = json.loads(line)
    if question["cmd"] in ("run", "schedule"):
        question["release"] = release
    child.stdin.write(json.dumps(question) + "\n")
    child.stdin.flush()
    if question["cmd"] == "bye":
        break
    answer = json.loads(child.stdout.readline())
    if "scores" in answer:
        perturb_placement(answer)
    if question["cmd"] == "run":
        asked += 1
        if fault in ("last-victim", "needs-uid") and len(answer.get("victims", [])) > 1:
            for part in [answer, *answer["candidates"].values(), *answer["admissible"]]:
                part["victims"] = part["victims"][:-1]
        if fault == "first-node" and answer["outcome"] == "nominated" if "outcome" in answer else False:
            node = sorted(answer["candidates"])[0]
            answer.update(node=node, **answer["candidates"][node])
            del answer["admissible"]
        if fault == "needs-uid" and "uid" not in question["pod"]["metadata"]:
            sys.exit("the pod has\nno uid")
        if fault == "interrupts" and asked == int(sys.argv[3]):
            wait_until_read()
            os.kill(touchstone_of(os.getppid()), signal.SIGINT)
            time.sleep(60)
        if fault in ("message", "interrupts") and "message" in answer and len(sys.argv) < 5:
            answer["message"] += " "
        crowded = len(question.get("pods", [])) > 3
        if fault == "crash" and crowded:
            sys.exit(7)
        if fault == "hang" and len(question.get("pods", [])) > 20:
            time.sleep(60)
        if fault == "garbage" and crowded:
            print("Traceback: what a pity", flush=True)
            continue
        if fault == "flood" and crowded:
            while True:
                print("x" * 1000, flush=True)
        if fault == "talks" and crowded:
            answer_and_more = json.dumps(answer) + "\nand one more thing"
            print(answer_and_more, flush=True)
            continue
        if fault == "changes" and line_of(question) in seen:
            answer = {"seq": answer["seq"], "outcome": "none"}
        seen.add(line_of(question))
        if fault == "order" and crowded:
            answer["seq"] += 1
        if fault == "error" and crowded:
            answer = {"seq": answer["seq"], "error": {"code": "panic", "path": "", "message": "out of range"}}
        if fault == "hang-always":
            time.sleep(60)
        if fault == "slow":
            time.sleep(0.4)
        if fault == "interrupt" and asked == 100:
            os.kill(touchstone_of(os.getppid()), signal.SIGINT)
        if fault == "skip":
            answer = {"seq": answer["seq"], "skipped": "everything"}
        if fault == "types" and crowded:
            answer["candidates"] = ["n1", 7, None]
        if fault == "message-once" and "message" in answer and not os.path.exists(sys.argv[3]):
            open(sys.argv[3], "w").close()
            answer["message"] += " "
        if fault == "crash-once" and asked == 5 and not os.path.exists(sys.argv[3]):
            open(sys.argv[3], "w").close()
            sys.exit(7)
    if fault == "only-decides" and question["cmd"] == "hello":
        answer["features"].remove("schedule")
    if fault == "one-more-healthy":
        for budget in answer.get("state", {}).get("pdbs", {}).values():
            budget["currentHealthy"] += 1
    if fault == "no-rejectors" and "state" in answer:
        answer["state"]["rejectors"] = {pod: [] for pod in answer["state"]["rejectors"]}
    print(json.dumps(answer), flush=True)
