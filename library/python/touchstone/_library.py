"""The C library: how it is found, its functions, and its errors."""

import ctypes
import ctypes.util
import enum
import os
import pathlib
from typing import Any, List, Optional

ABI = 1


class Engine(enum.IntEnum):
    """Which engine answers. OPTIMIZED leaves statuses, messages and losing candidates out."""

    REFERENCE = 0
    OPTIMIZED = 1
    BOTH = 2


class Outcome(enum.IntEnum):
    """The outcome of a typed question, as in touchstone.h."""

    NOTHING = 0
    SCHEDULED = 1
    FITS = 2
    NOMINATED = 3
    NONE = 4
    INELIGIBLE = 5
    FAILED = 6
    SKIPPED = 7


class Error(Exception):
    """What is wrong: a stable code for programs, the place (argument, object, field), and a text for people."""

    def __init__(self, code: str, place: str, text: str) -> None:
        super().__init__(code, place, text)
        self.code = code
        self.place = place
        self.text = text

    def __str__(self) -> str:
        return f"{self.code}: {self.place}: {self.text}"


class Options(ctypes.Structure):
    """touchstone_options"""

    _fields_ = [("size", ctypes.c_size_t), ("start", ctypes.c_int64), ("offset", ctypes.c_int64),
                ("quota", ctypes.c_int64)]


def _candidates() -> List[str]:
    """Where the library may be, the most specific place first."""
    name = "libtouchstone.so.1"
    given = os.environ.get("TOUCHSTONE_LIBRARY")
    if given:
        return [given]
    here = pathlib.Path(__file__).resolve().parent
    found = [here / name]  # a wheel that has it
    if len(here.parents) > 2:  # the tree of the project
        found += [here.parents[2] / "build" / build / "library" / name for build in ("release", "debug")]
    return [str(path) for path in found if path.exists()] + [name]


def _load() -> "tuple[ctypes.CDLL, str]":
    reasons = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("libtouchstone.so.1 is not found; install it (meson install), or set TOUCHSTONE_LIBRARY to its "
                      "path: " + "; ".join(reasons))


library, _path = _load()


def _declare(name: str, result: Any, *arguments: Any) -> None:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = list(arguments)


_handle = ctypes.c_void_p
_out = ctypes.POINTER(ctypes.c_void_p)
_text = (ctypes.c_char_p, ctypes.c_size_t)

_declare("touchstone_abi", ctypes.c_int)
_declare("touchstone_version", ctypes.c_char_p)
for _part in ("code", "place", "text"):
    _declare(f"touchstone_error_{_part}", ctypes.c_char_p, _handle)
for _kind in ("error", "text", "subject", "cluster", "pod", "decision"):
    _declare(f"touchstone_{_kind}_free", None, _handle)
_declare("touchstone_ask", _handle, ctypes.c_int, *_text, _out)
_declare("touchstone_subject_new", _handle, ctypes.c_int, _out)
_declare("touchstone_subject_ask", _handle, _handle, *_text, _out)
_declare("touchstone_cluster_load", _handle, *_text, _out)
_declare("touchstone_cluster_put", _handle, _handle, ctypes.c_char_p, *_text)
_declare("touchstone_cluster_remove", _handle, _handle, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
_declare("touchstone_cluster_bind", _handle, _handle, _handle, ctypes.c_char_p)
_declare("touchstone_cluster_nodes", ctypes.c_size_t, _handle)
_declare("touchstone_cluster_pods", ctypes.c_size_t, _handle)
_declare("touchstone_cluster_ask", _handle, _handle, ctypes.c_int, *_text, _out)
_declare("touchstone_pod_read", _handle, *_text, _out)
_declare("touchstone_decision_new", _handle, _out)
for _ask in ("schedule", "preempt"):
    _declare(f"touchstone_{_ask}", _handle, _handle, _handle, ctypes.POINTER(Options), _handle)
_declare("touchstone_decision_outcome", ctypes.c_int, _handle)
for _part in ("node", "reason"):
    _declare(f"touchstone_decision_{_part}", ctypes.c_char_p, _handle)
for _part in ("victim", "choice"):
    _declare(f"touchstone_decision_{_part}s", ctypes.c_size_t, _handle)
    _declare(f"touchstone_decision_{_part}", ctypes.c_char_p, _handle, ctypes.c_size_t)
for _part in ("violations", "total", "next_start"):
    _declare(f"touchstone_decision_{_part}", ctypes.c_int64, _handle)

if library.touchstone_abi() != ABI:
    raise ImportError(f"{_path} has version {library.touchstone_abi()} of the interface, expected {ABI}")


def library_path() -> str:
    """The file of the C library, or its name if the system found it."""
    return _path


def version() -> str:
    """The version of the C library."""
    return str(library.touchstone_version().decode())


def check(error: Optional[int]) -> None:
    """Raises the error that a function returned, and frees it."""
    if not error:
        return
    parts = [getattr(library, f"touchstone_error_{part}")(error).decode(errors="replace")
             for part in ("code", "place", "text")]
    library.touchstone_error_free(error)
    raise Error(*parts)


def taken_text(pointer: "ctypes.c_void_p") -> str:
    """The text that a function returned, which is freed."""
    address = pointer.value
    text = ctypes.string_at(address or 0).decode()
    library.touchstone_text_free(address)
    return text


class Handle:
    """Owns a handle of the C library."""

    _kind = ""

    def __init__(self, address: Optional[int]) -> None:
        self._address = address

    def close(self) -> None:
        """Frees the handle. Using it afterwards raises Error (invalid-handle)."""
        address, self._address = self._address, None
        if address:
            getattr(library, f"touchstone_{self._kind}_free")(address)

    def __del__(self) -> None:
        if getattr(self, "_address", None) and library is not None:
            self.close()
