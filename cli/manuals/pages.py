"""Writes a manual page for touchstone and for each of its commands, and the completion of each shell.

Usage: pages.py TOUCHSTONE VERSION OUTPUT_DIRECTORY STAMP

The content is that of `touchstone COMMAND --help`, which has the sections of a manual page.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import textwrap

SHELLS = {"bash": "touchstone.bash", "zsh": "_touchstone", "fish": "touchstone.fish"}


def printed(touchstone, *arguments):
    environment = dict(os.environ, LLVM_PROFILE_FILE="/dev/null", COLUMNS="100")
    return subprocess.run([touchstone, *arguments], check=True, capture_output=True, text=True, env=environment).stdout


def escaped(text):
    """Text as roff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def sections(help_text):
    """The sections of a help text: title and lines."""
    found = []
    for line in help_text.splitlines():
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return found


def indent_of(line):
    return len(line) - len(line.lstrip())


def blocks(lines):
    """The parts of a description: a list of lines each, and whether they are indented, which means literal."""
    found = []
    for line in lines:
        if not line.strip():
            found.append((False, []))
            continue
        is_literal = indent_of(line) > 4
        if not found or found[-1][0] != is_literal:
            found.append((is_literal, []))
        found[-1][1].append(line if is_literal else line.strip())
    return [block for block in found if block[1]]


def literal(lines):
    return [".nf", *(escaped(line) for line in lines), ".fi"]


def body(title, lines):
    if title in ("OPTIONS", "COMMANDS"):
        roff = []
        for line in lines:
            if indent_of(line) == 4:
                roff += [".TP", ".B " + escaped(line.strip())]
            elif line.strip():
                roff.append(escaped(line.strip()))
        return roff
    if title in ("SYNOPSIS", "EXIT STATUS"):
        return literal(line[4:] for line in lines if line.strip())
    if title == "EXAMPLES":
        roff = []
        for line in lines:
            if indent_of(line) >= 8:
                roff += [".RS 4", *literal([line[8:]]), ".RE"]
            elif line.strip():
                roff += [".PP", escaped(line.strip())]
        return roff
    roff = []
    for is_literal, text in blocks(lines):
        roff += [".PP", ".RS 4", *literal(textwrap.dedent("\n".join(text)).splitlines()), ".RE"] if is_literal else [".PP", *map(escaped, text)]
    return roff


def page(name, help_text, version, others):
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).date().isoformat() if epoch else ""
    roff = [f'.TH "{name.upper()}" "1" "{day}" "touchstone {version}" "User Commands"']
    seen = []
    for title, lines in sections(help_text):
        roff.append(f'.SH "{title}"')
        seen.append(title)
        if title == "NAME":
            text = " ".join(line.strip() for line in lines if line.strip())
            _, what = text.split(" - ", 1)
            roff.append(f"{escaped(name)} \\- {escaped(what)}")
        else:
            roff += body(title, lines)
    if "SEE ALSO" not in seen:
        roff.append('.SH "SEE ALSO"')
    roff += [".PP", ", ".join(f"{escaped(other)}(1)" for other in others)]
    return "\n".join(roff) + "\n"


def main():
    touchstone, version, output, stamp = sys.argv[1:]
    place = pathlib.Path(output)
    place.mkdir(parents=True, exist_ok=True)
    help_text = printed(touchstone, "--help")
    commands = [line.strip() for line in dict(sections(help_text))["COMMANDS"] if indent_of(line) == 4]
    names = [f"touchstone-{command}" for command in commands]
    (place / "touchstone.1").write_text(page("touchstone", help_text, version, names))
    for command, name in zip(commands, names):
        text = page(name, printed(touchstone, command, "--help"), version, ["touchstone"])
        (place / f"{name}.1").write_text(text)
    for shell, file in SHELLS.items():
        (place / file).write_text(printed(touchstone, "completion", shell))
    pathlib.Path(stamp).write_text("\n".join(commands) + "\n")


main()
