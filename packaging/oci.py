"""Makes an OCI image with the program, its data and the shared libraries that it loads, and nothing else.

Usage: oci.py ROOT OUT

The image is an archive of the OCI image layout 1.0. No daemon and no other tool takes part. The same input gives the
same image.
"""

import datetime
import gzip
import hashlib
import json
import pathlib
import platform
import sys

from archive import EPOCH, Archive
from linked import libraries, linked
from project import ARCHITECTURES, PROJECT, SOURCES, VERSION, library_directory


def root_file_system(root):
    layer = Archive()
    program = root / "usr/bin/touchstone"
    layer.directory("proc")  # where the program finds its own place, and so its data; every runtime mounts it
    layer.directory("tmp", 0o1777)
    layer.add("usr/bin/touchstone", program.read_bytes(), 0o755)
    layer.add_tree(root / "usr/share/touchstone", root)
    own = library_directory(root)
    for file in sorted(set(libraries(program, [own]).values())):
        layer.add(str(file).lstrip("/"), file.resolve().read_bytes(), 0o755)
    layer.add("etc/passwd", b"touchstone:x:65532:65532::/:/usr/bin/touchstone\n")
    layer.add("usr/share/doc/touchstone/LICENSE", (SOURCES / "LICENSE").read_bytes())
    for package in linked(program, [own]):
        layer.add(f"usr/share/doc/{package.name}/copyright", package.copyright_file.read_bytes())
    return layer.done()


def main():
    root, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    blobs = {}

    def blob(content, media_type):
        digest = hashlib.sha256(content).hexdigest()
        blobs[digest] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    layer = root_file_system(root)
    packed = gzip.compress(layer, 9, mtime=0)
    created = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    architecture = ARCHITECTURES[platform.machine()]
    config = {
        "created": created, "architecture": architecture, "os": "linux",
        "config": {"User": "65532:65532", "Entrypoint": ["/usr/bin/touchstone"], "Cmd": ["--help"],
                   "Env": ["PATH=/usr/bin"], "WorkingDir": "/",
                   "Labels": {"org.opencontainers.image.title": PROJECT, "org.opencontainers.image.version": VERSION,
                              "org.opencontainers.image.licenses": "Apache-2.0"}},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created": created, "created_by": "packaging/oci.py"}]}
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config).encode(), "application/vnd.oci.image.config.v1+json"),
        "layers": [blob(packed, "application/vnd.oci.image.layer.v1.tar+gzip")]}
    descriptor = blob(json.dumps(manifest).encode(), "application/vnd.oci.image.manifest.v1+json")
    descriptor["annotations"] = {"org.opencontainers.image.ref.name": VERSION}
    descriptor["platform"] = {"architecture": architecture, "os": "linux"}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [descriptor]}
    archive = Archive()
    archive.add("oci-layout", b'{"imageLayoutVersion": "1.0.0"}')
    archive.add("index.json", json.dumps(index).encode())
    for digest in sorted(blobs):
        archive.add(f"blobs/sha256/{digest}", blobs[digest])
    (out / f"{PROJECT}-{VERSION}-oci.tar").write_bytes(archive.done())


main()
