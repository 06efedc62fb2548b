"""Decisions of kube-scheduler: filters, scores, the choice of a node, and preemption.

    touchstone.decide(cluster, pod)      where would the pod preempt, and which pods would be evicted?
    touchstone.schedule(cluster, pod)    one whole scheduling cycle

`cluster` is a dict with the lists of a question (nodes, pods, pdbs, ...), or a `Cluster` that was loaded once. Objects
are dicts as an API server serves them, or objects of the kubernetes client. Answers are those of spec/protocol.md.
An error is raised as `Error`, with `code`, `place` and `text`. While the library computes, the GIL is released.
"""

from touchstone._cluster import Cluster, Decision, Pod
from touchstone._library import Engine, Error, Outcome, library_path, version
from touchstone._protocol import Subject, ask, decide, schedule

__all__ = ["Cluster", "Decision", "Engine", "Error", "Outcome", "Pod", "Subject", "ask", "decide", "library_path",
           "schedule", "version"]
