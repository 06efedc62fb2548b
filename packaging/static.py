"""Makes an archive with the program as one static file, its data, manual pages and completion. It needs no libraries.

Usage: static.py ROOT OUT STATICX

Debian has Z3 and others as shared libraries alone. So staticx packs the program with the libraries that it loads: the
file unpacks them to a temporary directory when it starts.
"""

import gzip
import pathlib
import platform
import subprocess
import sys
import tempfile

from archive import Archive
from linked import linked
from project import ARCHITECTURES, PROJECT, SOURCES, VERSION, library_directory


def main():
    root, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    staticx = sys.argv[3]
    program = root / "usr/bin/touchstone"
    place = f"{PROJECT}-{VERSION}"
    archive = Archive()
    with tempfile.TemporaryDirectory() as work:
        static = pathlib.Path(work) / "touchstone"
        subprocess.run([staticx, "--strip", program, static], check=True)
        archive.add(f"{place}/bin/touchstone", static.read_bytes(), 0o755)
    for name in ("touchstone", "man", "bash-completion"):
        for file in sorted((root / "usr/share" / name).rglob("*")):
            if file.is_file():
                archive.add(f"{place}/share/{file.relative_to(root / 'usr/share')}", file.read_bytes())
    archive.add(f"{place}/LICENSE", (SOURCES / "LICENSE").read_bytes())
    for package in linked(program, [library_directory(root)]):
        archive.add(f"{place}/share/doc/{package.name}/copyright", package.copyright_file.read_bytes())
    name = f"{PROJECT}-{VERSION}-linux-{ARCHITECTURES[platform.machine()]}.tar.gz"
    (out / name).write_bytes(gzip.compress(archive.done(), 9, mtime=0))


main()
