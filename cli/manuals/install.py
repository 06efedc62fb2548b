#!/usr/bin/env python3
"""Installs manual pages and completion scripts; `meson install` calls it.

Usage: install.py PAGES MAN1 SHARE
"""

import os
import pathlib
import shutil
import sys

PLACES = {"touchstone.bash": "bash-completion/completions/touchstone",
          "_touchstone": "zsh/vendor-completions/_touchstone",
          "touchstone.fish": "fish/vendor_completions.d/touchstone.fish"}


def main():
    pages, man, share = (pathlib.Path(argument) for argument in sys.argv[1:])
    destination = os.environ.get("DESTDIR", "")
    for page in sorted(pages.iterdir()):
        to = man / page.name if page.suffix == ".1" else share / PLACES[page.name]
        if destination:
            to = pathlib.Path(destination) / to.relative_to("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, to)


main()
