#!/usr/bin/env python3
"""A subject without preemption, which says of each node that the pod fits there."""
import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    if question["cmd"] == "hello":
        answer = {"name": "fits everywhere", "version": "1", "protocol": 1, "releases": [],
                  "features": ["core", "fits.NodeResourcesFit"]}
    else:
        answer = {"seq": question["seq"],
                  "fits": {node["metadata"]["name"]: True for node in question.get("nodes", [])}}
    print(json.dumps(answer), flush=True)
