"""Asks about pods of a small cluster with the Python package.

    pip install library/python && python3 decide.py
"""

import touchstone


def pod(name, cpu, priority, node=None):
    spec = {"priority": priority, "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]}
    if node:
        spec["nodeName"] = node
    return {"metadata": {"name": name, "namespace": "shop", "uid": name}, "spec": spec}


def node(name, cpu):
    return {"metadata": {"name": name}, "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "110"}}}


cluster = {"nodes": [node("a", "4"), node("b", "2")], "pods": [pod("batch", "4", 0, "a"), pod("report", "1", 10, "b")]}

answer = touchstone.decide(cluster, pod("web", "2", 100), release="v1.37.2")
print(answer["outcome"], answer["node"], answer["victims"])
for name, status in answer["filter"].items():
    print(f"  {name}: {status['reasons']}")

print(touchstone.schedule(cluster, pod("small", "1", 0), release="v1.37.2")["node"])

# Loaded once, changed, and asked many times.
loaded = touchstone.Cluster(cluster, release="v1.37.2")
for number in range(3):
    web = touchstone.Pod(pod(f"web-{number}", "1", 100))
    decision = loaded.schedule(web)
    print(f"web-{number}", decision.outcome.name, decision.node, decision.victims)
    for victim in decision.victims:
        namespace, name = victim.split("/")
        loaded.remove("Pod", name, namespace)
    loaded.bind(web, decision.node)
print(f"{loaded.nodes} nodes, {loaded.pods} pods")

try:
    touchstone.decide({"nodes": [{"metadata": {}}]}, pod("web", "1", 0), release="v1.37.2")
except touchstone.Error as error:
    print(f"{error.code} at {error.place}")
