#!/usr/bin/python3
"""faults/mutants/mutate.py on a small source: each mutant compiles, is one change, and is off unless its number is on.

    tests/faults/mutants_test.py
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

constexpr int k_most = 3;

bool is_between(int low, int value, int high) {
  if (value < low) return false;
  return value < high && !(low == high);
}

int sign(int value) {
  switch (value) {
    case 0: return 0;
    case 1: return 1;
    default:
      if (value < 0) return -1;
      return 2;
  }
}

int last_small(const std::vector<int>& values) {
  assert(!values.empty());
  int found = -1;
  for (const int value : values) {
    if (value > k_most) continue;
    found = value;
  }
  return found == -1 ? values.front() : found;
}
"""

MAIN = """#include <iostream>
#include <vector>
bool is_between(int low, int value, int high);
int sign(int value);
int last_small(const std::vector<int>& values);
int main() {
  for (int value = 0; value < 5; ++value) std::cout << is_between(1, value, 3) << is_between(2, value, 2);
  std::cout << last_small({1, 3, 4}) << last_small({7, 9}) << last_small({1, 8, 2});
  for (int value = -1; value < 3; ++value) std::cout << sign(value);
}
"""

EXPECTED = "0010100000" + "3" + "7" + "2" + "-1012"


def check_others(place):
    """Mutants of the other kinds: as many as asked for, drawn by the seed."""
    tables = {}
    for seed, number in (("1", "1000"), ("1", "8"), ("1", "8"), ("2", "8")):
        (place / "small.cpp").write_text(SOURCE, encoding="utf-8")
        subprocess.run(["/usr/bin/python3", str(ROOT / "faults/mutants/mutate.py"), "--others", number, "--seed", seed, ".", "others.json", "small.cpp"],
                       cwd=place, check=True)
        table = json.loads((place / "others.json").read_text(encoding="utf-8"))["mutants"]
        assert [each["number"] for each in table] == sorted(each["number"] for each in table)
        tables.setdefault((seed, number), []).append([each["name"] for each in table])
        if number == "1000":
            assert {each["operator"] for each in table} == {"condition to true", "condition to false", "one more", "another parameter"}, table
    assert tables[("1", "8")][0] == tables[("1", "8")][1]
    assert 0 < len(tables[("1", "8")][0]) <= 8
    assert set(tables[("1", "8")][0]) != set(tables[("2", "8")][0])


def check_before(place):
    """An earlier table says what compiles, unless the source has changed."""
    def made(source, *more):
        (place / "small.cpp").write_text(source, encoding="utf-8")
        subprocess.run(["/usr/bin/python3", str(ROOT / "faults/mutants/mutate.py"), *more, ".", "table.json", "small.cpp"], cwd=place, check=True)
        return json.loads((place / "table.json").read_text(encoding="utf-8"))

    table = made(SOURCE)
    left_out = table["mutants"].pop()["name"]
    (place / "before.json").write_text(json.dumps(table), encoding="utf-8")
    assert made(SOURCE, "--before", "before.json") == table
    assert left_out in {each["name"] for each in made(SOURCE + "\n", "--before", "before.json")["mutants"]}


def check_wrong_input(place):
    """What is not a source is refused before anything is built. A last line that is cut loses no other result."""
    run = ROOT / "faults/mutants/run"
    for wrong in ("reference/nothing.cpp", "cli/main.cpp"):
        refused = subprocess.run(["/usr/bin/python3", str(run), "--only", wrong], capture_output=True, text=True, check=False)
        assert refused.returncode == 1 and refused.stderr.startswith(f"--only {wrong}: expected a source of engines"), refused
    loader = importlib.machinery.SourceFileLoader("run", str(run))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(module)
    module.MEASURED = place
    line = json.dumps({"name": "0123456789ab", "file": "a.cpp", "noticed": "vectors", "by": "x", "how": "answers"})
    (place / "cut.jsonl").write_text(line + "\n" + line[:20], encoding="utf-8")
    assert list(module.Results("cut").known) == ["0123456789ab"]
    assert (place / "cut.jsonl").read_text(encoding="utf-8") == line + "\n"
    alive = {**json.loads(line), "noticed": "", "by": "", "how": "", "line": 1, "function": "f", "operator": "o", "original": "x", "replacement": "y"}
    results = [{**json.loads(line), "name": "0123456789a0"}, {**json.loads(line), "name": "0123456789a1"}, {**alive, "name": "0123456789a2"}]
    (place / "two-of-three.jsonl").write_text("".join(json.dumps(each) + "\n" for each in results), encoding="utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert module.summary("two-of-three") == 1
    assert "2 of 3 mutants that are not equivalent are noticed (66.66 %)" in said.getvalue(), said.getvalue()  # never rounded up
    (place / "bad.jsonl").write_text("[]\n" + line + "\n", encoding="utf-8")
    try:
        module.Results("bad")
        raise AssertionError("a wrong line was accepted")
    except SystemExit as refusal:
        assert "bad.jsonl:1: expected a result" in str(refusal), refusal


def main():
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        (place / "faults/mutants").mkdir(parents=True)
        for name in ("switch.hpp", "switch.cpp"):
            shutil.copy(ROOT / "faults/mutants" / name, place / "faults/mutants")
        check_others(place)
        check_before(place)
        check_wrong_input(place)
        (place / "small.cpp").write_text(SOURCE, encoding="utf-8")
        (place / "main.cpp").write_text(MAIN, encoding="utf-8")
        subprocess.run(["/usr/bin/python3", str(ROOT / "faults/mutants/mutate.py"), ".", "table.json", "small.cpp"], cwd=place, check=True)
        subprocess.run(["clang++-19", "-std=c++20", "-w", "-I.", "small.cpp", "main.cpp", "faults/mutants/switch.cpp", "-o", "small"],
                       cwd=place, check=True)

        def printed(mutant):
            environment = dict(os.environ, TOUCHSTONE_MUTANT=str(mutant))
            return subprocess.run(["./small"], cwd=place, env=environment, capture_output=True, text=True, timeout=60, check=False).stdout

        mutants = json.loads((place / "table.json").read_text(encoding="utf-8"))["mutants"]
        assert printed(0) == EXPECTED, printed(0)
        changed = {each["name"] for each in mutants if printed(each["number"]) != EXPECTED}
        names = {each["name"] for each in mutants}
        assert len(names) == len(mutants) > 25, mutants
        kinds = {each["operator"] for each in mutants}
        for kind in ("< to <=", "== to !=", "&& to ||", "dropped operand", "dropped !", "negated condition", "deleted return",
                     "deleted statement", "deleted continue", "continue to break", "another constant", "front to back",
                     "swapped branches"):
            assert kind in kinds, f"no mutant of kind {kind!r}: {kinds}"
        returns = [each["original"] for each in mutants if each["operator"] == "deleted return"]
        assert returns == ["return false;", "return 0;", "return 1;", "return -1;"], returns  # none without which there is no result
        # Of these the expressions say by themselves that something else is printed, or that nothing is.
        for each in mutants:
            where = f"{each['line']}: {each['operator']}: {each['original']} -> {each['replacement']}"
            assert "assert" not in each["original"], where
            if each["operator"] in ("front to back", "continue to break", "swapped branches", "deleted continue", "dropped !"):
                assert each["name"] in changed, where
        print(f"{len(mutants)} mutants, {len(changed)} of them print something else")


if __name__ == "__main__":
    sys.exit(main())
