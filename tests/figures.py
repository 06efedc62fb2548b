#!/usr/bin/env python3
"""Holds what README.md shows against what the commands print.

    python3 tests/figures.py build/debug/touchstone [--update] [--profile FILE]

Every block of README.md that begins with "$ build/release/touchstone" is run with the binary named, and has to be what
that prints; times are not compared. --update writes what was printed into README.md instead. --profile: where the run
of all vectors leaves what it covers.
"""
import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

README = Path("README.md")
BLOCK = re.compile(r"^```\n\$ build/release/touchstone ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def without_times(text):
    return re.sub(r"in \d+ s \(\d+ cases/s\)", "in N s (N cases/s)", text).strip().splitlines()


def printed(binary, arguments, profile):
    environment = dict(os.environ)
    if profile and arguments.startswith("vectors"):
        environment["LLVM_PROFILE_FILE"] = profile
    run = subprocess.run(f"{shlex.quote(binary)} {arguments}", shell=True, capture_output=True, text=True, env=environment)
    return run.stdout + run.stderr


def main(binary, update, profile):
    text = README.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    if len(blocks) < 5:
        return f"expected at least 5 commands with what they print, found {len(blocks)}"
    wrong = 0
    for block in reversed(blocks):
        arguments, shown = block.groups()
        found = printed(binary, arguments, profile)
        if update:
            text = text[:block.start(2)] + found.strip() + "\n" + text[block.end(2):]
        elif without_times(shown) != without_times(found):
            wrong += 1
            print(f"README.md does not show what touchstone {arguments} prints:")
            print("\n".join(difflib.unified_diff(without_times(shown), without_times(found), "README.md", "printed",
                                                 lineterm="")))
    if update:
        README.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--profile")
    options = parser.parse_args()
    sys.exit(main(options.binary, options.update, options.profile))
