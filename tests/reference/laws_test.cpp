#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "reference/filters.hpp"
#include "reference/preempt.hpp"
#include "spec/properties.hpp"
#include "tests/support/any_question.hpp"

/// Laws of the reference, over small scenarios of every shape and over all epochs of releases.
namespace touchstone::tests {

namespace {

/// An answer by names, so that answers to the same question in another order compare.
using Answer = std::tuple<std::string, std::set<std::string>, Quantity>;

Answer named(const Cluster& cluster, const Candidate& candidate) {
  std::set<std::string> victims;
  for (const PodIndex victim : candidate.victims) victims.insert(cluster.pods[victim].full_name());
  return {cluster.nodes[candidate.node].name, victims, candidate.pdb_violations};
}

std::set<Answer> any_order_of(const Question& question, const Release& release) {
  std::set<Answer> answers;
  if (decide(question, release).outcome != Outcome::nominated) return answers;
  const AnyOrder any_order = reference::any_order(question, release, 100000);
  EXPECT_EQ(any_order.unknown, "");
  for (const Candidate& candidate : any_order.answers) answers.insert(named(question.cluster, candidate));
  return answers;
}

template <typename T>
void permute(std::vector<T>& items, Choices& choices) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i)
    std::swap(items[i], items[i + choices.pick(items.size() - i, "order")]);
}

/// The answers that some order gives, found by trying every one. Returns whether all were tried.
bool brute_force(const Question& question, const Release& release, std::set<Answer>& answers) {
  return explore(
      [&](Choices& choices) {
        Question ordered = question;
        permute(ordered.cluster.pods, choices);
        permute(ordered.cluster.pdbs, choices);
        if (release.candidate_sampling) {
          permute(ordered.cluster.nodes, choices);
          ordered.offset = 0;
        }
        const Decision decision = decide(ordered, release);
        for (const std::size_t i : decision.admissible)
          answers.insert(named(ordered.cluster, decision.candidates[i]));
      },
      2000000);
}

/// Few pods in all: the orders are tried one by one.
Question tiny_question(Choices& choices, const Release& release) {
  fuzz::Scenarios scenarios = small_scenarios(release, 3, 3);
  // An order decides among these; with other families there is seldom more than one answer.
  scenarios.families = {fuzz::Family::pdbs,        fuzz::Family::starts,        fuzz::Family::nominated,
                        fuzz::Family::terminating, fuzz::Family::resources,     fuzz::Family::ports,
                        fuzz::Family::affinity,    fuzz::Family::anti_affinity, fuzz::Family::spread,
                        fuzz::Family::rwop,        fuzz::Family::disks,         fuzz::Family::attach_limits};
  Question question = fuzz::scenario(choices, scenarios);
  if (question.cluster.pods.size() > 5) question.cluster.pods.resize(5);
  if (question.cluster.pdbs.size() > 2) question.cluster.pdbs.resize(2);
  return question;
}

}  // namespace

// PRE-ANYORDER-1, PRE-ANYORDER-2, PRE-ANYORDER-3: the same seeds every time, for every epoch.
TEST(AnyOrder, EqualsBruteForceForEveryEpoch) {
  for (std::size_t i = 0; i < k_epochs.size(); ++i) {
    const Release asked = release(k_epochs[i]);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SeededChoices choices(1000 * i + seed);
      Question question = tiny_question(choices, asked);
      if (asked.candidate_sampling && seed % 2 == 0)
        question.quota = static_cast<Quantity>(choices.pick(4, "quota"));
      std::set<Answer> expected;
      ASSERT_TRUE(brute_force(question, asked, expected));
      ASSERT_EQ(any_order_of(question, asked), expected) << "seed " << seed << "\n"
                                                         << text_of(question, asked);
    }
  }
}

// PRE-ANYORDER-1, PRE-ANYORDER-2
RC_GTEST_PROP(AnyOrder, EqualsBruteForceOverAllOrders, ()) {
  const Release release = any_release();
  fuzz::ByteChoices choices(any_bytes());
  const Question question = tiny_question(choices, release);
  RC_LOG(text_of(question, release));
  std::set<Answer> expected;
  RC_ASSERT(brute_force(question, release, expected));
  RC_CLASSIFY(expected.size() > 1);
  RC_ASSERT(any_order_of(question, release) == expected);
}

// PRE-ANYORDER-3
RC_GTEST_PROP(AnyOrder, EqualsBruteForceOverAllVisits, ()) {
  const Release release =
      tests::release(*rc::gen::element<std::string>("v1.20", "v1.31.3", "v1.34", "v1.37", "v1.38"));
  fuzz::ByteChoices choices(any_bytes());
  Question question = tiny_question(choices, release);
  question.quota = *rc::gen::inRange(0, 3);
  RC_LOG(text_of(question, release));
  std::set<Answer> expected;
  RC_ASSERT(brute_force(question, release, expected));
  RC_CLASSIFY(expected.size() > 1);
  RC_ASSERT(any_order_of(question, release) == expected);
}

// PRE-ANYORDER-1
RC_GTEST_PROP(AnyOrder, DoesNotDependOnTheOrderOfNodesPodsAndPdbs, ()) {
  const auto [release, question] = any_case(4, 6);
  Question other = question;
  fuzz::ByteChoices choices(any_bytes());
  permute(other.cluster.nodes, choices);
  permute(other.cluster.pods, choices);
  permute(other.cluster.pdbs, choices);
  RC_ASSERT(any_order_of(question, release) == any_order_of(other, release));
}

// PRE-ANYORDER-1
RC_GTEST_PROP(AnyOrder, ContainsWhatIsAdmissible, ()) {
  const auto [release, question] = any_case(4, 6);
  const std::set<Answer> answers = any_order_of(question, release);
  const Decision decision = decide(question, release);
  for (const std::size_t i : decision.admissible) {
    RC_ASSERT(answers.contains(named(question.cluster, decision.candidates[i])));
  }
}

namespace {

constexpr const char* k_hostname = "kubernetes.io/hostname";

void rename(std::string& name) { name = name.empty() ? name : "renamed-" + name; }

template <typename Object>
std::map<std::string, Object> with_renamed(const std::map<std::string, Object>& objects,
                                           const std::function<void(Object&)>& change) {
  std::map<std::string, Object> renamed;
  for (const auto& [key, object] : objects) {
    Object other = object;
    rename(other.name);
    change(other);
    const std::size_t ns = key.find('/') == std::string::npos ? 0 : key.find('/') + 1;
    renamed[key.substr(0, ns) + other.name] = std::move(other);
  }
  return renamed;
}

/// Claims, volumes and what is said of nodes. The claim of an ephemeral volume begins with its pod's name.
Storage with_renamed(const Storage& storage) {
  Storage renamed = storage;
  renamed.claims = with_renamed<PersistentVolumeClaim>(storage.claims, [](PersistentVolumeClaim& claim) {
    rename(claim.volume_name);
    if (claim.selected_node) rename(*claim.selected_node);
  });
  renamed.volumes = with_renamed<PersistentVolume>(storage.volumes, [](PersistentVolume& volume) {
    if (volume.claim) rename(volume.claim->name);
    if (!volume.node_affinity) return;
    for (NodeSelectorTerm& term : *volume.node_affinity) {
      for (Requirement& requirement : term.match_expressions) {
        if (requirement.key != k_hostname) continue;
        for (std::string& host : requirement.values) rename(host);
      }
    }
  });
  renamed.csi_nodes = with_renamed<CsiNode>(storage.csi_nodes, [](CsiNode&) {});
  renamed.attachments.clear();
  for (auto [node, attachment] : storage.attachments) {
    for (std::string* name : {&attachment.name, &attachment.node_name, &attachment.volume}) rename(*name);
    renamed.attachments.emplace(attachment.node_name, attachment);
  }
  return renamed;
}

}  // namespace

// PRE-NODE-6
RC_GTEST_PROP(Decision, ChangesOnlyNamesWhenObjectsAreRenamed, ()) {
  const auto [release, question] = any_case(4, 6);
  Question renamed = question;
  for (Node& node : renamed.cluster.nodes) {
    rename(node.name);
    if (node.labels.contains(k_hostname)) rename(node.labels[k_hostname]);
  }
  renamed.cluster.storage = with_renamed(question.cluster.storage);
  renamed.cluster.pods.push_back(renamed.pod);
  for (Pod& pod : renamed.cluster.pods) {
    for (std::string* name : {&pod.name, &pod.node_name, &pod.nominated_node_name}) rename(*name);
    for (Volume& volume : pod.volumes) {
      if (volume.source.kind == "persistentVolumeClaim") rename(volume.source.id);
    }
  }
  renamed.pod = renamed.cluster.pods.back();
  renamed.cluster.pods.pop_back();
  for (PodDisruptionBudget& pdb : renamed.cluster.pdbs) {
    rename(pdb.name);
    for (std::string& name : pdb.disrupted_pods) rename(name);
  }
  if (renamed.pod.node_affinity) {
    for (NodeSelectorTerm& term : *renamed.pod.node_affinity) {
      for (Requirement& field : term.match_fields) {
        for (std::string& name : field.values) rename(name);
      }
    }
  }
  Decision before = decide(question, release);
  Decision after = decide(renamed, release);
  // Only words name objects: the reasons of old releases, the message of new ones.
  for (Decision* decision : {&before, &after}) {
    decision->reason.clear();
    decision->message.clear();
    for (auto* statuses : {&decision->filter, &decision->dry_run}) {
      for (auto& [node, status] : *statuses) status.reasons.clear();
    }
  }
  RC_ASSERT(before == after);
}

// PRE-VICTIM-1, PRE-VICTIM-3, PRE-VICTIM-6
RC_GTEST_PROP(Decision, BreaksNoLaw, ()) {
  const auto [release, question] = any_case(4, 6);
  const auto fits = [&release](const Cluster& cluster, const Pod& pod, NodeIndex node) {
    const Question alone{cluster, pod, {}, {}};
    Trace trace = Trace::none();
    const reference::Cycle cycle(alone, release, trace);
    return reference::run_filters_with_nominated_pods(cycle, cycle.nodes[node]).ok();
  };
  const Decision decision = decide(question, release);
  RC_CLASSIFY(decision.outcome == Outcome::nominated);
  for (const BrokenLaw& law : broken_laws(question, release, decision, fits)) {
    RC_LOG(std::string(law.clause) + ": " + law.text);
    RC_FAIL("a law is broken");
  }
}

// PRE-POTENTIAL-1
RC_GTEST_PROP(Decision, IsNotChangedByANodeThatCannotBeACandidate, ()) {
  auto [release, question] = any_case(4, 6);
  // A node there is, and this one is not tolerated (PRE-CYCLE-2, PRE-UNSCHEDULABLE-1).
  RC_PRE(!question.cluster.nodes.empty());
  question.pod.tolerations.clear();
  Question larger = question;
  Node node;
  node.name = "cordoned";
  node.unschedulable = true;
  larger.cluster.nodes.push_back(node);
  Decision before = decide(question, release);
  Decision after = decide(larger, release);
  // PRE-PREFILTER-3, PRE-PREFILTER-4: a node without a status is dry-run, in vain.
  after.filter.erase(question.cluster.nodes.size());
  after.dry_run.erase(question.cluster.nodes.size());
  before.message = after.message;  // it counts the node
  RC_ASSERT(before == after);
  RC_ASSERT(any_order_of(question, release) == any_order_of(larger, release));
}

}  // namespace touchstone::tests
