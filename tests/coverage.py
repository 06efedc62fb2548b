#!/usr/bin/env python3
"""Fails unless every line and every branch of the files in a coverage report was reached, and names those that were not.

    python3 tests/coverage.py build/debug/coverage/reference.info
"""
import sys

lines = branches = missed = files = 0
source = ""
for row in open(sys.argv[1], encoding="utf-8"):
    key, _, value = row.strip().partition(":")
    if key == "SF":
        source = value[value.rfind("reference/"):]
        files += 1
    elif key == "DA":
        number, count = value.split(",")[:2]
        lines += 1
        if count == "0":
            missed += 1
            print(f"{source}:{number}: line not reached")
    elif key == "BRDA":
        number, _, branch, count = value.split(",")
        branches += 1
        if count in ("0", "-"):
            missed += 1
            print(f"{source}:{number}: branch {branch} not taken")
print(f"coverage of reference/: {files} files, {lines} lines, {branches} branches, {missed} not reached")
sys.exit(1 if missed or not branches else 0)
