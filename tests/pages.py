#!/usr/bin/env python3
"""Checks the links and the commands of all pages, and the words of pages and sources.

    python3 tests/pages.py build/debug/touchstone

A link to a file needs the file, and one to a heading the heading. A command of touchstone in a code block, or in backticks,
needs to exist, and each of its options has to be in its help. Words of tests/words.txt must not be there.
"""
import functools
import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
INDENTED = re.compile(r"^    (?:\$ )?(?:build/release/)?(touchstone .*(?:\\\n.*)*)$", re.MULTILINE)
PROMPTED = re.compile(r"^\$ build/release/(touchstone [^\n]+)$", re.MULTILINE)
QUOTED = re.compile(r"`(touchstone [a-z][^`]*)`")
LINES_MOST = {"README.md": 150}
SCRIPTS = ("run", "check", ".ci/run", ".ci/install", "fuzz/run-targets", "fuzz/oss-fuzz/test", "fuzz/oss-fuzz/build.sh", "tests/repeat",
           "tests/builds", "faults/mutants/run", "upstream/build", "upstream/changes", "upstream/check", "upstream/checkout",
           "packaging/build", "packaging/install", "packaging/test", "upstream/fresh", "upstream/go", "upstream/test", "upstream/campaigns", "examples/ci/judge")
MODULES = ("spec", "reference", "optimized", "kubernetes", "oracle", "library", "bench", "fuzz", "conformance", "faults", "proofs", "cli", "tests")


def pages():
    found = [path for path in Path(".").glob("*.md")]
    for place in ("docs", "spec", "upstream", ".github"):
        found += Path(place).rglob("*.md")
    return sorted(found)


def anchors(path):
    """The headings of a page as GitHub names them in links."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@functools.cache
def help_of(binary, command):
    run = subprocess.run([binary, command, "--help"], capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else None


def wrong_links(page, text):
    for link in LINK.findall(text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            yield f"{page}: no such file: {link}"
        elif anchor and anchor not in anchors(target):
            yield f"{page}: no such heading: {link}"


def wrong_commands(page, text, binary):
    commands = INDENTED.findall(text) + PROMPTED.findall(text) + QUOTED.findall(text)
    for command in commands:
        words = command.replace("\\\n", " ").split("|")[0].split("#")[0].split(" -- ")[0].split()
        if words[1].startswith("-"):
            continue
        manual = help_of(binary, words[1])
        if manual is None:
            yield f"{page}: no such command: {command}"
            continue
        for option in (word.split("=")[0] for word in words[2:] if re.fullmatch(r"--?[a-z][\w-]*(=.*)?", word)):
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", manual):
                yield f"{page}: touchstone {words[1]} has no option {option}: {command}"


def unwanted_words():
    """Each place of a word that must not come back. Quoted single words are data."""
    rows = [line.split(": ", 1) for line in Path("tests/words.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("#", "")]
    pattern = re.compile(r"(?<![\w\"-])(" + "|".join(re.escape(word) for word, _ in rows) + r")(?![\w\"-])", re.IGNORECASE)
    instead = dict(rows)
    sources = [path for module in MODULES for path in Path(module).rglob("*") if path.suffix in (".cpp", ".hpp", ".toml", ".md", ".py", ".build")]
    sources += [Path("meson.build"), *map(Path, SCRIPTS)]
    for path in sorted({*sources, *pages()}):
        if path.is_relative_to("spec/vectors") or path.name == "CHANGELOG.md":  # which has the old names
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in pattern.findall(line):
                yield f"{path}:{number}: \"{word}\"; say \"{instead[word.lower()]}\" (tests/words.txt)"


def main(binary):
    wrong = [*unwanted_words()]
    commands = links = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        links += len(LINK.findall(text))
        commands += len(PROMPTED.findall(text)) + len(INDENTED.findall(text))
        wrong += [*wrong_links(page, text), *wrong_commands(page, text, binary)]
        if text.count("\n") > LINES_MOST.get(str(page), 10**9):
            wrong.append(f"{page}: more than {LINES_MOST[str(page)]} lines")
    print("\n".join(wrong))
    if links < 20 or commands < 20:
        return f"expected at least 20 links and 20 commands, found {links} and {commands}"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
