"""A tar archive that depends on nothing but its content."""

import io
import os
import pathlib
import tarfile

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])


class Archive:
    """A tar archive with fixed owners and times. Directories above a file are added."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.USTAR_FORMAT)
        self.directories = set()

    def directory(self, name, mode=0o755):
        if name in self.directories:
            return
        self.directories.add(name)
        entry = self._info(name, mode)
        entry.type = tarfile.DIRTYPE
        self.tar.addfile(entry)

    def _above(self, name):
        for parent in list(pathlib.PurePosixPath(name).parents)[-2::-1]:
            self.directory(str(parent))

    def _info(self, name, mode):
        info = tarfile.TarInfo(name)
        info.mode, info.mtime = mode, EPOCH
        return info

    def add(self, name, content, mode=0o644):
        self._above(name)
        info = self._info(name, mode)
        info.size = len(content)
        self.tar.addfile(info, io.BytesIO(content))

    def add_tree(self, directory, root):
        """Adds all files below a directory, by their names below the root."""
        for file in sorted(directory.rglob("*")):
            if file.is_file():
                self.add(str(file.relative_to(root)), file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)

    def done(self):
        self.tar.close()
        return self.bytes.getvalue()
