"""Makes the Debian packages from an installed tree.

Usage: deb.py ROOT OUT
"""

import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import email.utils

from linked import COMPILED_IN, described, output
from project import PROJECT, SOURCES, VERSION, library_directory

REVISION = f"{VERSION}-1"
EMAIL = os.environ.get("DEBEMAIL", "touchstone@users.noreply.github.com")
MAINTAINER = f"{os.environ.get('DEBFULLNAME', 'Touchstone')} <{EMAIL}>"

COMMON = "Touchstone is a reference for the scheduling cycle of Kubernetes: filters, scores, the choice of a node, and\n" \
         "preemption if no node fits. It names every decision that a release of kube-scheduler may take."
PACKAGES = {
    "touchstone": {
        "section": "devel", "summary": "reference for the scheduling cycle of Kubernetes",
        "text": "This package has the program, its data, manual pages and shell completion.",
        "files": ["usr/bin", "usr/share/touchstone", "usr/share/man", "usr/share/bash-completion", "usr/share/zsh",
                  "usr/share/fish"]},
    "libtouchstone1": {
        "section": "libs", "summary": "decisions of kube-scheduler as a library",
        "text": "This package has the shared library.",
        "files": ["{lib}/libtouchstone.so.1", "{lib}/libtouchstone.so.1.0.0"]},
    "libtouchstone-dev": {
        "section": "libdevel", "summary": "decisions of kube-scheduler as a library - headers",
        "text": "This package has the headers for C and C++, and the file for pkg-config.",
        "files": ["usr/include", "{lib}/libtouchstone.so", "{lib}/pkgconfig"],
        "depends": f"libtouchstone1 (= {REVISION})"},
    "python3-touchstone": {
        "section": "python", "summary": "decisions of kube-scheduler for Python", "all": True,
        "text": "This package has the Python module, which loads the shared library.", "files": [],
        "depends": f"libtouchstone1 (>= {VERSION}), python3 (>= 3.9)"},
}


def wrapped(text):
    return textwrap.fill(" ".join(text.split()), 79, initial_indent=" ", subsequent_indent=" ")


def copy(root, files, stage):
    for name in files:
        source = root / name
        target = stage / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy2(source, target, follow_symlinks=False)


def strip(file):
    subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", file], check=True)


def compress(text, target):
    """gzip without a name or a time, so that the same input gives the same package."""
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(text)


def documents(name, stage):
    place = stage / "usr/share/doc" / name
    place.mkdir(parents=True)
    date = email.utils.formatdate(int(os.environ["SOURCE_DATE_EPOCH"]))
    entry = (f"{PROJECT} ({REVISION}) unstable; urgency=medium\n\n  * Build of version {VERSION}; see CHANGELOG.md of the "
             f"sources.\n\n -- {MAINTAINER}  {date}\n")
    compress(entry.encode(), place / "changelog.Debian.gz")
    parts = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/", f"Upstream-Name: {PROJECT}", "",
             "Files: *", "Copyright: 2026 The Touchstone authors", "License: Apache-2.0",
             " On Debian systems, the full text of the Apache License, Version 2.0, can be found in",
             " /usr/share/common-licenses/Apache-2.0.", ""]
    if name in ("touchstone", "libtouchstone1"):
        parts += ["Comment:", " Headers of these packages are compiled in. Their licences follow."]
        for header in COMPILED_IN[:2]:
            package = described(header, True)
            parts += [" .", f" {package.source} {package.version}: {package.licence}"]
            for line in package.copyright_file.read_text(errors="replace").splitlines():
                parts.append(" " + (line.rstrip() or "."))
    (place / "copyright").write_text("\n".join(parts) + "\n")


def dependencies(stage, own):
    """What dpkg-shlibdeps finds for the programs and libraries of a package."""
    binaries = [file for file in stage.rglob("*") if file.is_file() and not file.is_symlink()
                and file.open("rb").read(4) == b"\x7fELF"]
    if not binaries:
        return ""
    with tempfile.TemporaryDirectory() as place:
        control = pathlib.Path(place) / "debian/control"
        control.parent.mkdir()
        control.write_text(f"Source: {PROJECT}\n\nPackage: {PROJECT}\nArchitecture: any\n")
        done = subprocess.run(["dpkg-shlibdeps", "-O", f"-l{own}", "--ignore-missing-info",
                               *(f"-e{file}" for file in binaries)], check=True, capture_output=True, text=True, cwd=place)
    return done.stdout.strip().removeprefix("shlibs:Depends=")


def write_control(name, package, stage, depends):
    size = sum(file.stat().st_size for file in stage.rglob("*") if file.is_file() and not file.is_symlink())
    architecture = "all" if package.get("all") else output("dpkg", "--print-architecture").strip()
    control = stage / "DEBIAN"
    control.mkdir()
    fields = [f"Package: {name}", f"Source: {PROJECT}", f"Version: {REVISION}", f"Architecture: {architecture}",
              f"Maintainer: {MAINTAINER}", f"Installed-Size: {size // 1024 + 1}"]
    if depends:
        fields.append(f"Depends: {depends}")
    if name == "libtouchstone1":
        fields.append("Multi-Arch: same")
        (control / "shlibs").write_text(f"libtouchstone 1 libtouchstone1 (>= {VERSION})\n")
        (control / "triggers").write_text("activate-noawait ldconfig\n")
    fields += [f"Section: {package['section']}", "Priority: optional", f"Description: {package['summary']}",
               wrapped(COMMON), " .", wrapped(package["text"])]
    (control / "control").write_text("\n".join(fields) + "\n")
    files = sorted(file for file in stage.rglob("*") if file.is_file() and not file.is_symlink() and control not in file.parents)
    (control / "md5sums").write_text("".join(
        f"{output('md5sum', file).split()[0]}  {file.relative_to(stage)}\n" for file in files))


def made(name, package, root, out):
    lib = library_directory(root)
    with tempfile.TemporaryDirectory() as place:
        stage = pathlib.Path(place) / name
        stage.mkdir(mode=0o755)
        copy(root, [file.format(lib=lib.relative_to(root)) for file in package["files"]], stage)
        if name == "python3-touchstone":
            target = stage / "usr/lib/python3/dist-packages/touchstone"
            shutil.copytree(SOURCES / "library/python/touchstone", target,
                            ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
        for page in stage.glob("usr/share/man/man1/*.1"):
            compress(page.read_bytes(), page.with_suffix(".1.gz"))
            page.unlink()
        for file in [*stage.glob("usr/bin/*"), *stage.rglob("*.so.1.0.0")]:
            strip(file)
        documents(name, stage)
        depends = ", ".join(filter(None, [package.get("depends", ""), dependencies(stage, lib)]))
        write_control(name, package, stage, depends)
        for file in [stage, *stage.rglob("*")]:
            if file.is_symlink():
                continue
            executable = file.is_dir() or file.parent == stage / "usr/bin" or (
                os.access(file, os.X_OK) and file.read_bytes()[:2] == b"#!")
            file.chmod(0o755 if executable else 0o644)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", stage, out], check=True, capture_output=True)


def main():
    root, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    for name, package in PACKAGES.items():
        made(name, package, root, out)


main()
