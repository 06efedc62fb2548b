#include "fuzz/behaviour/placement_behaviour.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "fuzz/generate/facts.hpp"
#include "fuzz/hash.hpp"

namespace touchstone::fuzz {

namespace {

/// The names of the scorers, in the order of enum Scorer.
constexpr std::array<std::string_view, 17> k_scorer_names = {"SelectorSpread",
                                                             "InterPodAffinity",
                                                             "NodeResourcesFit",
                                                             "NodeResourcesBalancedAllocation",
                                                             "NodePreferAvoidPods",
                                                             "NodeAffinity",
                                                             "TaintToleration",
                                                             "ImageLocality",
                                                             "PodTopologySpread",
                                                             "VolumeBinding",
                                                             "DynamicResources",
                                                             "ServiceSpreading",
                                                             "Equal",
                                                             "MostRequested",
                                                             "RequestedToCapacityRatio",
                                                             "LabelPreference",
                                                             "ServiceAntiAffinity"};
static_assert(k_scorer_names.size() == static_cast<std::size_t>(Scorer::end));

/// The places of the highest totals.
std::vector<std::size_t> highest(const std::vector<Quantity>& totals) {
  std::vector<std::size_t> places;
  if (totals.empty()) return places;
  const Quantity most = *std::max_element(totals.begin(), totals.end());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (totals[i] == most) places.push_back(i);
  }
  return places;
}

class View {
 public:
  View(const Question& question, const Release& release, const Placement& placement)
      : question_(question), release_(release), placement_(placement) {}

  std::set<std::string> classes() {
    note_search();
    note_host();
    if (placement_.totals.empty()) return std::move(classes_);
    note("no scorer", release_.scorers.empty());
    for (const WeightedScorer& scorer : release_.scorers) note_scorer(scorer);
    return std::move(classes_);
  }

 private:
  void note(const std::string& what, bool seen = true) {
    if (seen) classes_.insert(what);
  }

  const ScoreColumn* column_of(const WeightedScorer& scorer) const {
    const auto found = std::find_if(placement_.scores.begin(), placement_.scores.end(),
                                    [&scorer](const ScoreColumn& each) { return each.scorer == scorer; });
    return found == placement_.scores.end() ? nullptr : &*found;
  }

  void note_search() {
    const std::size_t found = placement_.feasible.size();
    note("one feasible node", found == 1);
    note("several feasible nodes", found > 1);
    note("a hundred feasible nodes or more", found >= 100);
    const bool is_known = *placement_.host < question_.cluster.nodes.size();  // EXT-UNKNOWN-2
    note("the nominated node is the host",
         is_known && question_.cluster.nodes[*placement_.host].name == question_.pod.nominated_node_name);
    if (!question_.start) return;
    note("a search with a start");
    note("a search that goes round", !std::is_sorted(placement_.feasible.begin(), placement_.feasible.end()));
    note("a search that leaves nodes out",
         found + placement_.decision.filter.size() < question_.cluster.nodes.size());
  }

  void note_host() {
    const std::size_t tied = highest(placement_.totals).size();
    note("one best node", tied == 1);
    note("a tie of two nodes", tied == 2);
    note("a tie of several nodes", tied > 2);
    note("a heap decides a tie", tied > 1 && placement_.best.size() == 1);
  }

  void note_scorer(const WeightedScorer& scorer) {
    const std::string name(k_scorer_names[static_cast<std::size_t>(scorer.scorer)]);
    const ScoreColumn* column = column_of(scorer);
    if (column == nullptr) return note(name + " skipped");
    note(name + " ran");
    const auto [least, most] = std::minmax_element(column->scores.begin(), column->scores.end());
    if (*least == *most) return;
    note(name + " tells nodes apart");
    std::vector<Quantity> without = placement_.totals;
    for (std::size_t i = 0; i < without.size(); ++i) without[i] -= column->scores[i];
    note(name + " decides", highest(without) != highest(placement_.totals));
    note_branches(scorer.scorer);
  }

  void note_branches(Scorer scorer) {
    switch (scorer) {
      case Scorer::node_resources:
        return note_requests();
      case Scorer::image_locality:
        return note_images();
      case Scorer::node_affinity:
        return note_preferred_nodes();
      case Scorer::inter_pod_affinity:
        return note_preferred_pods();
      case Scorer::pod_topology_spread:
        return note_spread();
      case Scorer::taint_toleration:
        return note_taints();
      case Scorer::volume_capacity:
        return note_storage();
      default:
        return;
    }
  }

  void note_requests() {
    constexpr std::array<const char*, 3> k_strategies = {
        "the least allocated node", "the most allocated node", "a requested share of capacity"};
    note(k_strategies[static_cast<std::size_t>(release_.fit_strategy)]);
    const Pod& pod = question_.pod;
    const auto lacks_request = [](const Container& each) {
      return !each.requests.contains("cpu") || !each.requests.contains("memory");
    };
    note("a container that lacks a request",
         std::any_of(pod.containers.begin(), pod.containers.end(), lacks_request));
    note("an init container in a score", !pod.init_containers.empty());
    note("overhead in a score", !pod.overhead.empty());
    note("pod-level requests in a score", pod.pod_level_requests.has_value());
    note("scored resources of a configuration", release_.fit_resources.size() != 2);
  }

  void note_images() {
    std::set<std::string> names;
    for (const Container& container : question_.pod.containers) names.insert(container.image);
    note("an image without a tag", std::any_of(names.begin(), names.end(), [](const std::string& name) {
           return name.find('@') == std::string::npos && name.rfind(':') + 1 <= name.rfind('/') + 1;
         }));
    note("an image twice in a pod", names.size() < question_.pod.containers.size());
    note("an image of an init container",
         std::any_of(question_.pod.init_containers.begin(), question_.pod.init_containers.end(),
                     [](const Container& each) { return !each.image.empty(); }));
    note("an image in a volume", std::any_of(question_.pod.volumes.begin(), question_.pod.volumes.end(),
                                             [](const Volume& each) { return each.source.kind == "image"; }));
  }

  void note_preferred_nodes() {
    for (const PreferredNodeTerm& term : question_.pod.preferred_node_affinity) {
      note("a preferred field", !term.preference.match_fields.empty());
      note("a preferred expression", !term.preference.match_expressions.empty());
    }
    note("several preferred terms", question_.pod.preferred_node_affinity.size() > 1);
    note("preferred terms of a configuration", !release_.added_preferred_terms.empty());
  }

  void note_preferred_pods() {
    note("own preferred affinity", !question_.pod.preferred_pod_affinity.empty());
    note("own preferred anti-affinity", !question_.pod.preferred_pod_anti_affinity.empty());
    for (const Pod& pod : question_.cluster.pods) {
      if (pod.node_name.empty()) continue;
      note("required affinity of another pod", !pod.pod_affinity.empty());
      note("preferred affinity of another pod", !pod.preferred_pod_affinity.empty());
      note("preferred anti-affinity of another pod", !pod.preferred_pod_anti_affinity.empty());
    }
  }

  void note_spread() {
    if (question_.pod.topology_spread.empty()) {
      note(release_.system_constraints ? "system default constraints" : "default constraints of a list");
      note("default constraints by a controller", question_.pod.controller.has_value());
    }
    std::size_t soft = 0;
    for (const TopologySpreadConstraint& each : question_.pod.topology_spread) {
      if (each.when_unsatisfiable != "ScheduleAnyway") continue;
      ++soft;
      note("a soft constraint over host names", each.topology_key == k_hostname);
      note("a soft constraint with matchLabelKeys", !each.match_label_keys.empty());
      note("a soft constraint with a policy for taints", !each.node_taints_policy.empty());
      const auto lacks_key = [&](NodeIndex node) {
        return !question_.cluster.nodes[node].labels.contains(each.topology_key);
      };
      note("a feasible node without the key of a soft constraint",
           std::any_of(placement_.feasible.begin(), placement_.feasible.end(), lacks_key));
    }
    note("several soft constraints", soft > 1);
  }

  void note_taints() { note("a soft taint and tolerations", !question_.pod.tolerations.empty()); }

  void note_storage() {
    note("storage scored by capacity", !question_.cluster.storage.capacities.empty());
    note("storage scored by volumes", !question_.cluster.storage.volumes.empty());
  }

  const Question& question_;
  const Release& release_;
  const Placement& placement_;
  std::set<std::string> classes_;
};

}  // namespace

std::set<std::string> classes_of_placement(const Question& question, const Release& release,
                                           const Placement& placement) {
  if (!placement.host) return {};
  return View(question, release, placement).classes();
}

std::uint64_t signature_of_cycle(std::uint64_t of_decision, const std::set<std::string>& classes) {
  Fnv1a hash;
  hash.add(std::to_string(of_decision));
  for (const std::string& each : classes) hash.add(each);
  return hash.value();
}

}  // namespace touchstone::fuzz
