#!/usr/bin/env python3
"""An extender for kube-scheduler: it keeps pods off nodes with the label maintenance=soon, prefers nodes with the label
disk=ssd, and never lets the scheduler evict more than two pods of a node.

    python3 examples/extenders/extender.py 8888
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def labels(node):
    return node["metadata"].get("labels", {})


def filtered(call):
    """The nodes that the pod may use, and why it may not use the others."""
    nodes = call["nodes"]["items"]
    passing = [node for node in nodes if labels(node).get("maintenance") != "soon"]
    failed = {node["metadata"]["name"]: "node is about to be maintained" for node in nodes if node not in passing}
    return {"nodes": {"items": passing}, "failedNodes": failed}


def prioritized(call):
    """A score from 0 to 10 for each node."""
    return [{"host": node["metadata"]["name"], "score": 10 if labels(node).get("disk") == "ssd" else 0}
            for node in call["nodes"]["items"]]


def preempted(call):
    """The candidates on which the scheduler may evict pods, with their victims by UID."""
    return {"nodeNameToMetaVictims": {
        name: {"pods": [{"uid": pod["metadata"]["uid"]} for pod in victims["pods"]],
               "numPDBViolations": victims.get("numPDBViolations", 0)}
        for name, victims in call["nodeNameToVictims"].items() if len(victims["pods"]) <= 2}}


VERBS = {"/filter": filtered, "/prioritize": prioritized, "/preempt": preempted}


class Extender(BaseHTTPRequestHandler):
    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        verb = VERBS.get(self.path)
        answer = json.dumps(verb(call) if verb else {}).encode()
        self.send_response(200 if verb else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Extender).serve_forever()
