"""Asks a scheduler of one release the questions of another.

    python3 upstream/as_release.py ASKED OWN COMMAND...

Starts COMMAND, which answers for release OWN, and answers for release ASKED in its place: each question about ASKED is
passed on as one about OWN.
"""
import json
import subprocess
import sys


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
            if question.get("cmd") == "hello":
                hello = json.loads(answer)
                hello["releases"] = [asked]
                answer = json.dumps(hello) + "\n"
            sys.stdout.write(answer)
            sys.stdout.flush()
        scheduler.stdin.close()
    return scheduler.returncode


if __name__ == "__main__":
    sys.exit(main())
