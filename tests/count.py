#!/usr/bin/env python3
"""Counts the tests of a Meson run, each case of a GoogleTest binary by itself: prints "PASSED FAILED".

    python3 tests/count.py build/debug/meson-logs/testlog.junit.xml

A binary that died before its end counts as one failure more; so does a run without tests, and a skipped one.
"""
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for suite in ElementTree.parse(sys.argv[1]).getroot():
    cases = list(suite.iter("testcase"))
    bad = sum(any(case.find(word) is not None for word in ("failure", "error", "skipped")) for case in cases)
    declared = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    passed += len(cases) - bad
    failed += max(bad, declared)
print(passed, failed or int(passed == 0))
