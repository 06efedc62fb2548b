"""Makes a wheel of the Python package with libtouchstone in it. It runs where the shared libraries of Debian 12 are.

Usage: wheel.py ROOT OUT
"""

import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

from project import SOURCES, library_directory


def main():
    root, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place) / "python"
        shutil.copytree(SOURCES / "library/python", copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        library = copy / "touchstone/libtouchstone.so.1"
        shutil.copyfile(library_directory(root) / library.name, library)
        subprocess.run(["strip", "--strip-unneeded", library], check=True)
        (copy / "setup.cfg").write_text(f"[bdist_wheel]\nplat_name = linux_{platform.machine()}\n")
        subprocess.run(["/usr/bin/python3", "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
                        "--wheel-dir", out, copy], check=True)


main()
