#include "proofs/given_decision.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/text/json.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::proofs {

namespace {

using kubernetes::Value;

Outcome read_outcome(const Value& value) {
  for (const Outcome outcome :
       {Outcome::fits, Outcome::ineligible, Outcome::none, Outcome::nominated, Outcome::error}) {
    if (value.string() == oracle::name_of(outcome)) return outcome;
  }
  value.fail("unknown-outcome",
             "expected fits, ineligible, none, nominated or error, found " + std::string(value.string()));
}

NodeIndex read_node(const Value& value, const Cluster& cluster) {
  const auto found = std::find_if(cluster.nodes.begin(), cluster.nodes.end(),
                                  [&](const Node& node) { return node.name == value.string(); });
  if (found == cluster.nodes.end())
    value.fail("unknown-node",
               "expected a node of the cluster, found no node " + std::string(value.string()));
  return static_cast<NodeIndex>(found - cluster.nodes.begin());
}

PodIndex read_pod(const Value& value, const Cluster& cluster) {
  const auto found = std::find_if(cluster.pods.begin(), cluster.pods.end(),
                                  [&](const Pod& pod) { return pod.full_name() == value.string(); });
  if (found == cluster.pods.end())
    value.fail("unknown-pod", "expected namespace/name of a pod of the cluster, found no pod " +
                                  std::string(value.string()));
  return static_cast<PodIndex>(found - cluster.pods.begin());
}

/// The result of `read` for each element. Errors: duplicate-object if two elements have the same result.
template <typename Read>
std::vector<std::size_t> read_each_once(const Value& list, Read read) {
  std::vector<std::size_t> indices;
  for (const Value value : list.elements()) {
    const std::size_t index = read(value);
    if (std::find(indices.begin(), indices.end(), index) != indices.end())
      value.fail("duplicate-object", "expected each name once, found another " + std::string(value.string()));
    indices.push_back(index);
  }
  return indices;
}

/// The keys that `touchstone decide` prints in addition to those of the protocol.
constexpr std::array<std::string_view, 5> k_printed_beside = {"pod", "release", "evidence", "engine",
                                                              "aftermath"};

GivenDecision read(const Value& answer, const Cluster& cluster) {
  for (const Value member : answer.members()) {
    const bool is_printed =
        std::find(k_printed_beside.begin(), k_printed_beside.end(), member.key()) != k_printed_beside.end();
    if (!is_printed && !oracle::is_answer_key(member.key()))
      member.fail("unknown-field", "expected a known key, found " + std::string(member.key()));
  }
  GivenDecision given;
  given.outcome = read_outcome(answer.require("outcome"));
  if (given.outcome == Outcome::fits) {
    if (const auto feasible = answer.find("feasible"))
      given.feasible =
          read_each_once(*feasible, [&](const Value& value) { return read_node(value, cluster); });
  }
  if (given.outcome != Outcome::nominated) return given;
  given.node = read_node(answer.require("node"), cluster);
  const Value victims = answer.require("victims");
  given.victims = read_each_once(victims, [&](const Value& value) { return read_pod(value, cluster); });
  if (const auto violations = answer.find("numPDBViolations"))
    given.pdb_violations = violations->integer(0, std::numeric_limits<Quantity>::max());
  return given;
}

}  // namespace

GivenDecision given_decision(const Decision& decision) {
  GivenDecision given{.outcome = decision.outcome};
  if (decision.outcome == Outcome::fits) given.feasible = decision.feasible;
  if (decision.outcome != Outcome::nominated) return given;
  const Candidate& chosen = decision.candidates[decision.chosen];
  given.node = chosen.node;
  given.victims = chosen.victims;
  given.pdb_violations = chosen.pdb_violations;
  return given;
}

Result<GivenDecision> read_given_decision(std::string_view json, std::string name, const Cluster& cluster) {
  const Result<kubernetes::Document> document = kubernetes::Document::parse(json, std::move(name));
  if (!document) return document.error();
  try {
    return read(document.value().root(), cluster);
  } catch (const kubernetes::InvalidInput& invalid) {
    return invalid.error;
  }
}

}  // namespace touchstone::proofs
