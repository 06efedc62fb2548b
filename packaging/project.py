"""Facts that all packages share."""

import pathlib
import re

PROJECT = "touchstone"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
SOURCES = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"^  version: '([^']+)'", (SOURCES / "meson.build").read_text(), re.M).group(1)


def library_directory(root):
    """Where libtouchstone was installed below a root."""
    return next(pathlib.Path(root).rglob("libtouchstone.so.1")).parent
