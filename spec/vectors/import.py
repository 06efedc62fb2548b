#!/usr/bin/env python3
"""Writes the vector files beside this script from recordings of kube-scheduler releases.

    python3 spec/vectors/import.py recordings core rich sample scores config extender policy [--out DIR] [--only NAMES]

The recordings' directory holds for each SET `SET-cases.jsonl` and, a release each, `SET-vX.Y.Z.jsonl` (any of them
may be gzipped; those of `scores` are named `score-…`). Written are `SET/FAMILY.json` beside this script, or in DIR; README.md says how to read
them. NAMES is a file with the names of the cases to write, a line each, such as
`touchstone vectors DIR --choose 2` prints; without it all are written. On the way

- objects lose what cannot matter to a decision (`trimmed`), so that a person can read them;
- answers take the words of the protocol (`normalised`);
- equal answers are written once, for ranges of releases (`grouped`);
- `clauses` that a file already has are kept: `touchstone vectors --update` fills them. Questions to
  `schedule` have the clauses of their family (`SCORE_CLAUSES`), of what they configure (`clauses_of_config`), or of their
  extenders (`clauses_of_extenders`).
"""
import argparse
import gzip
import json
import re
import sys
from pathlib import Path

PLUGINS = "the default plugins with DefaultPreemption"
ORIGIN = {  # what code answered, where it was not PLUGINS alone
    "core": "the internal selection functions with a resource-only fit test (v1.8.0, v1.10.0, "
            "v1.14.6, v1.15.3, v1.17.17, v1.18.20, v1.19.12), the whole scheduler (v1.13.0, v1.13.12, "
            f"v1.16.6, v1.18.2) or {PLUGINS} (the others), without filter and dryRun",
    "rich": f"the whole scheduler (up to v1.18.2) or {PLUGINS} (from v1.19.0)",
    "sample": f"{PLUGINS}, sampling from the offset, without filter and dryRun",
    "scores": "the whole scheduler (v1.13.0) or the default plugins with the choice of the host (the others), "
              "without filter",
    "config": "the whole cycle with a KubeSchedulerConfiguration that the release itself read",
    "extender": "the whole cycle, which asked a server that answered from the case's tables",
    "policy": "the whole cycle with a Policy that the release itself read",
}
SCHEDULES = ("scores", "config", "extender", "policy")  # sets of questions to `schedule`
RECORDED = {"scores": "score"}  # how the recordings name a set, where the name differs

# Cases of which recordings are wrong: those of v1.34.4 and v1.35.4 lost the nominated pods.
WRONG = {"scores/nominated-0164", "scores/nominated-0200"}

SPREAD = ["SCORE-SPREAD-1", "SCORE-SPREAD-3", "SCORE-SPREAD-4", "SCORE-SPREAD-6"]
DEFAULT_SPREAD = ["SCORE-SPREAD-2", "SCORE-SELECTOR-1", "SCORE-SELECTOR-2", "SCORE-SELECTOR-3"]
REQUESTS = ["SCORE-REQUESTS-1", "SCORE-REQUESTS-2", "SCORE-LEAST-1", "SCORE-BALANCED-1", "SCORE-BALANCED-2",
            "SCORE-BALANCED-5"]
AFFINITY = ["SCORE-AFFINITY-1", "SCORE-AFFINITY-2", "SCORE-AFFINITY-3"]
IMAGES = ["SCORE-IMAGE-1", "SCORE-IMAGE-2", "SCORE-IMAGE-3"]
TOTAL = ["CYC-TOTAL-1", "SCORE-SET-1"]
# The clauses that the families of `scores` are about. The part `edge` of a name does not matter.
SCORE_CLAUSES = {
    "resources": REQUESTS, "requests": REQUESTS, "podlevel": [*REQUESTS, "SCORE-REQUESTS-4"], "resize": REQUESTS,
    "taints": ["SCORE-TAINT-1", "SCORE-NORMAL-2"],
    "nodeaffinity": ["SCORE-NODEAFFINITY-1", "SCORE-NORMAL-1"],
    "images": IMAGES,
    "affinity": AFFINITY,
    "spread": SPREAD,
    "defaults": DEFAULT_SPREAD,
    "avoid": ["SCORE-AVOID-1"],
    "terminating": ["CYC-SEES-1", "SCORE-SPREAD-4"],
    "nominated": ["CYC-SEES-1"],
    "volume": ["SCORE-CAPACITY-1"],
    "mixed": TOTAL, "big": TOTAL,
    "few": ["CYC-ONE-1"],
}

# The clauses that each argument of a configuration shows, by a text in its JSON.
CONFIG_CLAUSES = {
    '"plugins"': ["CYC-PROFILE-1"],
    '"weight": ': ["CYC-TOTAL-1"],
    '"scoringStrategy"': ["SCORE-STRATEGY-1"],
    '"MostAllocated"': ["SCORE-STRATEGY-2"],
    '"RequestedToCapacityRatio"': ["SCORE-STRATEGY-3"],
    '"ignoredResource': ["CYC-PROFILE-2"],
    '"NodeResourcesBalancedAllocationArgs"': ["SCORE-STRATEGY-1"],
    '"InterPodAffinityArgs"': ["SCORE-AFFINITY-1"],
    '"defaultConstraints"': ["CYC-PROFILE-2", "SCORE-SPREAD-2"],
    '"addedAffinity": {"required': ["CYC-PROFILE-2"],
    '"addedAffinity": {"preferred': ["SCORE-NODEAFFINITY-3"],
    '"percentageOfNodesToScore"': ["CYC-SEARCH-1"],
    '"score": {"disabled": [{"name": "*"}]}': ["CYC-SEARCH-3"],
    '"second"': ["CYC-PROFILE-1"],
}

# The clauses that an extender shows, by a text in its JSON, for a pod that is scheduled and for one that is not.
EXTENDER_CLAUSES = {
    '"filterVerb"': (["EXT-FILTER-1"], ["EXT-FILTER-1"]),
    '": "failed': (["EXT-FILTER-2"], ["EXT-FILTER-2"]),
    '": "unresolvable': (["EXT-FILTER-2"], ["EXT-FILTER-2"]),
    '"filter": "error"': (["EXT-ERROR-1"], ["EXT-ERROR-1", "EXT-ERROR-2"]),
    '"prioritizeVerb"': (["EXT-SCORE-1", "EXT-SCORE-2"], []),
    '"nodeCacheCapable": false': (["EXT-RECORD-1"], []),
    '"preemptVerb"': ([], ["EXT-PREEMPT-1"]),
    '"preempt": {': ([], ["EXT-PREEMPT-2"]),
    '"preempt": "error"': ([], ["EXT-ERROR-1"]),
    '"victims": []': ([], ["EXT-PREEMPT-3"]),
    '"ignorable": true': (["EXT-ORDER-1"], ["EXT-ORDER-1"]),
    '"managedResources"': (["EXT-INTEREST-1"], ["EXT-INTEREST-1"]),
    '"ignoredByScheduler": true': (["EXT-RESOURCE-1"], ["EXT-RESOURCE-1"]),
    '"ghost": "ok"': (["EXT-UNKNOWN-1"], ["EXT-UNKNOWN-1"]),
}
# What single cases show besides.
EXTENDER_CASE_CLAUSES = {"fits-0067": ["EXT-NOMINATED-1", "EXT-FILTER-3"], "fits-0097": ["EXT-UNKNOWN-2"],
                         "fits-0058": ["EXT-FILTER-3"], "preempt-0006": ["EXT-FILTER-3"]}

# The clauses of a name or an argument in a Policy.
POLICY_CLAUSES = {
    "PodFitsPorts": ["POL-SET-2"], "GeneralPredicates": ["POL-SET-2"], "labelsPresence": ["POL-SET-2"],
    "serviceAffinity": ["POL-SET-2"], "EqualPriority": ["POL-EQUAL-1"], "MostRequestedPriority": ["POL-MOST-1"],
    "RequestedToCapacityRatioPriority": ["POL-RATIO-1"], "requestedToCapacityRatioArguments": ["POL-RATIO-1"],
    "labelPreference": ["POL-PREFER-1"], "serviceAntiAffinity": ["POL-APART-1"],
    "ServiceSpreadingPriority": ["POL-SPREAD-1"],
}

# Releases from which one candidate map can lead to another choice: start time, the fifth criterion.
# The nodes chosen before and after must not be united.
CHOICE_CHANGED = [(1, 15)]
# The same for the host of a whole cycle: at random, the root of a heap.
HOST_CHANGED = [(1, 16), (1, 35)]

LISTS = ["nodes", "pods", "pdbs", "namespaces", "services", "replicationControllers", "replicaSets",
         "statefulSets", "pvcs", "pvs", "storageClasses", "csiNodes", "csiDrivers",
         "volumeAttachments", "csiStorageCapacities"]
IDLE = {"*": ["apiVersion", "kind", "metadata.uid", "metadata.creationTimestamp",
              "metadata.deletionGracePeriodSeconds"],
        "nodes": ["status.capacity"],
        "pods": ["spec.runtimeClassName", "spec.containers[].image", "spec.initContainers[].image",
                 "spec.containers[].ports[].containerPort",
                 "spec.initContainers[].ports[].containerPort"],
        "pdbs": ["status.currentHealthy", "status.desiredHealthy", "status.expectedPods"],
        "pvcs": ["metadata.finalizers", "metadata.ownerReferences[].apiVersion",
                 "metadata.ownerReferences[].blockOwnerDeletion", "status.accessModes", "status.capacity"],
        "pvs": ["metadata.finalizers", "spec.persistentVolumeReclaimPolicy", "spec.claimRef.apiVersion",
                "spec.claimRef.kind", "spec.gcePersistentDisk.fsType"],
        "storageClasses": ["reclaimPolicy"],
        "csiNodes": ["spec.drivers[].nodeID", "spec.drivers[].topologyKeys"],
        "csiDrivers": ["spec.attachRequired", "spec.podInfoOnMount", "spec.volumeLifecycleModes"],
        "volumeAttachments": ["status"]}
# In a question to `schedule` images matter, and the objects that select pods are there.
IDLE_OF_SCORES = IDLE | {
    "pods": [*(path for path in IDLE["pods"] if not path.endswith(".image")),
             *(f"status.containerStatuses[].{key}" for key in ("image", "imageID", "ready", "restartCount"))],
    "services": ["spec.ports"],
    "replicationControllers": ["spec.replicas"],
    "replicaSets": ["spec.replicas"],
    "statefulSets": ["spec.replicas", "spec.serviceName"]}
# Dropped when {}. Elsewhere {} means something: an empty selector is not an absent selector.
HOLLOW = {"spec", "status", "labels", "annotations", "resources", "requests", "limits"}
POSITION = {"metadata": 0, "spec": 2, "status": 3}  # others, such as provisioner: 1


def pruned(value, idle, path=""):
    """A copy without the paths of `idle`, null and [] members, and {} members named in HOLLOW."""
    if isinstance(value, list):
        return [pruned(element, idle, path + "[]") for element in value]
    if not isinstance(value, dict):
        return value
    copy = {}
    for key, member in value.items():
        inner = f"{path}.{key}".lstrip(".")
        member = None if inner in idle else pruned(member, idle, inner)
        if member not in (None, []) and not (member == {} and key in HOLLOW):
            copy[key] = member
    return copy


def named_uids(case):
    """The UIDs by which objects of the case name others: owners of claims and of pods, claims of volumes."""
    owned = [*case.get("pvcs", []), *case["pods"], case["pod"]]
    owners = [owner for thing in owned for owner in thing["metadata"].get("ownerReferences", [])]
    claims = [volume["spec"]["claimRef"] for volume in case.get("pvs", []) if "claimRef" in volume["spec"]]
    return {each["uid"] for each in owners + claims if "uid" in each}


def trimmed(kind, thing, uids, idle_of):
    """An object of the list `kind` as a person wants to read it; it keeps its UID if that is of `uids`."""
    idle = idle_of["*"] + idle_of.get(kind, [])
    if thing["metadata"].get("uid") in uids:
        idle.remove("metadata.uid")
    status = thing.get("status", {})
    if status.get("phase") in ("Pending", "Running"):
        idle.append("status.phase")
    if kind == "nodes" and status.get("conditions") == [{"type": "Ready", "status": "True"}]:
        idle.append("status.conditions")
    copy = pruned(thing, idle)
    return {key: copy[key] for key in sorted(copy, key=lambda key: POSITION.get(key, 1))}


def question(case, idle_of):
    """The case as the protocol asks it; empty lists are left out."""
    strange = set(case) - set(LISTS) - {"name", "offset", "pod", "start", "config", "extenders"}
    assert not strange, f"{case['name']}: unknown keys {strange}"
    asked = {key: case[key] for key in ("offset", "start", "config", "extenders") if key in case}
    uids = named_uids(case)
    asked |= {kind: [trimmed(kind, thing, uids, idle_of) for thing in case[kind]]
              for kind in LISTS if case.get(kind)}
    asked["pod"] = trimmed("pods", case["pod"], uids, idle_of)
    pods = [pod["metadata"] for pod in [*asked.get("pods", []), asked["pod"]]]
    identities = {(pod["namespace"], pod["name"]) for pod in pods}
    assert len(identities) == len(pods), f"{case['name']}: two pods look the same"
    return asked


def normalised(case, recorded):
    """The recorded answer in the protocol's words, and the nodes chosen in its runs."""
    namespaces = {pod["metadata"]["name"]: pod["metadata"]["namespace"] for pod in case["pods"]}
    assert len(namespaces) == len(case["pods"]), f"{case['name']}: names of pods are not unique"
    assert len(recorded["candidates"]) == 1, f"{case['name']}: several candidate maps"
    candidates = {node: {**candidate, "victims": [f"{namespaces[victim]}/{victim}"
                                                  for victim in candidate["victims"]]}
                  for node, candidate in recorded["candidates"][0].items()}
    chosen = set(recorded["nominated"]) - {"fits", "none"}
    assert chosen <= set(candidates), f"{case['name']}: a chosen node is no candidate"
    if "error" in recorded:
        outcome = "error"
    elif chosen:
        outcome = "nominated"
        assert chosen == set(recorded["nominated"]), f"{case['name']}: nominated or not?"
    else:
        outcome, = recorded["nominated"]
        assert not candidates, f"{case['name']}: candidates, but none chosen"
        if outcome == "none" and recorded.get("ineligible"):
            outcome = "ineligible"
    answer = {"outcome": outcome, "candidates": candidates}
    answer |= {key: recorded.get(key) for key in ("ineligible", "error", "filter", "dryRun")}
    return {key: member for key, member in answer.items() if member}, chosen


def ranges(indices, releases):
    """["A..B", "C"]: the runs of neighbours in `releases`."""
    runs = []
    for index in indices:
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return [releases[a] if a == b else f"{releases[a]}..{releases[b]}" for a, b in runs]


def grouped(case, recorded, releases):
    """The answers of all `releases`, equal ones once, in order of their first release.

    The chosen nodes are united first over the releases that answer alike and choose by one rule:
    24 runs need not show every member of a tie.
    """
    answers = [normalised(case, recorded[release][case["name"]]) for release in releases]
    alike = [json.dumps([answer, sum(number(release) >= change for change in CHOICE_CHANGED)],
                        sort_keys=True) for (answer, _), release in zip(answers, releases)]
    observed = {key: set() for key in alike}
    for key, (_, chosen) in zip(alike, answers):
        observed[key] |= chosen
    groups = {}
    for index, (key, (answer, _)) in enumerate(zip(alike, answers)):
        if observed[key]:
            answer = answer | {"observed": sorted(observed[key])}
        groups.setdefault(json.dumps(answer, sort_keys=True), (answer, []))[1].append(index)
    return [{"releases": ranges(indices, releases), "answer": answer}
            for answer, indices in groups.values()]


def clauses_of_config(case):
    text = json.dumps(case["config"])
    return list(dict.fromkeys(clause for part, clauses in CONFIG_CLAUSES.items() if part in text for clause in clauses))


def clauses_of_extenders(case, answers):
    """The clauses that a case with extenders shows; `answers`: of all releases."""
    scheduled = any(answer.get("outcome") == "scheduled" for answer in answers)
    shown = []
    for extender in case.get("extenders", []):
        text = json.dumps(extender)
        for part, (if_scheduled, otherwise) in EXTENDER_CLAUSES.items():
            shown += (if_scheduled if scheduled else otherwise) if part in text else []
        missing = {node["metadata"]["name"] for node in case["nodes"]} - set(extender.get("filter", []))
        shown += ["EXT-DROP-1"] if "filter" in extender and extender["filter"] != "error" and missing else []
    shown += ["EXT-ANSWER-1"] if shown else []
    return list(dict.fromkeys([*shown, *EXTENDER_CASE_CLAUSES.get(case["name"], [])]))


def clauses_of_policy(case, answer):
    """The clauses that a case with a Policy shows."""
    policy = case["config"]
    shown = clauses_of_extenders(case, [answer])
    shown += [clause for key, clause in (("predicates", "POL-SET-1"), ("priorities", "POL-SET-3")) if key in policy]
    named = [*(policy.get("predicates") or []), *(policy.get("priorities") or [])]
    for entry in named:
        for kind in [entry["name"], *entry.get("argument", {})]:
            shown += POLICY_CLAUSES.get(kind, [])
    if policy.get("alwaysCheckAllPredicates") and answer["outcome"] != "scheduled":
        shown.append("POL-ALL-1")
    return list(dict.fromkeys(["POL-REFUSED-1"] if answer["outcome"] == "refused" else shown))


def configured(case, recorded, release):
    """The recorded answer to a case with a configuration in the protocol's words, and the hosts of its runs."""
    if recorded["outcome"] == "scheduled":
        answer, chosen = placed(recorded)
        answer |= {"filter": recorded["filter"]} if "filter" in recorded else {}
        if "extenders" in case and number(release) >= HOST_CHANGED[-1]:
            answer.pop("best", None)  # which of them may be the host depends on the extenders' entries
        # Where the order of the search is known, the root of the heap is the one host.
        elif "start" in case and number(release) >= HOST_CHANGED[-1] and "best" in answer:
            answer["best"] = sorted(chosen)
        return answer, chosen
    namespaces = {pod["metadata"]["name"]: pod["metadata"]["namespace"] for pod in case["pods"]}
    answer = {"outcome": recorded["outcome"]}
    if "candidates" in recorded:
        answer["candidates"] = {node: {**candidate, "victims": [f"{namespaces[victim]}/{victim}"
                                                                for victim in candidate["victims"]]}
                                for node, candidate in recorded["candidates"].items()}
    answer |= {key: recorded[key] for key in ("filter", "nomination") if key in recorded}
    # What the dry run found on candidates is in `candidates`.
    rejected = {node: found for node, found in recorded.get("dryRun", {}).items() if "code" in found}
    return answer | ({"dryRun": rejected} if rejected else {}), {}


def placed(recorded):
    """The recorded placement in the protocol's words, and the hosts of its runs. A score of 0 is left out: a scorer
    that the release skips gives 0, too."""
    if not recorded["feasible"]:
        return {"feasible": []}, {}
    answer = {"outcome": "scheduled", "feasible": recorded["feasible"]}
    if "scores" not in recorded:
        node, = recorded["feasible"]
        return answer | {"node": node}, {}
    scores = {node: {scorer: score for scorer, score in row.items() if scorer != "total" and score}
              for node, row in recorded["scores"].items()}
    totals = {node: row["total"] for node, row in recorded["scores"].items()}
    return answer | {"scores": scores, "totals": totals, "best": recorded["best"]}, recorded["chosen"]


def grouped_placements(case, recorded, releases):
    """The placements by all `releases`, equal ones once, in order of their first release. Choices of the host are
    added up over the releases that answer alike and choose by one rule."""
    groups = {}
    for index, release in enumerate(releases):
        answered = recorded[release][case["name"]]
        if "left" in answered:  # the release does not read the configuration of the case
            continue
        is_whole = "config" in case or "extenders" in case
        answer, chosen = configured(case, answered, release) if is_whole else placed(answered)
        is_tie = len(answer.get("best", chosen)) > 1
        rule = sum(number(release) >= change for change in HOST_CHANGED) if is_tie else None
        _, all_chosen, indices = groups.setdefault(json.dumps([answer, rule], sort_keys=True), (answer, {}, []))
        indices.append(index)
        for node, count in chosen.items():
            all_chosen[node] = all_chosen.get(node, 0) + count
    return [{"releases": ranges(indices, releases),
             "answer": answer | ({"chosen": dict(sorted(chosen.items()))} if chosen else {})}
            for answer, chosen, indices in groups.values()]


def line(value):
    return json.dumps(value, ensure_ascii=False)


def laid_out(indent, elements):
    return "[\n" + ",\n".join(indent + element for element in elements) + "]"


def case_text(name, clauses, asked, answers):
    """One case: a Kubernetes object a line, an answer a line."""
    members = ",\n".join(
        f"  {line(key)}: " + (laid_out("   ", map(line, member)) if key in LISTS else line(member))
        for key, member in asked.items())
    return (f'{{"name": {line(name)},\n "clauses": {line(clauses)},\n'
            f' "question": {{\n{members}}},\n'
            f' "answers": {laid_out("  ", map(line, answers))}}}')


def number(release):
    return tuple(map(int, re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)", release).groups()))


def lines_of(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(text) for text in file]


def import_set(recordings, name, target, wanted):
    schedules = name in SCHEDULES
    recorded = {}
    prefix = RECORDED.get(name, name)
    for path in recordings.glob(f"{prefix}-v*.jsonl*"):
        # v1.19.0-rc.4 stands for v1.19.0.
        release = re.match(r"v\d+\.\d+\.\d+", path.name.removeprefix(f"{prefix}-"))[0]
        assert release not in recorded, f"{path}: {release} was recorded twice"
        recorded[release] = {answer["name"]: answer for answer in lines_of(path)}
    releases = sorted(recorded, key=number)
    origin = ("Recorded from running kube-scheduler releases; what answered: "
              f"{ORIGIN.get(name, PLUGINS)}; see README.md.")
    families = {}
    for case in lines_of(next(recordings.glob(f"{prefix}-cases.jsonl*"))):
        family, *_, index = case["name"].split("-")
        full_name = f"{name}/{family}-{index}"
        if full_name not in WRONG and (wanted is None or full_name in wanted):
            families.setdefault(family, []).append((full_name, case))
    target.mkdir(parents=True, exist_ok=True)
    for family, members in sorted(families.items()):
        path = target / f"{family}.json"
        known = json.loads(path.read_text(encoding="utf-8"))["cases"] if path.exists() else []
        clauses = {case["name"]: case["clauses"] for case in known}
        shown = []
        if name == "scores":
            shown = SCORE_CLAUSES[family.removeprefix("edge")]
            clauses = {}
        if name == "config":
            clauses = {full_name: clauses_of_config(case) for full_name, case in members}
        if name == "policy":
            clauses = {full_name: clauses_of_policy(case, recorded["v1.13.0"][case["name"]])
                       for full_name, case in members}
        if name == "extender":
            clauses = {full_name: clauses_of_extenders(case, [answers[case["name"]] for answers in recorded.values()])
                       for full_name, case in members}
        answers_of = grouped_placements if schedules else grouped
        cases = [case_text(full_name, clauses.get(full_name, shown),
                           question(case, IDLE_OF_SCORES if schedules else IDLE),
                           answers_of(case, recorded, releases)) for full_name, case in members]
        statuses = name not in ("config", "extender", "policy") and any("filter" in answer for answers in recorded.values() for answer in answers.values())
        command = '"command": "schedule",\n' if schedules else ""
        text = (f'{{\n"origin": {line(origin)},\n{command}"recorded": true,\n"statuses": {line(statuses)},\n'
                f'"releases": {line(releases)},\n'
                f'"cases": {laid_out("", cases)}\n}}\n')
        path.write_text(text, encoding="utf-8")
        print(f"{name}/{family}.json: {len(members)} cases, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", type=Path)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--only", type=Path)
    options = parser.parse_args()
    names = set(options.only.read_text(encoding="utf-8").split()) if options.only else None
    for set_name in options.sets:
        import_set(options.recordings, set_name, options.out / set_name, names)
