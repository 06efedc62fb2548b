#!/usr/bin/env python3
"""Validates the golden reports of touchstone conform, and the reports in a directory, against their formats.

    python3 tests/conformance/formats.py [DIR]

report.json has spec/schema/conformance.schema.json, report.sarif the part of SARIF 2.1.0 in sarif.schema.json, junit.xml
the elements and attributes that readers of JUnit know, badge-*.json the members of an endpoint of shields.io, and
github.txt the workflow commands of GitHub Actions.
"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "spec" / "schema"

# Element: its attributes (with ! if it must be there), and the elements that it may contain.
JUNIT = {
    "testsuites": ({"name", "tests!", "failures!", "errors!", "time"}, {"testsuite"}),
    "testsuite": ({"name!", "tests!", "failures!", "errors!", "skipped", "time", "timestamp", "hostname", "id", "package"},
                  {"properties", "testcase", "system-out", "system-err"}),
    "properties": (set(), {"property"}),
    "property": ({"name!", "value!"}, set()),
    "testcase": ({"name!", "classname!", "time"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": ({"type!", "message"}, set()),
    "error": ({"type!", "message"}, set()),
    "skipped": ({"message"}, set()),
}
COLORS = {"brightgreen", "green", "yellow", "orange", "red", "lightgrey", "blue"}
ANNOTATION = re.compile(r"::(error|warning|notice)( title=[^:,\r\n]*)?::[^\r\n]+\Z")


def check(is_right, what):
    if not is_right:
        raise ValueError(what)


def validate_schema(value, schema):
    with open(schema, encoding="utf-8") as file:
        jsonschema.Draft202012Validator(json.load(file)).validate(value)


def validate_report(text):
    report = json.loads(text)
    validate_schema(report, SCHEMAS / "conformance.schema.json")
    for level in report["levels"]:
        judged = sum(level["verdicts"].values())
        check(judged == len(level["results"]), f"{level['level']}: the verdicts are not those of the results")
        check(report["interrupted"] or judged + level["notClaimed"] == level["cases"], f"{level['level']}: cases are missing")
    failing = sum(count for level in report["levels"] for verdict, count in level["verdicts"].items()
                  if not verdict.startswith("conforms"))
    check(failing == len(report["failures"]), "each case that does not conform needs an entry in failures")


def validate_sarif(text):
    log = json.loads(text)
    validate_schema(log, HERE / "sarif.schema.json")
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        check(rules[result["ruleIndex"]] == result["ruleId"], f"{result['ruleId']} is not rule {result['ruleIndex']}")


def validate_element(element):
    check(element.tag in JUNIT, f"JUnit has no element {element.tag}")
    attributes, children = JUNIT[element.tag]
    names = {name.rstrip("!") for name in attributes}
    check(set(element.attrib) <= names, f"{element.tag}: unknown attributes {set(element.attrib) - names}")
    needed = {name[:-1] for name in attributes if name.endswith("!")}
    check(needed <= set(element.attrib), f"{element.tag}: missing attributes {needed - set(element.attrib)}")
    for child in element:
        check(child.tag in children, f"{element.tag} may not contain {child.tag}")
        validate_element(child)


def validate_junit(text):
    root = ElementTree.fromstring(text.encode("utf-8"))
    check(root.tag == "testsuites", "the root is testsuites")
    validate_element(root)
    for suite in root:
        for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            found = sum(1 for case in suite.iter("testcase") if case.find(kind) is not None)
            check(int(suite.get(attribute)) == found, f"{suite.get('name')}: {attribute} is not {found}")
        check(int(suite.get("tests")) == len(suite.findall("testcase")), f"{suite.get('name')}: tests is wrong")
    for attribute in ("tests", "failures", "errors"):
        total = sum(int(suite.get(attribute)) for suite in root)
        check(int(root.get(attribute)) == total, f"testsuites: {attribute} is not {total}")


def validate_badge(text):
    badge = json.loads(text)
    check(set(badge) == {"schemaVersion", "label", "message", "color"}, f"members {set(badge)}")
    check(badge["schemaVersion"] == 1 and badge["color"] in COLORS, "schemaVersion or color")
    check(bool(badge["label"]) and bool(badge["message"]), "label and message are not empty")


def validate_github(text):
    for line in text.splitlines():
        check(ANNOTATION.match(line), f"no annotation: {line}")


VALIDATORS = [("report.json", validate_report), ("*.sarif", validate_sarif), ("junit.xml", validate_junit),
              ("badge-*.json", validate_badge), ("badges/*.json", validate_badge), ("github.txt", validate_github)]


def main():
    wrong = 0
    for directory in [HERE / "golden", *map(Path, sys.argv[1:])]:
        files = 0
        for pattern, validate in VALIDATORS:
            for file in sorted(directory.glob(pattern)):
                files += 1
                try:
                    validate(file.read_text(encoding="utf-8"))
                except (ValueError, KeyError, IndexError, ElementTree.ParseError, jsonschema.ValidationError) as error:
                    wrong += 1
                    print(f"{file}: {error}")
        if files == 0:
            wrong += 1
            print(f"{directory}: no report")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
