#!/usr/bin/env python3
"""Counts the tests of a Meson run, each case of a GoogleTest binary by itself: prints "PASSED FAILED".

    python3 tests/count.py build/debug

Meson's own log says which programs ran and how they ended, results/NAME.xml which cases a GoogleTest binary had. A
program that failed or died without a failed case to show counts as one failure; so do a skipped case and no test at all.
"""
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

build = Path(sys.argv[1])
passed = failed = 0
for row in (build / "meson-logs/testlog.json").read_text(encoding="utf-8").splitlines():
    test = json.loads(row)
    name = test["name"].split(" / ")[-1]
    report = build / "results" / f"{name}.xml"
    ok = test["result"] == "OK"
    if not report.exists():
        passed += ok
        failed += not ok
        continue
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    bad = sum(case.find("failure") is not None or case.get("result") != "completed" for case in cases)
    passed += len(cases) - bad
    failed += max(bad, int(not ok or not cases))
print(passed, failed or int(passed == 0))
