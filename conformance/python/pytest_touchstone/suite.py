"""Runs the touchstone binary, and answers its questions inside this process.

The binary starts each subject as a child of its own. That child is relay.py: it only copies lines between the binary and
a socket of this process. So the scheduler runs here, with its breakpoints, fixtures and coverage, and a scheduler that
hangs or raises is judged like any other: the binary kills the relay, or sees that it ends, and starts another one.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path

RELAY = Path(__file__).with_name("relay.py")


class ConformanceError(Exception):
    """The suite was not judged, or a case does not conform."""


class Unsupported(Exception):
    """Raised by a scheduler that does not support what a question needs."""


class Suite:
    """The cases of a scheduler, and their verdicts."""

    def __init__(self, scheduler, release, *, levels=(), features=("core",), known=None, version="", timeout=10,
                 vectors=None, binary=None):
        self.scheduler, self.release, self.levels, self.features = scheduler, release, list(levels), list(features)
        self.known, self.version, self.timeout = known, version, timeout
        self.vectors, self.binary = vectors, binary

    def command(self, *options):
        binary = self.binary or os.environ.get("TOUCHSTONE") or shutil.which("touchstone")
        if binary is None:
            raise ConformanceError("no touchstone binary: set TOUCHSTONE, or add its directory to PATH")
        levels = ["--levels", ",".join(self.levels)] if self.levels else []
        vectors = ["--vectors", str(self.vectors)] if self.vectors else []
        return [str(binary), "conform", "--release", self.release, "--output", "json", *levels, *vectors, *options]

    def cases(self):
        """The cases as (level, case, missing features). Runs no scheduler."""
        listed = run(self.command("--list", "--cases"))
        for level, suite in listed["levels"].items():
            for case, needs in suite["needs"].items():
                yield level, case, [feature for feature in needs if feature not in self.features]

    def report(self, only=None):
        """Judges the scheduler. `only`: the name of the only case to judge."""
        options = ["--shrink", "--timeout", str(self.timeout)]
        options += ["--known", str(self.known)] if self.known else []
        options += ["--case", only] if only else []
        with tempfile.TemporaryDirectory(prefix="touchstone-") as place, socket.socket(socket.AF_UNIX) as listener:
            address = os.path.join(place, "socket")
            listener.bind(address)
            listener.listen()
            threading.Thread(target=self.accept, args=(listener,), daemon=True).start()
            try:
                return run([*self.command(*options), "--", sys.executable, str(RELAY), address])
            finally:
                listener.shutdown(socket.SHUT_RDWR)

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # the binary has ended
                return
            # A thread for each relay: a question that hangs does not keep the next one from its answer.
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile(encoding="utf-8") as lines:
            try:
                for line in lines:
                    question = json.loads(line)
                    if question["cmd"] == "bye":
                        return
                    reply = self.reply(question)
                    connection.sendall(reply.encode())
                    if reply.startswith("!"):
                        return
            except OSError:  # the binary has killed the relay
                return

    def reply(self, question):
        if question["cmd"] == "hello":
            name = f"{self.scheduler.__module__}.{self.scheduler.__qualname__}"
            return json.dumps({"name": name, "version": self.version, "protocol": 1, "releases": [],
                               "features": self.features}) + "\n"
        seq = question["seq"]
        try:
            return json.dumps({"seq": seq, **self.scheduler(question)}) + "\n"
        except Unsupported as reason:
            return json.dumps({"seq": seq, "skipped": str(reason) or "unsupported"}) + "\n"
        except BaseException:  # the relay writes this to standard error, and ends as a crashed process does
            return "".join(f"!{line}\n" for line in traceback.format_exc().splitlines())


def run(command):
    """The JSON that a command of the binary prints. Ignores the exit code, which is not 0 if a scheduler does not conform."""
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        raise ConformanceError(f"{command[0]}: {error.strerror}") from None
    try:
        report = json.loads(ended.stdout)
    except ValueError:
        raise ConformanceError(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stderr}") from None
    if report.get("interrupted"):
        raise ConformanceError("touchstone conform was interrupted")
    return report


def text_of(failure, smallest):
    """The text of a failure: the verdict, both answers, and the smallest cluster that shows it."""
    shown = smallest or failure
    admissible = shown["ours"].get("admissible") or shown["ours"].get("best") or []
    lines = [failure["sentence"]]
    if smallest and smallest["sentence"] != failure["sentence"]:
        lines += ["", "The smallest cluster that shows this:", smallest["sentence"]]
    lines += ["", *(["answered:   " + json.dumps(without(shown["given"], "seq"))] if shown["given"] else []),
              "expected:   " + json.dumps(without(shown["ours"], "candidates", "admissible", "filter", "dryRun", "trace"))]
    if len(admissible) > 1:
        lines += [f"admissible: {json.dumps(each)}" for each in admissible]
    if failure.get("standardError"):
        lines += ["", failure["standardError"].rstrip()]
    return "\n".join([*lines, "", shown["cluster"].rstrip()])


def without(answer, *keys):
    return {key: value for key, value in answer.items() if key not in keys}
