"""Unpacks the layers of an OCI image archive, after a check of every digest and size.

Usage: unpack_oci.py ARCHIVE DIRECTORY
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile

with tarfile.open(sys.argv[1]) as archive:
    files = {entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}


def blob(descriptor):
    algorithm, digest = descriptor["digest"].split(":")
    content = files[f"blobs/{algorithm}/{digest}"]
    assert hashlib.sha256(content).hexdigest() == digest and len(content) == descriptor["size"], descriptor
    return content


assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
manifest = json.loads(blob(json.loads(files["index.json"])["manifests"][0]))
config = json.loads(blob(manifest["config"]))
for layer, diff_id in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
    content = gzip.decompress(blob(layer))
    assert "sha256:" + hashlib.sha256(content).hexdigest() == diff_id, diff_id
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        tar.extractall(sys.argv[2])
