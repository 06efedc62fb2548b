"""Installs the library, builds the examples of examples/library against it with pkg-config, and runs them.

Usage: installed.py BUILD, from the root of the project. The output of each example must be that of
tests/library/output. In a build with AddressSanitizer the examples have it too, and a leak is an error.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
EXAMPLES = pathlib.Path("examples/library")
OUTPUT = pathlib.Path("tests/library/output")

LEAKS = """
#include <touchstone.h>
int main(void) {
  /* A register or a dead part of the stack may still hold one of the pods, but not a hundred. */
  const char json[] = "{\\"metadata\\":{\\"name\\":\\"p\\"}}";
  for (int i = 0; i < 100; ++i) {
    touchstone_pod* pod = NULL;
    if (touchstone_pod_read(json, sizeof json - 1, &pod) != NULL) return 1;
  }
  return 0;
}
"""


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def sanitizers(library):
    """The options of the compiler with which the library was built."""
    symbols = run(["nm", "--dynamic", "--undefined-only", library])
    names = [name for name, mark in (("address", "__asan_init"), ("thread", "__tsan_init"), ("undefined", "__ubsan_"))
             if mark in symbols]
    if not names:
        return []
    # The checks of C++ types need a runtime of C++, which clang does not link into C.
    of_types = ["-fsanitize-link-c++-runtime", "-Wl,--no-as-needed", "-lstdc++"] if "undefined" in names else []
    return ["-fsanitize=" + ",".join(names), *of_types]


def main():
    with tempfile.TemporaryDirectory() as place:
        run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", place])
        pc = next(pathlib.Path(place).rglob("touchstone.pc"))
        prefix = re.search("^prefix=(.*)$", pc.read_text(), re.M).group(1)
        library = pc.parent.parent
        flags = run(["pkg-config", "--cflags", "--libs", f"--define-variable=prefix={place}{prefix}", pc]).split()
        sanitize = sanitizers(library / "libtouchstone.so.1")
        compilers = {".c": "clang-19", ".cpp": "clang++-19"} if sanitize else {".c": "cc", ".cpp": "c++"}
        standards = {".c": "-std=c99", ".cpp": "-std=c++17"}
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library), LLVM_PROFILE_FILE="/dev/null")
        program = pathlib.Path(place) / "example"

        def compiled(source):
            run([compilers[source.suffix], standards[source.suffix], "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                 *sanitize, source, "-o", program, *flags])

        for name in ("decide.c", "decide.cpp"):
            compiled(EXAMPLES / name)
            given = run([program], env=environment)
            if given != (OUTPUT / f"{name}.txt").read_text():
                sys.exit(f"{name} prints\n{given}")
        if any("address" in option for option in sanitize):
            leaking = pathlib.Path(place) / "leaks.c"
            leaking.write_text(LEAKS)
            compiled(leaking)
            done = subprocess.run([program], env=environment, capture_output=True, text=True)
            if "detected memory leaks" not in done.stderr:
                sys.exit(f"pods that are not freed are no leak: exit code {done.returncode}\n{done.stderr}")

        for_python = dict(environment, TOUCHSTONE_LIBRARY=str(library / "libtouchstone.so.1"),
                          PYTHONPATH="library/python", ASAN_OPTIONS="detect_leaks=0")
        if sanitize:
            for_python["LD_PRELOAD"] = run(["clang-19", "-print-file-name=libclang_rt.asan-x86_64.so"]).strip()
        given = run([sys.executable, EXAMPLES / "decide.py"], env=for_python)
        if given != (OUTPUT / "decide.py.txt").read_text():
            sys.exit(f"decide.py prints\n{given}")
        print("3 examples")


main()
