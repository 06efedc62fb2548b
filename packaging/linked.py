"""What a program is linked with: shared libraries with the Debian packages that have them, and the packages whose
headers are compiled in."""

import dataclasses
import pathlib
import re
import subprocess

# Licences as SPDX names them, by source package. The texts are in /usr/share/doc/PACKAGE/copyright.
LICENCES = {
    "brotli": "MIT",
    "cli11": "BSD-3-Clause",
    "cpp-httplib": "MIT",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "libyaml": "MIT",
    "nlohmann-json3": "MIT",
    "openssl": "Apache-2.0",
    "simdjson": "Apache-2.0",
    "z3": "MIT",
    "zlib": "Zlib",
}
# Packages of which only headers are used, so that no library shows them.
COMPILED_IN = ("nlohmann-json3-dev", "libcli11-dev", "libstdc++-12-dev")


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    version: str
    source: str
    compiled_in: bool

    @property
    def licence(self):
        """Raises KeyError for a package whose licence is not known here: read its copyright file, and add it."""
        return LICENCES[self.source]

    @property
    def copyright_file(self):
        return pathlib.Path("/usr/share/doc") / self.name / "copyright"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def described(name, compiled_in):
    form = "${Package}\t${Version}\t${source:Package}\n"
    package, version, source = output("dpkg-query", "--show", f"--showformat={form}", name).splitlines()[0].split("\t")
    return Package(package, version, source, compiled_in)


def libraries(program, own):
    """The files of shared libraries that the program loads, by soname, with the loader. `own`: directories with
    libraries of this project."""
    environment = {"LD_LIBRARY_PATH": ":".join(map(str, own)), "PATH": "/usr/bin:/bin"}
    lines = subprocess.run(["ldd", program], check=True, capture_output=True, text=True, env=environment).stdout
    found = {}
    for line in lines.splitlines():
        match = re.match(r"\s*(\S+) => (/\S+)", line) or re.match(r"\s*((/\S+)) \(", line)
        if match:
            found[match.group(1)] = pathlib.Path(match.group(2))
        elif "not found" in line:
            raise SystemExit(f"{program}: {line.strip()}")
    return found


def package_of(file):
    """The package that has a file. A merged /usr gives a file two names."""
    real = file.resolve()
    for name in (real, file, pathlib.Path(str(real).removeprefix("/usr"))):
        done = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0]
    raise SystemExit(f"{file}: no Debian package has this file")


def linked(program, own):
    """The packages that a program is linked with."""
    own_files = [pathlib.Path(place).resolve() for place in own]
    names = {package_of(file) for file in libraries(program, own).values() if file.resolve().parent not in own_files}
    return [described(name, False) for name in sorted(names)] + [described(name, True) for name in COMPILED_IN]
