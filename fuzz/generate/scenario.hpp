#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

/// The one generator of clusters: campaigns, laws, exhaustive tests and fuzzers all draw from it.
namespace touchstone::fuzz {

/// What a cluster may contain beyond pods of several sizes and priorities on nodes that are full. Each
/// scenario has some of them (so that what needs absence is seen, too).
enum class Family {
  pdbs,            ///< shared by victims, used up, several on one pod, with disrupted pods
  starts,          ///< pods that started at different times, or not at all
  extreme,         ///< priorities so far apart that the sum and the number of victims decide
  nominated,       ///< pods promised a node, around the preemptor's priority; the preemptor's own nomination
  terminating,     ///< pods that end, with every kind of condition, and pods that have ended
  resources,       ///< memory, ephemeral storage, extended resources, a limit on pods
  requests,        ///< init containers, sidecars, overhead, pod-level requests, names that do not count
  resize,          ///< resize in place: admitted, running, infeasible; maps that are empty or absent
  taints,          ///< taints, tolerations, unschedulable nodes
  selectors,       ///< node selectors, node affinity, the preemptor's own node name
  ports,           ///< host ports
  namespaces,      ///< pods and PDBs of another namespace
  offset,          ///< a search that samples
  many_nodes,      ///< beyond 100, where sampling ends the search by itself
  affinity,        ///< inter-pod affinity of the preemptor
  anti_affinity,   ///< and anti-affinity, of either side
  spread,          ///< topology spread constraints
  rwop,            ///< claims that one pod alone may use
  disks,           ///< in-line disks that cannot be attached twice
  attach_limits,   ///< how many volumes a driver may attach to a node
  volume_zones,    ///< bound volumes with labels of zones
  volume_binding,  ///< bound volumes within reach, and claims that wait for their pod
  features,        ///< features that the preemptor asks of its node, and that nodes declare
  unusual,         ///< sizes, names and numbers that few clusters have: 100 PDBs, nodes that err
};

/// All of them, by the names of the command line.
inline constexpr std::array<std::string_view, 24> k_family_names = {
    "pdbs",     "starts",        "extreme",      "nominated",      "terminating", "resources",
    "requests", "resize",        "taints",       "selectors",      "ports",       "namespaces",
    "offset",   "many-nodes",    "affinity",     "anti-affinity",  "spread",      "rwop",
    "disks",    "attach-limits", "volume-zones", "volume-binding", "features",    "unusual"};

struct Scenarios {
  Release release;             ///< the API whose members are used, and what slack is reckoned by
  std::set<Family> families;   ///< that may occur
  std::size_t most_nodes = 8;  ///< without many_nodes
  std::size_t most_pods = 4;   ///< on a node
};

/// Scenarios with all families for a release; for two, the older one: its API has no member that the newer
/// one lacks.
Scenarios all_scenarios(const Release& release);

/// Draws one scenario. Total: any choices make a valid question, the first alternatives the plainest one.
/// Ensures: read_question() takes it as kubernetes::written() has it; names of pods are unique in it.
Question scenario(Choices& choices, const Scenarios& scenarios);

/// A scenario, and the families that it was drawn with.
struct Drawn {
  Question question;
  std::set<Family> families;
};
Drawn draw_scenario(Choices& choices, const Scenarios& scenarios);

/// Scenario `number` of a seed: the rule by which every campaign and every measurement counts its cases.
/// Ensures: scenarios of different numbers are independent of each other and alike in distribution, so that
/// any part of a campaign is a sample of the whole.
Question numbered_scenario(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number);
Drawn numbered_draw(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number);

/// Choices out of bytes: one byte picks modulo the alternatives; after the last the first is taken.
class ByteChoices final : public Choices {
 public:
  explicit ByteChoices(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  std::size_t pick(std::size_t n, std::string_view) override {
    return next_ < bytes_.size() ? bytes_[next_++] % n : 0;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

}  // namespace touchstone::fuzz
