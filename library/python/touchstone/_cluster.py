"""A cluster that is loaded once, changed, and asked many times."""

import ctypes
import json
from typing import Any, Dict, List, Optional

from touchstone._library import Engine, Handle, Options, Outcome, check, library, taken_text
from touchstone._objects import encoded, with_lists


class Pod(Handle):
    """A pod to ask about, or to put on a node. It does not change."""

    _kind = "pod"

    def __init__(self, pod: Any) -> None:
        text = encoded(pod)
        address = ctypes.c_void_p()
        check(library.touchstone_pod_read(text, len(text), ctypes.byref(address)))
        super().__init__(address.value)


class Decision:
    """The result of a typed question."""

    __slots__ = ("outcome", "node", "reason", "victims", "violations", "choices", "total", "next_start")

    def __init__(self, address: int) -> None:
        self.outcome = Outcome(library.touchstone_decision_outcome(address))
        self.node: Optional[str] = library.touchstone_decision_node(address).decode() or None
        self.reason: str = library.touchstone_decision_reason(address).decode()
        self.victims: List[str] = [library.touchstone_decision_victim(address, i).decode()
                                   for i in range(library.touchstone_decision_victims(address))]
        self.violations: int = library.touchstone_decision_violations(address)
        self.choices: List[str] = [library.touchstone_decision_choice(address, i).decode()
                                   for i in range(library.touchstone_decision_choices(address))]
        self.total = _given(library.touchstone_decision_total(address))
        self.next_start = _given(library.touchstone_decision_next_start(address))

    def __repr__(self) -> str:
        return f"Decision({self.outcome.name}, node={self.node!r}, victims={self.victims!r})"


def _given(number: int) -> Optional[int]:
    return None if number < 0 else number


class Cluster(Handle):
    """A loaded cluster. Any number of threads may use it at the same time."""

    _kind = "cluster"

    def __init__(self, cluster: Dict[str, Any], release: Optional[str] = None) -> None:
        """`cluster` has the keys of a question but those of one pod: lists of objects, config, featureGates, release
        (default: latest)."""
        given = with_lists(cluster)
        if isinstance(given, dict) and (release is not None or "release" not in given):
            given["release"] = release or "latest"
        text = encoded(given)
        address = ctypes.c_void_p()
        check(library.touchstone_cluster_load(text, len(text), ctypes.byref(address)))
        super().__init__(address.value)

    def put(self, kind: str, value: Any) -> None:
        """Adds an object, or replaces the one of the same name."""
        text = encoded(value)
        check(library.touchstone_cluster_put(self._address, kind.encode(), text, len(text)))

    def remove(self, kind: str, name: str, namespace: Optional[str] = None) -> None:
        """Removes an object."""
        check(library.touchstone_cluster_remove(self._address, kind.encode(),
                                                None if namespace is None else namespace.encode(), name.encode()))

    def bind(self, pod: Pod, node: str) -> None:
        """Puts a pod on a node."""
        check(library.touchstone_cluster_bind(self._address, pod._address, node.encode()))

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(library.touchstone_cluster_nodes(self._address))

    @property
    def pods(self) -> int:
        """The number of pods."""
        return int(library.touchstone_cluster_pods(self._address))

    def ask(self, question: Any, engine: Engine = Engine.REFERENCE) -> Dict[str, Any]:
        """Answers a line of the protocol about one pod. The answer may have the member `error`."""
        line = encoded(question)
        answer = ctypes.c_void_p()
        check(library.touchstone_cluster_ask(self._address, engine, line, len(line), ctypes.byref(answer)))
        return dict(json.loads(taken_text(answer)))

    def schedule(self, pod: Pod, *, start: int = -1, offset: int = -1, quota: int = -1) -> Decision:
        """One whole scheduling cycle with the optimized engine. Does not change the cluster."""
        return self._decided(library.touchstone_schedule, pod, Options(ctypes.sizeof(Options), start, offset, quota))

    def preempt(self, pod: Pod, *, offset: int = -1, quota: int = -1) -> Decision:
        """Preemption alone with the optimized engine. Does not change the cluster."""
        return self._decided(library.touchstone_preempt, pod, Options(ctypes.sizeof(Options), -1, offset, quota))

    def _decided(self, function: Any, pod: Pod, options: Options) -> Decision:
        decision = ctypes.c_void_p()
        check(library.touchstone_decision_new(ctypes.byref(decision)))
        try:
            check(function(self._address, pod._address, ctypes.byref(options), decision))
            return Decision(decision.value or 0)
        finally:
            library.touchstone_decision_free(decision)
