"""libtouchstone.so shows exactly the functions of touchstone.h, each with its version.

Usage: symbols.py LIBRARY, from the root of the project.
"""

import re
import subprocess
import sys


def main() -> int:
    library = sys.argv[1]
    header = open("library/touchstone.h", encoding="utf-8").read()
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    declared = set(re.findall(r"\b(touchstone_[a-z_]+)\(", code))
    listed = set(re.findall(r"^ +(touchstone_[a-z_]+);$", open("library/touchstone.map", encoding="utf-8").read(),
                            flags=re.M))
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", library], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    shown = {line.split()[-1] for line in lines} - {"TOUCHSTONE_1"}
    expected = {f"{name}@@TOUCHSTONE_1" for name in declared}
    wrong = [f"in touchstone.h and not in touchstone.map: {name}" for name in sorted(declared - listed)]
    wrong += [f"in touchstone.map and not in touchstone.h: {name}" for name in sorted(listed - declared)]
    wrong += [f"not shown by the library: {name}" for name in sorted(expected - shown)]
    wrong += [f"shown by the library: {name}" for name in sorted(shown - expected)]
    dynamic = subprocess.run(["readelf", "--dynamic", library], check=True, capture_output=True, text=True).stdout
    if "[libtouchstone.so.1]" not in dynamic:
        wrong.append("the soname is not libtouchstone.so.1")
    print("\n".join(wrong) or f"{len(declared)} functions")
    return 1 if wrong else 0


sys.exit(main())
