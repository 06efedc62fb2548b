"""Writes the software bill of materials in SPDX 2.3, as JSON.

Usage: sbom.py ROOT OUT; ROOT is where `meson install` installed.
"""

import datetime
import hashlib
import json
import os
import pathlib
import sys

from linked import linked
from project import PROJECT, VERSION, library_directory


def spdx_id(name):
    return "SPDXRef-" + "".join(c if c.isalnum() or c in ".-" else "-" for c in name)


def main():
    root, out = (pathlib.Path(argument) for argument in sys.argv[1:])
    program = root / "usr/bin/touchstone"
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = [{
        "SPDXID": spdx_id(PROJECT), "name": PROJECT, "versionInfo": VERSION, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(program.read_bytes()).hexdigest()}]}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": spdx_id(PROJECT)}]
    for package in linked(program, [library_directory(root)]):
        packages.append({
            "SPDXID": spdx_id(package.name), "name": package.name, "versionInfo": package.version,
            "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": package.licence, "licenseDeclared": package.licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{package.name}@{package.version}?distro=debian-12"}]})
        relations.append({"spdxElementId": spdx_id(PROJECT), "relatedSpdxElement": spdx_id(package.name),
                          "relationshipType": "STATIC_LINK" if package.compiled_in else "DYNAMIC_LINK"})
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{PROJECT}-{VERSION}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{PROJECT}-{VERSION}-{packages[0]['checksums'][0]['checksumValue'][:16]}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/sbom.py"]},
        "packages": packages, "relationships": relations}
    (out / f"{PROJECT}-{VERSION}.spdx.json").write_text(json.dumps(document, indent=1) + "\n")


main()
