#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"

/// The only generator of clusters. Campaigns, laws, exhaustive tests and fuzzers all use it.
namespace touchstone::fuzz {

/// What a cluster may contain, besides pods of several sizes and priorities on full nodes. Each scenario has
/// some families and lacks others, because some behaviours need the absence of a family.
enum class Family {
  pdbs,            ///< shared by victims, used up, several on one pod, with disrupted pods
  starts,          ///< pods that started at different times, or not at all
  extreme,         ///< priorities so far apart that the sum and the number of victims decide
  nominated,       ///< nominated pods around the preemptor's priority; the preemptor's own nomination
  terminating,     ///< terminating pods, with every kind of condition, and pods that have ended
  resources,       ///< memory, ephemeral storage, extended resources, a limit on pods
  requests,        ///< init containers, sidecars, overhead, pod-level requests, names that do not count
  resize,          ///< in-place resize: admitted, running, infeasible; maps that are empty or absent
  taints,          ///< taints, tolerations, unschedulable nodes
  selectors,       ///< node selectors, node affinity, the preemptor's own node name
  ports,           ///< host ports
  namespaces,      ///< pods and PDBs of another namespace
  offset,          ///< a search that samples nodes
  many_nodes,      ///< more than 100, where sampling ends the search by itself
  affinity,        ///< inter-pod affinity of the preemptor
  anti_affinity,   ///< anti-affinity of the preemptor and of other pods
  spread,          ///< topology spread constraints
  rwop,            ///< claims that only one pod may use (ReadWriteOncePod)
  disks,           ///< in-line disks that cannot be attached twice
  attach_limits,   ///< how many volumes a driver may attach to a node
  volume_zones,    ///< bound volumes with labels of zones
  volume_binding,  ///< bound volumes that some nodes reach, and claims that wait for their pod
  features,        ///< features that the preemptor requires of its node, and that nodes declare
  unusual,         ///< rare sizes, names and numbers: 100 PDBs, nodes whose filters err
  // What scores look at. Clusters for `schedule` have these families too.
  roomy,            ///< the pod fits on most nodes
  images,           ///< images on nodes, in containers and in volumes
  preferred_nodes,  ///< preferred node affinity of the preemptor
  preferred_pods,   ///< preferred inter-pod affinity and anti-affinity of all pods
  soft_spread,      ///< topology spread constraints with ScheduleAnyway
  soft_taints,      ///< taints of effect PreferNoSchedule
  services,         ///< Services and controllers that select pods, and controllers of pods
  avoided,          ///< nodes that controllers avoid, by an annotation
  zones,            ///< labels of zones and regions, old and new ones
  storage_scores,   ///< claims that wait for their pod, with one volume or capacity for each node
  borders,          ///< amounts around those where a score is rounded to another number
  sampling,         ///< 100 to 400 nodes, of which the search finds some
  start,            ///< the node where the search begins
  // Only if they are named, because few schedulers are asked with them.
  extenders,  ///< extenders with their answers
};

/// All families, by their names on the command line.
inline constexpr std::array<std::string_view, 38> k_family_names = {
    "pdbs",     "starts",        "extreme",         "nominated",      "terminating", "resources",
    "requests", "resize",        "taints",          "selectors",      "ports",       "namespaces",
    "offset",   "many-nodes",    "affinity",        "anti-affinity",  "spread",      "rwop",
    "disks",    "attach-limits", "volume-zones",    "volume-binding", "features",    "unusual",
    "roomy",    "images",        "preferred-nodes", "preferred-pods", "soft-spread", "soft-taints",
    "services", "avoided",       "zones",           "storage-scores", "borders",     "sampling",
    "start",    "extenders"};

/// The families that `run` decides by: all but those that only scores look at.
std::set<Family> preemption_families();

/// All families but extenders.
std::set<Family> whole_cycle_families();

/// Which scenarios to generate.
struct Scenarios {
  Release release;             ///< the API of the objects, and the rules that compute requests
  std::set<Family> families;   ///< families that may occur
  std::size_t most_nodes = 8;  ///< without many_nodes
  std::size_t most_pods = 4;   ///< on a node
};

/// Scenarios for `run`, with all families of preemption. To compare two releases, use the older one: its API
/// has no member that the newer one lacks.
Scenarios all_scenarios(const Release& release);

/// Scenarios for `schedule`, with all families but extenders. The cluster of a seed and number is that of
/// all_scenarios() with additions.
Scenarios whole_cycle_scenarios(const Release& release);

/// Generates one scenario. Total: any choices make a valid question; the first alternatives make the
/// plainest one. Ensures: read_question() accepts the question as kubernetes::written() writes it; the names
/// of pods are unique in it.
Question scenario(Choices& choices, const Scenarios& scenarios);

/// A scenario and its families.
struct Drawn {
  Question question;
  std::set<Family> families;
};
Drawn draw_scenario(Choices& choices, const Scenarios& scenarios);

/// Generates scenario `number` of a seed. All campaigns and measurements number their cases in this way.
/// Ensures: scenarios of different numbers are independent of each other and have the same distribution.
/// Therefore any part of a campaign is a sample of the whole.
Question numbered_scenario(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number);
Drawn numbered_draw(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number);

/// A seed that has nothing to do with those of neighbouring numbers.
std::uint64_t mixed(std::uint64_t number);

/// Choices from bytes. Each byte, modulo the number of alternatives, makes one choice. After the last byte,
/// the first alternative is chosen.
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
