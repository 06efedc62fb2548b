"""Tests of the pytest plug-in in conformance/python, each in a pytest of its own.

    TOUCHSTONE=build/debug/touchstone python3 -m pytest tests/conformance/plugin_test.py
"""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent.parent / "conformance" / "python"
CASE = "clauses/PRE-VICTIM-6"
HEAD = """
import time
from pytest_touchstone import Unsupported, conformance
"""


def run(place, *options):
    """Runs pytest in a directory. Returns what it prints, and its exit code."""
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE))
    ended = subprocess.run([sys.executable, "-m", "pytest", "-p", "pytest_touchstone.plugin", "-p", "no:cacheprovider", "-rs",
                            *options], cwd=place, env=environment, capture_output=True, text=True)
    return ended.stdout + ended.stderr, ended.returncode


def judged(place, decorator, body, *options):
    """Judges a scheduler with this body on one case."""
    (place / "test_subject.py").write_text(f"{HEAD}\n{decorator}\ndef subject(question):\n    {body}\n", encoding="utf-8")
    return run(place, *(options or ("-k", CASE)))


EXAMPLES = PACKAGE.parent.parent / "spec" / "vectors" / "examples"  # to read all vectors takes seconds
CORE = f'@conformance("v1.34", levels=["core"], timeout=1, vectors="{EXAMPLES}")'


def test_the_example_conforms():
    text, code = run(PACKAGE / "example", "-q")
    assert code == 0, text
    assert int(re.search(r"(\d+) passed", text)[1]) > 1000, text
    assert "the scheduler does not claim requests" in text


def test_a_failure_shows_the_clause_both_answers_and_the_smallest_cluster(tmp_path):
    text, code = judged(tmp_path, CORE, 'return {"outcome": "none"}')
    assert code == 1
    for wanted in ("PRE-VICTIM-3, the preemptor must fit", 'answered:   {"outcome": "none"}', '"outcome": "nominated"',
                   "The smallest cluster that shows this:", "# pod: default/p", "kind: Node", "1 failed"):
        assert wanted in text, text
    assert "Traceback" not in text


@pytest.mark.parametrize("body, wanted", [
    ('raise IndexError("out of range")', ["crashed", "IndexError: out of range", "kind: Node"]),
    ("time.sleep(3)", ["hung: "]),
    ("return {}", ["malformed: "]),
    ('raise Unsupported("priorities")', ["unsupported: priorities"]),
])
def test_a_scheduler_that_does_not_answer_fails(tmp_path, body, wanted):
    text, code = judged(tmp_path, CORE, body)
    assert code == 1
    for each in wanted:
        assert each in text, text


def test_a_level_that_is_not_claimed_fails(tmp_path):
    text, code = judged(tmp_path, f'@conformance("v1.34", levels=["pdb"], vectors="{EXAMPLES}")', 'return {"outcome": "none"}', "-k", "run")
    assert code == 1
    assert "level pdb: the scheduler does not claim the features of any case" in text, text


def test_a_known_failure_is_skipped_with_its_reason(tmp_path):
    (tmp_path / "known.yaml").write_text(f"- case: {CASE}\n  reason: evicts nothing yet\n", encoding="utf-8")
    text, code = judged(tmp_path, CORE.replace(")", ', known="known.yaml")'), 'return {"outcome": "none"}')
    assert code == 0
    assert "1 skipped" in text and "known failure: evicts nothing yet" in text, text


@pytest.mark.parametrize("decorator, wanted", [
    ('@conformance("v1.34", levels=["nonsense"])', 'no level "nonsense"'),
    ('@conformance("v1.34", binary="/nowhere")', "/nowhere"),
])
def test_an_error_of_the_binary_fails(tmp_path, decorator, wanted):
    text, code = judged(tmp_path, decorator, "return {}")
    assert code != 0
    assert wanted in text, text
