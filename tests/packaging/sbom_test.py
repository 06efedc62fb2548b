"""Each library that the program loads belongs to a package of the SBOM, and each package has a licence.

Usage: sbom_test.py OUT, from the root of the project; OUT is that of packaging/build.
"""

import json
import pathlib
import sys

sys.path.insert(0, "packaging")

from linked import libraries, package_of  # noqa: E402

out = pathlib.Path(sys.argv[1])
document = json.loads(next(out.glob("*.spdx.json")).read_text())
names = {package["name"] for package in document["packages"]}
loaded = {package_of(file).split(":")[0] for file in libraries(out / "root/usr/bin/touchstone", []).values()}
assert loaded <= names, loaded - names
assert all(package["licenseConcluded"] not in ("", "NOASSERTION") for package in document["packages"])
ids = {package["SPDXID"] for package in document["packages"]} | {"SPDXRef-DOCUMENT"}
assert all({each["spdxElementId"], each["relatedSpdxElement"]} <= ids for each in document["relationships"])
print(f"{len(names)} packages")
