"""The Python package: on dicts, on objects as those of the kubernetes client, with threads, and its errors.

Usage: package_test.py, from the root of the project, with PYTHONPATH=library/python and TOUCHSTONE_LIBRARY.
"""

import datetime
import os
import resource
import sys
import threading
import time
import unittest
from unittest import mock

sys.path.insert(0, "library/python")

import touchstone  # noqa: E402
from touchstone import Error, Outcome  # noqa: E402


def pod(name, cpu, priority, node=None):
    spec = {"priority": priority, "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]}
    if node:
        spec["nodeName"] = node
    return {"metadata": {"name": name, "namespace": "a", "uid": name}, "spec": spec}


def node(name, cpu):
    return {"metadata": {"name": name}, "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "110"}}}


CLUSTER = {"nodes": [node("n0", "4"), node("n1", "2")], "pods": [pod("p0", "4", 0, "n0"), pod("p1", "2", 5, "n1")]}


class Model:
    """As the classes of the kubernetes client: Python names, and a map to those of JSON."""

    openapi_types = {}
    attribute_map = {}

    def __init__(self, **members):
        for name in self.openapi_types:
            setattr(self, name, members.get(name))


class V1ObjectMeta(Model):
    openapi_types = {"name": "str", "namespace": "str", "uid": "str", "creation_timestamp": "datetime", "labels": "dict"}
    attribute_map = {"name": "name", "namespace": "namespace", "uid": "uid", "labels": "labels",
                     "creation_timestamp": "creationTimestamp"}


class V1Pod(Model):
    openapi_types = {"metadata": "V1ObjectMeta", "spec": "dict", "status": "V1PodStatus"}
    attribute_map = {"metadata": "metadata", "spec": "spec", "status": "status"}


class V1PodStatus(Model):
    openapi_types = {"phase": "str", "start_time": "datetime", "nominated_node_name": "str"}
    attribute_map = {"phase": "phase", "start_time": "startTime", "nominated_node_name": "nominatedNodeName"}


class V1PodList(Model):
    openapi_types = {"items": "list"}
    attribute_map = {"items": "items"}


def as_model(json):
    meta = V1ObjectMeta(**json["metadata"], creation_timestamp=datetime.datetime(2026, 1, 1))
    status = V1PodStatus(phase="Running", start_time=datetime.datetime(2026, 1, 1, 2, tzinfo=datetime.timezone.utc))
    return V1Pod(metadata=meta, spec=json["spec"], status=status)


class Package(unittest.TestCase):
    def test_decides_on_dicts(self):
        answer = touchstone.decide(CLUSTER, pod("new", "2", 10), release="v1.37.2")
        self.assertEqual((answer["outcome"], answer["node"], answer["victims"]), ("nominated", "n0", ["a/p0"]))
        self.assertIn("filter", answer)
        fits = touchstone.schedule({"nodes": CLUSTER["nodes"]}, pod("new", "2", 10), release="v1.37.2")
        self.assertEqual(fits["outcome"], "scheduled")
        self.assertNotIn("release", CLUSTER)

    def test_decides_by_the_newest_release_if_none_is_named(self):
        self.assertEqual(touchstone.decide(CLUSTER, pod("new", "2", 10)),
                         touchstone.decide(CLUSTER, pod("new", "2", 10), release="latest"))

    def test_decides_on_objects_of_the_client(self):
        models = {"nodes": CLUSTER["nodes"], "pods": V1PodList(items=[as_model(each) for each in CLUSTER["pods"]])}
        dicts = {"nodes": CLUSTER["nodes"],
                 "pods": {"items": [dict(each, status={"phase": "Running", "startTime": "2026-01-01T02:00:00Z"})
                                    for each in CLUSTER["pods"]]}}
        for engine in touchstone.Engine:
            self.assertEqual(touchstone.decide(models, as_model(pod("new", "2", 10)), engine=engine),
                             touchstone.decide(dicts, pod("new", "2", 10), engine=engine))

    def test_decides_on_a_loaded_cluster(self):
        loaded = touchstone.Cluster(CLUSTER, release="v1.37.2")
        self.assertEqual(touchstone.decide(loaded, pod("new", "2", 10)),
                         touchstone.decide(CLUSTER, pod("new", "2", 10), release="v1.37.2"))
        decision = loaded.preempt(touchstone.Pod(pod("new", "2", 10)))
        self.assertEqual((decision.outcome, decision.node, decision.victims), (Outcome.NOMINATED, "n0", ["a/p0"]))
        loaded.remove("Pod", "p0", "a")
        self.assertEqual(loaded.pods, 1)
        new = touchstone.Pod(pod("new", "2", 10))
        scheduled = loaded.schedule(new, start=1)
        self.assertEqual((scheduled.outcome, scheduled.node), (Outcome.SCHEDULED, "n0"))
        self.assertIsNotNone(scheduled.next_start)
        loaded.bind(new, "n0")
        loaded.put("Node", node("n2", "8"))
        self.assertEqual((loaded.nodes, loaded.pods), (3, 2))
        self.assertEqual(loaded.schedule(touchstone.Pod(pod("big", "8", 0))).node, "n2")

    def test_raises_errors_with_code_place_and_text(self):
        with self.assertRaises(Error) as caught:
            touchstone.decide({"nodes": [{"metadata": {}}]}, pod("new", "1", 0), release="v1.37.2")
        self.assertEqual((caught.exception.code, caught.exception.place),
                         ("missing-field", "line: nodes[0] (Node).metadata.name"))
        self.assertTrue(caught.exception.text)
        with self.assertRaises(Error) as caught:
            touchstone.Cluster({"nodes": 7})
        self.assertEqual(caught.exception.code, "wrong-type")
        with self.assertRaises(Error) as caught:
            touchstone.Pod('{"metadata": ')
        self.assertEqual(caught.exception.code, "json-malformed")

    def test_a_closed_handle_is_an_error(self):
        loaded = touchstone.Cluster(CLUSTER)
        loaded.close()
        loaded.close()
        with self.assertRaises(Error) as caught:
            loaded.schedule(touchstone.Pod(pod("new", "1", 0)))
        self.assertEqual(caught.exception.code, "invalid-handle")

    def test_answers_a_scheduler_over_time(self):
        subject = touchstone.Subject()
        subject.ask({"cmd": "init", "release": "v1.36.3", "now": "2026-01-01T00:00:00Z",
                     "nodes": [node("n0", "4")], "pods": [pod("p", "1", 0)]})
        self.assertEqual(subject.ask({"cmd": "cycle"})["outcome"], "scheduled")
        self.assertIsNone(subject.ask({"cmd": "bye"}))

    def test_releases_the_gil(self):
        """While one thread decides, another one runs: it counts during a single call."""
        many = {"release": "v1.37.2", "nodes": [node(f"n{i}", "4") for i in range(300)],
                "pods": [pod(f"p{i}-{j}", "1", j, f"n{i}") for i in range(300) for j in range(4)]}
        loaded = touchstone.Cluster(many)
        question = '{"cmd": "run", "pod": %s}' % touchstone._objects.encoded(pod("new", "2", 10)).decode()
        counted = [0]
        over = threading.Event()

        def count():
            while not over.is_set():
                counted[0] += 1
                time.sleep(0)

        thread = threading.Thread(target=count)
        thread.start()
        switch = sys.getswitchinterval()
        sys.setswitchinterval(1000)  # a thread that holds the GIL is not interrupted
        try:
            address = touchstone._cluster.ctypes.c_void_p()
            before = counted[0]
            touchstone._library.check(touchstone._library.library.touchstone_cluster_ask(
                loaded._address, 0, question.encode(), len(question), touchstone._cluster.ctypes.byref(address)))
            during = counted[0] - before
        finally:
            sys.setswitchinterval(switch)
            over.set()
            thread.join()
        touchstone._library.taken_text(address)
        self.assertGreater(during, 0)

    def test_does_not_grow(self):
        loaded = touchstone.Cluster(CLUSTER)
        asked = touchstone.Pod(pod("new", "2", 10))

        def round_of(count):
            for number in range(count):
                loaded.schedule(asked)
                loaded.put("Pod", pod(f"q{number % 7}", "1", 0, "n1"))
                loaded.remove("Pod", f"q{number % 7}", "a")
                touchstone.decide(loaded, pod("new", "2", 10))
                try:
                    touchstone.Pod("{")
                except Error:
                    pass
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = round_of(2000)
        after = round_of(4000)
        self.assertLess(after - before, 8 * 1024)  # kilobytes; a leak of each answer would have more

    def test_names_what_is_missing_if_there_is_no_library(self):
        with mock.patch.dict(os.environ, {"TOUCHSTONE_LIBRARY": "/no/such/library.so"}):
            with self.assertRaisesRegex(ImportError, "TOUCHSTONE_LIBRARY"):
                touchstone._library._load()


if __name__ == "__main__":
    unittest.main()
