#include "fuzz/campaign/laws.hpp"

#include <algorithm>

#include "fuzz/generate/facts.hpp"

namespace touchstone::fuzz {

namespace {

/// Gives an object another name. The new names sort in the opposite order. Each character becomes two
/// letters. A final "z" sorts after all other letters, so that a name comes after the longer names that
/// begin with it.
void rename(std::string& name) {
  if (name.empty()) return;
  constexpr int k_letters = 16;
  std::string other;
  for (const char c : name) {
    const int rank = 255 - static_cast<unsigned char>(c);
    other += static_cast<char>('a' + rank / k_letters);
    other += static_cast<char>('a' + rank % k_letters);
  }
  name = other + "z";
}

/// The new names of the claims of ephemeral volumes, by namespace/name. The name of such a claim begins with
/// the name of its pod.
using ClaimNames = std::map<std::string, std::string>;

ClaimNames names_of_ephemeral_claims(const Question& question) {
  ClaimNames names;
  const auto add = [&names](const Pod& pod) {
    std::string pod_name = pod.name;
    rename(pod_name);
    for (const Volume& volume : pod.volumes) {
      if (volume.source.kind == "ephemeral")
        names[pod.ns + "/" + pod.name + "-" + volume.name] = pod_name + "-" + volume.name;
    }
  };
  for (const Pod& pod : question.cluster.pods) add(pod);
  add(question.pod);
  return names;
}

void rename_claim(const std::string& ns, std::string& name, const ClaimNames& names) {
  const auto found = names.find(ns + "/" + name);
  if (found == names.end()) return rename(name);
  name = found->second;
}

template <typename Object>
std::map<std::string, Object> with_renamed(const std::map<std::string, Object>& objects,
                                           const std::function<void(Object&)>& change) {
  std::map<std::string, Object> renamed;
  for (const auto& [key, object] : objects) {
    Object other = object;
    change(other);
    const std::size_t ns = key.find('/') == std::string::npos ? 0 : key.find('/') + 1;
    renamed[key.substr(0, ns) + other.name] = std::move(other);
  }
  return renamed;
}

/// Renames claims, volumes, and the nodes that storage objects refer to.
Storage with_renamed(const Storage& storage, const ClaimNames& names) {
  Storage renamed = storage;
  renamed.claims = with_renamed<PersistentVolumeClaim>(storage.claims, [&](PersistentVolumeClaim& claim) {
    rename_claim(claim.ns, claim.name, names);
    rename(claim.volume_name);
    if (claim.selected_node) rename(*claim.selected_node);
  });
  renamed.volumes = with_renamed<PersistentVolume>(storage.volumes, [&](PersistentVolume& volume) {
    rename(volume.name);
    if (volume.claim) rename_claim(volume.claim->ns, volume.claim->name, names);
    if (!volume.node_affinity) return;
    for (NodeSelectorTerm& term : *volume.node_affinity) {
      for (Requirement& requirement : term.match_expressions) {
        if (requirement.key != k_hostname) continue;
        for (std::string& host : requirement.values) rename(host);
      }
    }
  });
  renamed.csi_nodes = with_renamed<CsiNode>(storage.csi_nodes, [](CsiNode& node) { rename(node.name); });
  renamed.attachments.clear();
  for (auto [node, attachment] : storage.attachments) {
    for (std::string* name : {&attachment.name, &attachment.node_name, &attachment.volume}) rename(*name);
    renamed.attachments.emplace(attachment.node_name, attachment);
  }
  return renamed;
}

Question with_renamed(const Question& question) {
  Question renamed = question;
  for (Node& node : renamed.cluster.nodes) {
    rename(node.name);
    if (node.labels.contains(k_hostname)) rename(node.labels[k_hostname]);
  }
  const ClaimNames names = names_of_ephemeral_claims(question);
  renamed.cluster.storage = with_renamed(question.cluster.storage, names);
  renamed.cluster.pods.push_back(renamed.pod);
  for (Pod& pod : renamed.cluster.pods) {
    for (std::string* name : {&pod.name, &pod.node_name, &pod.nominated_node_name}) rename(*name);
    for (Volume& volume : pod.volumes) {
      if (volume.source.kind == "persistentVolumeClaim") rename_claim(pod.ns, volume.source.id, names);
    }
  }
  renamed.pod = renamed.cluster.pods.back();
  renamed.cluster.pods.pop_back();
  for (PodDisruptionBudget& pdb : renamed.cluster.pdbs) {
    rename(pdb.name);
    for (std::string& name : pdb.disrupted_pods) rename(name);
  }
  if (!renamed.pod.node_affinity) return renamed;
  for (NodeSelectorTerm& term : *renamed.pod.node_affinity) {
    for (Requirement& field : term.match_fields) {
      for (std::string& name : field.values) rename(name);
    }
  }
  return renamed;
}

/// Clears the texts that contain names of objects: reasons of old releases, and the message of new releases.
void remove_words(Decision& decision) {
  decision.reason.clear();
  decision.message.clear();
  for (auto* statuses : {&decision.filter, &decision.dry_run}) {
    for (auto& [node, status] : *statuses) status.reasons.clear();
  }
}

}  // namespace

Decision decide(const oracle::Decider& decider, const Question& question, const Release& release) {
  Trace trace = Trace::none();
  return decider.preempt(question, release, trace);
}

Placement schedule(const oracle::Decider& decider, const Question& question, const Release& release) {
  return decider.schedule(question, release);
}

std::vector<BrokenLaw> broken_by_decision(const oracle::Decider& decider, const Question& question,
                                          const Release& release, const Decision& decision) {
  const auto fits = [&](const Cluster& cluster, const Pod& pod, NodeIndex node) {
    return decider.fits(release, cluster, pod, node);
  };
  return broken_laws(question, release, decision, fits);
}

bool depends_on_names(const oracle::Decider& decider, const Question& question, const Release& release) {
  Decision before = decide(decider, question, release);
  Decision after = decide(decider, with_renamed(question), release);
  remove_words(before);
  remove_words(after);
  return before != after;
}

bool depends_on_cordoned_node(const oracle::Decider& decider, const Question& question,
                              const Release& release) {
  // The cluster must have a node (PRE-CYCLE-2), and the pod must not tolerate the added node
  // (PRE-UNSCHEDULABLE-1).
  if (question.cluster.nodes.empty()) return false;
  Question smaller = question;
  smaller.pod.tolerations.clear();
  Question larger = smaller;
  Node node;
  node.name = "cordoned";
  node.unschedulable = true;
  larger.cluster.nodes.push_back(node);
  Decision before = decide(decider, smaller, release);
  Decision after = decide(decider, larger, release);
  // PRE-PREFILTER-3, PRE-PREFILTER-4: a node without a status gets a dry run, which finds no candidate
  // there.
  after.filter.erase(smaller.cluster.nodes.size());
  after.dry_run.erase(smaller.cluster.nodes.size());
  before.message = after.message;  // the message counts the added node
  return before != after;
}

bool misses_admissible(const oracle::Decider& decider, const Question& question, const Release& release) {
  const Decision decision = decide(decider, question, release);
  if (decision.outcome != Outcome::nominated) return false;
  constexpr std::size_t k_limit = 2000;
  const AnyOrder any_order = decider.any_order(question, release, k_limit);
  if (!any_order.unknown.empty()) return false;
  return std::any_of(decision.admissible.begin(), decision.admissible.end(), [&](std::size_t i) {
    Candidate answer = decision.candidates[i];
    std::sort(answer.victims.begin(), answer.victims.end());
    return std::find(any_order.answers.begin(), any_order.answers.end(), answer) == any_order.answers.end();
  });
}

std::vector<BrokenLaw> broken_by(const oracle::Decider& decider, const Question& question,
                                 const Release& release) {
  std::vector<BrokenLaw> broken =
      broken_by_decision(decider, question, release, decide(decider, question, release));
  if (depends_on_names(decider, question, release))
    broken.push_back({"PRE-NODE-6", "the decision changes when objects are renamed"});
  if (depends_on_cordoned_node(decider, question, release))
    broken.push_back(
        {"PRE-POTENTIAL-1", "the decision changes when a node is added that cannot be a candidate"});
  if (misses_admissible(decider, question, release))
    broken.push_back({"PRE-ANYORDER-1", "an answer is admissible in the given order, but in no order"});
  return broken;
}

}  // namespace touchstone::fuzz
