#!/usr/bin/env python3
"""Writes a copy of the reference, flat, in which faults can be switched on, and the table of these faults as C++.

    python3 faults/faulty/generate.py OUTPUT_DIR TABLES -- SOURCES

TABLES are *.toml files of `[[fault]]` with

    id        its name, in words joined by "-"
    title     what goes wrong, one sentence
    clause    the clause that it breaks
    source    the issue that documents it (kubernetes#128307), or "slip": plausible, and not known to have happened
    release   the release that shows it
    in        the file, as a path below reference/
    right     an expression, as it stands in that file exactly once
    within    where `right` stands several times: a text around it that stands there once
    wrong     the expression that takes its place
    campaign  optional: why a campaign does not find it in a second
    configuration  optional: true if the default configuration does not show it; campaigns then generate one

Several faults may share an expression, and one may stand inside another.
"""
import json
import re
import sys
import tomllib
from pathlib import Path

REQUIRED = {"id", "title", "clause", "source", "release", "in", "right", "wrong"}
OPTIONAL = {"within", "campaign", "configuration"}


def fail(fault, message):
    sys.exit(f"faults: fault {fault.get('id', fault)!r}: {message}")


COMMENT = re.compile(r"//[^\n]*")


def pattern_of(text):
    """Matches code whatever its blanks, line breaks and comments are: to format or comment the reference harms no fault."""
    tokens = re.findall(r"\w+|[^\w\s]", COMMENT.sub("", text))
    pattern = re.escape(tokens[0])
    for before, after in zip(tokens, tokens[1:]):
        both_words = re.fullmatch(r"\w+", before) and re.fullmatch(r"\w+", after)
        pattern += (r"\s+" if both_words else r"\s*") + re.escape(after)
    return re.compile(pattern)


def once(fault, key, needle, text, where):
    """Begin and end of the needle in a text that has it in one place."""
    code = COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    found = list(pattern_of(needle).finditer(code))
    if len(found) != 1:
        hint = "; give it a `within`" if len(found) > 1 and key == "right" else ""
        fail(fault, f"`{key}` stands {len(found)} times in {where}, not once{hint}: {needle.strip()}")
    return found[0].span()


def read_faults(tables):
    faults = [fault for table in tables for fault in tomllib.loads(table.read_text(encoding="utf-8"))["fault"]]
    for number, fault in enumerate(faults, 1):
        if REQUIRED - fault.keys() or fault.keys() - REQUIRED - OPTIONAL:
            fail(fault, f"has {sorted(fault)}, expected {sorted(REQUIRED)} and perhaps {sorted(OPTIONAL)}")
        if any(other["id"] == fault["id"] for other in faults[:number - 1]):
            fail(fault, "is there twice")
        fault["number"] = number
    return faults


def place(fault, text):
    """Begin and end of the expression in the text of its file."""
    file = "reference/" + fault["in"]
    if "within" not in fault:
        return once(fault, "right", fault["right"], text, file)
    around, end = once(fault, "within", fault["within"], text, file)
    begin, end = once(fault, "right", fault["right"], text[around:end], "`within`")
    return around + begin, around + end


def rewritten(text, begin, end, places):
    """The text between begin and end, with each of the places in it made faulty: the widest first."""
    result = ""
    rest = sorted(places, key=lambda item: (item[0], -item[1], item[2]["number"]))
    while rest:
        first, last, fault = rest[0]
        inside = [item for item in rest[1:] if item[0] < last]
        for item in inside:
            if item[1] > last:
                fail(item[2], f"overlaps with {fault['id']!r}, and neither is inside the other")
        right = rewritten(text, first, last, inside)
        result += text[begin:first]
        result += (f"::touchstone::faults::seeded({fault['number']}, [&] {{ return {right}; }}, "
                   f"[&] {{ return {fault['wrong'].strip()}; }})")
        begin = last
        rest = rest[1 + len(inside):]
    return result + text[begin:end]


def is_in(fault, source):
    return source.as_posix().endswith("reference/" + fault["in"])


def copy_of(source, faults):
    text = source.read_text(encoding="utf-8")
    places = [(*place(fault, text), fault) for fault in faults if is_in(fault, source)]
    text = rewritten(text, 0, len(text), places)
    text = re.sub(r'#include "reference/(?:\w+/)*', '#include "faults/faulty/', text)
    text = text.replace("namespace touchstone::reference", "namespace touchstone::faulty")
    include = '#include "faults/seeded.hpp"\n'
    return text.replace("#include", include + "#include", 1) if places else text


def is_over_time(fault):
    """Faults of the scheduler over time have a table and judges of their own."""
    return fault["in"].startswith("queue/")


def rows_of(faults):
    rows = []
    for fault in faults:
        cells = [fault[key] for key in ("id", "title", "clause", "source", "release", "in", "right", "wrong")]
        cells.append(fault.get("campaign", ""))
        cells = [json.dumps(cell.strip()) for cell in cells] + [json.dumps(fault.get("configuration", False))]
        rows.append(f"      {{{fault['number']}, " + ", ".join(cells) + "},\n")
    return "".join(rows)


def function_of(name, variable, faults):
    return (f"const std::vector<Fault>& {name}() {{\n  static const std::vector<Fault> {variable} = {{\n" + rows_of(faults)
            + f"  }};\n  return {variable};\n}}\n\n")


def table_of(faults):
    return ('#include "faults/fault.hpp"\n\nnamespace touchstone::faults {\n\n'
            + function_of("faults", "k_faults", [fault for fault in faults if not is_over_time(fault)])
            + function_of("timeline_faults", "k_timeline_faults", [fault for fault in faults if is_over_time(fault)])
            + "}  // namespace touchstone::faults\n")


def main(output, *names):
    split = names.index("--")
    faults = read_faults(map(Path, names[:split]))
    sources = [Path(name) for name in names[split + 1:]]
    for fault in faults:
        if not any(is_in(fault, source) for source in sources):
            fail(fault, f"there is no reference/{fault['in']}")
    for source in sources:
        (Path(output) / source.name).write_text(copy_of(source, faults), encoding="utf-8")
    (Path(output) / "table.cpp").write_text(table_of(faults), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
