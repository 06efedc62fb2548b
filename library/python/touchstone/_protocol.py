"""Questions and answers as JSON."""

import ctypes
import json
from typing import Any, Dict, Optional, Union

from touchstone._cluster import Cluster
from touchstone._library import Engine, Error, Handle, check, library, taken_text
from touchstone._objects import encoded, with_lists

Answer = Dict[str, Any]

_LATEST = "latest"


def ask(question: Any, engine: Engine = Engine.REFERENCE) -> Answer:
    """Answers one line of the protocol. The answer may have the member `error`; nothing is raised for that."""
    line = encoded(question)
    answer = ctypes.c_void_p()
    check(library.touchstone_ask(engine, line, len(line), ctypes.byref(answer)))
    return dict(json.loads(taken_text(answer)))


class Subject(Handle):
    """Answers lines one after another, and remembers what a scheduler over time remembers. For one thread at a
    time."""

    _kind = "subject"

    def __init__(self, engine: Engine = Engine.REFERENCE) -> None:
        subject = ctypes.c_void_p()
        check(library.touchstone_subject_new(engine, ctypes.byref(subject)))
        super().__init__(subject.value)

    def ask(self, question: Any) -> Optional[Answer]:
        """Answers a line. None: the line was `bye`."""
        line = encoded(question)
        answer = ctypes.c_void_p()
        check(library.touchstone_subject_ask(self._address, line, len(line), ctypes.byref(answer)))
        text = taken_text(answer)
        return dict(json.loads(text)) if text else None


def _asked(command: str, cluster: Union[Cluster, Dict[str, Any]], pod: Any, release: Optional[str], engine: Engine,
           more: Dict[str, Any]) -> Answer:
    question = {"cmd": command, "pod": pod, **more}
    if isinstance(cluster, Cluster):
        if release is not None:
            raise Error("not-supported", "release", "a loaded cluster has its release")
        answer = cluster.ask(question, engine)
    else:
        of_cluster = with_lists(cluster)
        if release is not None or "release" not in of_cluster:
            of_cluster["release"] = release or _LATEST
        answer = ask({**of_cluster, **question}, engine)
    if "error" in answer:
        raise Error(answer["error"]["code"], answer["error"]["path"], answer["error"]["message"])
    answer.pop("seq", None)
    return answer


def decide(cluster: Union[Cluster, Dict[str, Any]], pod: Any, *, release: Optional[str] = None,
           engine: Engine = Engine.REFERENCE, **more: Any) -> Answer:
    """Where would the release preempt for this pod, and which pods would it evict? The answer to `run` of the
    protocol. `more` has other keys of the question, such as anyOrder=True or offset=0. Without a release it is the
    newest one that was compared with the running scheduler. Raises Error."""
    return _asked("run", cluster, pod, release, engine, more)


def schedule(cluster: Union[Cluster, Dict[str, Any]], pod: Any, *, release: Optional[str] = None,
             engine: Engine = Engine.REFERENCE, **more: Any) -> Answer:
    """One whole scheduling cycle: filters, scores, the choice of a node, and preemption if no node fits. As decide()
    otherwise."""
    return _asked("schedule", cluster, pod, release, engine, more)
