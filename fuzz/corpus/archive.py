#!/usr/bin/env python3
"""The corpora of the fuzz targets, one zip archive each, as OSS-Fuzz takes them.

    fuzz/corpus/archive.py unpack DIRECTORY               fuzz/corpus/NAME.zip into DIRECTORY/NAME, for every NAME
    fuzz/corpus/archive.py pack NAME DIRECTORY            the files of DIRECTORY into fuzz/corpus/NAME.zip

Equal files give equal archives: names are sorted, and there are no times.
"""
import shutil
import sys
import zipfile
from pathlib import Path

CORPORA = Path(__file__).resolve().parent


def archive_of(name):
    return CORPORA / f"{name}.zip"


def files_of(name):
    """Name and bytes of each file of a corpus; none where the target has no corpus yet."""
    if not archive_of(name).exists():
        return {}
    with zipfile.ZipFile(archive_of(name)) as archive:
        return {each: archive.read(each) for each in archive.namelist()}


def unpack(name, directory):
    """Replaces the directory by the files of the corpus."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for each, content in files_of(name).items():
        (directory / Path(each).name).write_bytes(content)


def pack(name, directory):
    with zipfile.ZipFile(archive_of(name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(directory.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "unpack":
        for path in sorted(CORPORA.glob("*.zip")):
            unpack(path.stem, Path(sys.argv[2]) / path.stem)
    elif len(sys.argv) == 4 and sys.argv[1] == "pack":
        pack(sys.argv[2], Path(sys.argv[3]))
    else:
        sys.exit(__doc__)
