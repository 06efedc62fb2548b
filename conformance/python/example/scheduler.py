"""A scheduler that preempts as kube-scheduler v1.34 does, for clusters of nodes, pods, requests and priorities.

test_scheduler.py judges it. Quantities are exact; everything else of Kubernetes is left out.
"""
import re
from fractions import Fraction
from math import ceil

UNITS = {"": 1, "n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000), "k": 1000,
         **{unit: 1000**power for power, unit in enumerate("MGTPE", 2)},
         **{unit + "i": 1024**power for power, unit in enumerate("KMGTPE", 1)}}
COUNTED = re.compile("(cpu|memory|ephemeral-storage|hugepages-.*|.*/.*)$")  # kube-scheduler ignores other resources
LATER_THAN_ALL = "~"  # the start of a pod that has not started


def amount(name, quantity):
    """A quantity as an integer: cpu in milli, every other resource in whole units, rounded up."""
    digits = str(quantity).rstrip("numkKMGTPEi")
    value = Fraction(digits) * UNITS[str(quantity)[len(digits):]]
    return ceil(value * 1000 if name == "cpu" else value)


def requests(pod):
    total = {}
    for container in pod["spec"].get("containers", []):
        for name, quantity in container.get("resources", {}).get("requests", {}).items():
            if COUNTED.match(name):
                total[name] = total.get(name, 0) + amount(name, quantity)
    return total


def priority(pod):
    return pod["spec"].get("priority", 0)


def start(pod):
    return pod.get("status", {}).get("startTime") or LATER_THAN_ALL


def name_of(pod):
    return pod["metadata"].get("namespace", "default") + "/" + pod["metadata"]["name"]


def is_same(pod, other):
    key = [(each["metadata"].get("uid", ""), name_of(each)) for each in (pod, other)]
    return key[0][0] == key[1][0] if key[0][0] or key[1][0] else key[0] == key[1]


def allocatable(node, name):
    return amount(name, node.get("status", {}).get("allocatable", {}).get(name, 0))


def fits(pod, node, others):
    if len(others) + 1 > allocatable(node, "pods"):
        return False
    used = [requests(other) for other in others]
    return all(wanted == 0 or wanted <= allocatable(node, name) - sum(each.get(name, 0) for each in used)
               for name, wanted in requests(pod).items())


def victims_on(pod, node, pods):
    """The pods to evict from the node, or None if that does not help."""
    potential = [each for each in pods if priority(each) < priority(pod)]
    staying = [each for each in pods if priority(each) >= priority(pod)]
    if not potential or not fits(pod, node, staying):
        return None
    # Among unstarted pods of equal priority, kube-scheduler up to v1.36 considers the last one the most important.
    unstarted = [each for each in potential if start(each) == LATER_THAN_ALL]
    started = [each for each in potential if start(each) != LATER_THAN_ALL]
    victims = []
    for candidate in sorted(started + unstarted[::-1], key=lambda each: (-priority(each), start(each))):
        if fits(pod, node, [*staying, candidate]):
            staying.append(candidate)  # reprieved
        else:
            victims.append(candidate)
    return victims


def cost(victims):
    """The candidate with the lowest cost is chosen. A late start is cheap, so strings are compared in reverse."""
    highest = priority(victims[0])
    earliest = min(start(each) for each in victims if priority(each) == highest)
    return highest, sum(priority(each) + 2**31 for each in victims), len(victims), [-ord(char) for char in earliest]


def decide(question):
    """The answer to a question of Touchstone's protocol."""
    pod, nodes = question["pod"], question.get("nodes", [])
    for each in [pod, *question.get("pods", [])]:
        each.setdefault("spec", {})
    if not nodes:
        return {"outcome": "error"}
    on = {node["metadata"]["name"]: [] for node in nodes}
    for other in question.get("pods", []):
        running = other.get("status", {}).get("phase") not in ("Succeeded", "Failed")
        if other["spec"].get("nodeName") in on and running and not is_same(pod, other):
            on[other["spec"]["nodeName"]].append(other)

    feasible = [name for node in nodes if fits(pod, node, on[name := node["metadata"]["name"]])]
    if feasible:
        return {"outcome": "fits", "feasible": feasible}
    if pod["spec"].get("preemptionPolicy") == "Never":
        return {"outcome": "ineligible"}
    candidates = {}
    for node in nodes:
        name = node["metadata"]["name"]
        victims = victims_on(pod, node, on[name])
        if victims:
            candidates[name] = victims
    if not candidates:
        return {"outcome": "none"}
    chosen = min(candidates, key=lambda name: cost(candidates[name]))
    return {"outcome": "nominated", "node": chosen, "victims": [name_of(each) for each in candidates[chosen]]}
