#!/usr/bin/env python3
"""Gathers, clause by clause, what implements and shows it, and writes it as C++ data.

    python3 spec/rules/rules.py ROOT OUTPUT.cpp DEPFILE

Read are the clauses of spec/clauses, the functions of reference/ and spec/vocabulary/*properties.cpp that cite a clause (in
their body, in the comment above them, or in the contract of their header; reading of input in kubernetes/ counts by its
contracts), the unit tests and RapidCheck laws that are marked with one (a comment directly above that begins with the
clauses: `// PRE-PDB-3, PRE-PDB-4: what it shows`; ids begin with PRE, CYC, SCORE, EXT, POL, QUE, EVT, NOM, BUD or LEA),
the `clauses` of the vectors and of the timelines, the divergences of spec/divergences.md that cite one, the theorems of proofs/theorems that name one, the seeded faults of faults that break one,
and the reasons of proofs/unproved.toml.
"""
import json
import re
import sys
import tomllib
from pathlib import Path

CLAUSE = re.compile(r"(?:PRE|CYC|SCORE|EXT|POL|QUE|EVT|NOM|BUD|LEA)-[A-Z]+-\d+")
FUNCTION = re.compile(r"^(?:[A-Za-z_].*[ &*>])?(?:\w+::)*(\w+)\(.*(?<!;)$")
TEST = re.compile(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)")
THEOREM = re.compile(r'\.name = "([a-z0-9.-]+)",\s*\.clauses = \{((?:"(?:PRE|CYC|SCORE|EXT|POL|QUE|EVT|NOM|BUD|LEA)-[A-Z]+-\d+",?\s*)+)\}')
# The pages of spec/clauses, in the order of a decision.
PAGES = ("input", "attempt", "filters", "volumes", "topology", "cycle", "scores", "extenders", "policy", "preemption", "message", "any-order",
         "queue", "events", "nominations", "budgets", "election")
MARK = re.compile(rf"// {CLAUSE.pattern}(?:,? (?:and )?{CLAUSE.pattern})*")
LAW = re.compile(r"^RC_GTEST_PROP\((\w+),\s*(\w+)")


def clauses(text):
    """(id, title, body) of each clause."""
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        body = re.split(r"^#", body, flags=re.M)[0].strip()
        match = re.match(rf"({CLAUSE.pattern}) — (.*)", heading)
        assert match, f"spec/clauses: heading {heading!r} is not 'PRE-X-1 — title' or the like"
        yield match[1], match[2], body


def divergent(text):
    """(clause, title) of each divergence and each clause that it follows from."""
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        for clause in dict.fromkeys(CLAUSE.findall(re.split(r"^## ", body, flags=re.M)[0])):
            yield clause, title


def citations(path, opening):
    """clause → names of the functions of a file that cite it."""
    found = {}
    current, comment = None, []
    for line in path.read_text(encoding="utf-8").splitlines():
        match = opening.match(line)
        if line.startswith("//"):
            comment += CLAUSE.findall(line)
            continue
        if match and not line.startswith((" ", "}", "#", "using", "namespace", "return")):
            current = match[1]
            for clause in comment:
                found.setdefault(clause, []).append(current)
        if line.startswith("}"):
            current = None
        if line.strip():
            comment = []
        if current:
            for clause in CLAUSE.findall(line):
                found.setdefault(clause, []).append(current)
    return found


def marks(path, opening):
    """clause → names of the tests of a file whose comment, directly above, begins with the clause."""
    found = {}
    marked = []
    for line in path.read_text(encoding="utf-8").splitlines():
        mark = MARK.match(line)
        if mark:
            marked = CLAUSE.findall(mark[0])
        match = opening.match(line)
        for clause in marked if match else []:
            found.setdefault(clause, []).append(f"{match[1]}.{match[2]}")
        if not line.startswith("//"):
            marked = []
    return found


def contracts(path):
    """clause → functions of a header whose contract comment (above, or behind on its line) names it."""
    found = {}
    comment = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        stripped = line.strip()
        if stripped.startswith("///"):
            comment += " " + stripped.lstrip("/ ")
            continue
        declared = re.match(r"(?:[\w:<>,*& ]+[ &*>])?(\w+)\(", stripped)
        if declared:
            for clause in clauses_named(comment + " " + stripped.partition("///<")[2]):
                found.setdefault(clause, []).append(declared[1])
        if stripped:
            comment = ""
    return found


def clauses_named(text):
    """The clauses of a text, "PRE-X-1 to PRE-X-3" meaning all three."""
    named = CLAUSE.findall(text)
    for group, first, last in re.findall(r"((?:PRE|CYC|SCORE|EXT|POL|QUE|EVT|NOM|BUD|LEA)-[A-Z]+)-(\d+) to \1-(\d+)", text):
        named += [f"{group}-{number}" for number in range(int(first), int(last) + 1)]
    return named


def merged(found_in_files):
    total = {}
    for found in found_in_files:
        for clause, names in found.items():
            total.setdefault(clause, []).extend(names)
    return {clause: list(dict.fromkeys(names)) for clause, names in total.items()}


def literal(text):
    return json.dumps(text, ensure_ascii=False)


class Lists:
    """The lists of the generated file, one behind the other in one array: compilers are slow with an array for each list."""

    def __init__(self):
        self.names = []

    def listed(self, names):
        begin = len(self.names)
        self.names += names
        return f"listed({begin}, {len(names)})"

    def text(self):
        return ("constexpr std::string_view k_names[] = {\n" + "".join(f"    {literal(name)},\n" for name in self.names) + "};\n\n"
                "constexpr RuleNames listed(std::size_t begin, std::size_t size) { return RuleNames(k_names).subspan(begin, size); }\n\n")


def main(root, output, depfile):
    pages = [root / f"spec/clauses/{page}.md" for page in PAGES]
    reference = sorted((root / "reference").rglob("*.cpp"))
    properties = [root / f"spec/vocabulary/{name}.cpp" for name in ("placement_properties", "properties")]
    tests = sorted((root / "tests").rglob("*.cpp"))
    theorem_files = sorted((root / "proofs/theorems").glob("*.cpp"))
    vector_files = sorted((root / "spec/vectors").rglob("*.json"))
    timeline_files = sorted((root / "spec/vectors").rglob("*.jsonl"))
    fault_tables = sorted((root / "faults").glob("*.toml"))
    unproved = root / "proofs/unproved.toml"
    divergences_page = root / "spec/divergences.md"

    functions = merged(citations(path, FUNCTION) for path in reference)
    headers = sorted((root / "reference").rglob("*.hpp")) + sorted((root / "kubernetes").rglob("*.hpp"))
    for header in headers:
        for clause, names in contracts(header).items():
            known = functions.setdefault(clause, [])
            known += [name for name in names if name not in known]
    laws = merged(citations(path, FUNCTION) for path in properties)
    for clause, names in merged(marks(path, LAW) for path in tests).items():
        laws.setdefault(clause, []).extend(names)
    shown = merged(marks(path, TEST) for path in tests)
    theorems = {}
    for path in theorem_files:
        text = path.read_text(encoding="utf-8")
        found = THEOREM.findall(text)
        assert len(found) == len(re.findall(r"\{\.name = ", text)), f"{path}: a theorem is not read"
        for name, named in found:
            for clause in CLAUSE.findall(named):
                theorems.setdefault(clause, []).append(name)
    divergences = {}
    for clause, title in divergent(divergences_page.read_text(encoding="utf-8")):
        divergences.setdefault(clause, []).append(title)
    faults = {}
    for path in fault_tables:
        for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            if not fault["id"].endswith(("canary", "identity")):
                faults.setdefault(fault["clause"], []).append(fault["id"])
    reasons = tomllib.loads(unproved.read_text(encoding="utf-8"))["unproved"]
    reason_of = {clause: reason["name"] for reason in reasons for clause in reason["clauses"]}
    vectors = {}
    for path in vector_files:
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            for clause in case["clauses"]:
                vectors.setdefault(clause, []).append(case["name"])
    for path in timeline_files:
        for line in path.read_text(encoding="utf-8").splitlines():
            timeline = json.loads(line)
            for clause in timeline["clauses"]:
                vectors.setdefault(clause, []).append(timeline["name"])

    lists = Lists()
    listed = lists.listed
    rows = []
    for clause, title, body in clauses("\n".join(page.read_text(encoding="utf-8") for page in pages)):
        releases = re.search(r"^Releases: (.*)", body, flags=re.M)
        assert releases, f"spec/clauses: {clause} has no line 'Releases:'"
        names = vectors.get(clause, [])
        rows.append(f"      {{{literal(clause)}, {literal(title)}, {literal(releases[1])},\n       {literal(body)},\n"
                    f"       {listed(functions.get(clause, []))}, {len(names)}, {listed(names[:3])},\n"
                    f"       {listed(laws.get(clause, []))}, {listed(theorems.get(clause, []))}, {listed(shown.get(clause, []))}, {listed(divergences.get(clause, []))},\n"
                    f"       {listed(faults.get(clause, []))}, {literal(reason_of.get(clause, ''))}}},\n")
    reasons_text = "".join(f"      {{{literal(reason['name'])}, {literal(reason['reason'])},\n"
                           f"       {listed(reason['clauses'])}, {listed(reason['faults'])}}},\n" for reason in reasons)
    output.write_text('#include "spec/rules/rules.hpp"\n\nnamespace touchstone {\n\nnamespace {\n\n' + lists.text()
                      + "constexpr Rule k_rules[] = {\n" + "".join(rows) + "};\n\n"
                      "constexpr Unproved k_unproved[] = {\n" + reasons_text + "};\n\n}  // namespace\n\n"
                      "std::span<const Rule> rules() { return k_rules; }\n\n"
                      "std::span<const Unproved> unproved() { return k_unproved; }\n\n}  // namespace touchstone\n",
                      encoding="utf-8")
    sources = [unproved, divergences_page, *pages, *headers, *reference, *properties, *theorem_files, *tests, *vector_files, *timeline_files, *fault_tables]
    escaped = [str(source).replace(" ", "\\ ") for source in sources]
    depfile.write_text(f"{output.name}: {' '.join(escaped)}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
