#!/usr/bin/env python3
"""Compares what README.md and docs/ show with what the commands print.

    python3 tests/figures.py build/debug/touchstone [--update] [--profile FILE]

Every block that begins with "$ build/release/touchstone" is run with the binary named, and has to be what that prints; times
are not compared. --update writes what was printed into the pages instead. In a table, a row of a figure and a command in
backticks says that the command prints the figure. --profile: where the run of all vectors leaves what it covers.
"""
import argparse
import difflib
import functools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```\n\$ build/release/touchstone ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\|[^|]*\| `([^`]+)` \| `touchstone ([^`]+)` \|$", re.MULTILINE)


def without_times(text):
    return re.sub(r"in \d+ s \(\d+ cases/s\)", "in N s (N cases/s)", text).strip().splitlines()


@functools.cache
def printed(binary, arguments, profile):
    environment = dict(os.environ)
    if profile and arguments.startswith("vectors"):
        environment["LLVM_PROFILE_FILE"] = profile
    run = subprocess.run(f"{shlex.quote(binary)} {arguments}", shell=True, capture_output=True, text=True, env=environment)
    return run.stdout + run.stderr


def check_page(page, run, update):
    """Returns the number of blocks, the number of rows, and how many of either are wrong."""
    text = page.read_text(encoding="utf-8")
    wrong = 0
    blocks = list(BLOCK.finditer(text))
    for block in reversed(blocks):
        arguments, shown = block.groups()
        found = run(arguments)
        if update:
            text = text[:block.start(2)] + found.strip() + "\n" + text[block.end(2):]
        elif without_times(shown) != without_times(found):
            wrong += 1
            print(f"{page} does not show what touchstone {arguments} prints:")
            print("\n".join(difflib.unified_diff(without_times(shown), without_times(found), str(page), "printed",
                                                 lineterm="")))
    if update:
        page.write_text(text, encoding="utf-8")
    rows = ROW.findall(text)
    for figure, arguments in rows:
        if figure not in run(arguments):
            wrong += 1
            print(f"{page}: touchstone {arguments} does not print \"{figure}\"")
    return len(blocks), len(rows), wrong


def main(binary, update, profile):
    pages = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
    blocks, rows, wrong = (sum(column) for column in zip(
        *(check_page(page, lambda arguments: printed(binary, arguments, profile), update) for page in pages)))
    if blocks < 5 or rows < 5:
        return f"expected at least 5 commands with what they print and 5 rows with a figure, found {blocks} and {rows}"
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--profile")
    options = parser.parse_args()
    sys.exit(main(options.binary, options.update, options.profile))
