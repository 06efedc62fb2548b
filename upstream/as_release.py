"""Asks a scheduler of one release the questions of another.

    python3 upstream/as_release.py ASKED OWN COMMAND...

Starts COMMAND, which answers for release OWN, and answers for release ASKED in its place: each question about ASKED is
passed on as one about OWN.
"""
import json
import subprocess
import sys


def passed_on(question, answer, asked):
    """The answer as one of release `asked`."""
    if question.get("cmd") == "hello":
        answer["releases"] = [asked]
    # A pod without a nomination neither keeps nor loses one. Some schedulers say nothing of it, others say either.
    is_question = question.get("cmd") in ("run", "schedule")
    nominated = is_question and question.get("pod", {}).get("status", {}).get("nominatedNodeName")
    if is_question and not nominated and answer.get("nomination") in ("kept", "cleared"):
        del answer["nomination"]
    return answer


def main():
    asked, own, *command = sys.argv[1:]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as scheduler:
        for line in sys.stdin:
            question = json.loads(line)
            if question.get("release") == asked:
                question["release"] = own
            scheduler.stdin.write(json.dumps(question) + "\n")
            scheduler.stdin.flush()
            if question.get("cmd") == "bye":
                break
            answer = scheduler.stdout.readline()
            if not answer:
                break
            sys.stdout.write(json.dumps(passed_on(question, json.loads(answer), asked)) + "\n")
            sys.stdout.flush()
        scheduler.stdin.close()
    return scheduler.returncode


if __name__ == "__main__":
    sys.exit(main())
