#include <algorithm>
#include <unordered_map>

#include "optimized/filters/pod_terms.hpp"
#include "optimized/scores/scorer.hpp"
#include "optimized/store/go_numbers.hpp"

/// InterPodAffinity: nodes near pods that the preemptor prefers, and near pods that prefer the preemptor.
namespace touchstone::optimized {

namespace {

/// SCORE-AFFINITY-1 to SCORE-AFFINITY-4. Terms match whole classes of pods. So only pods of these classes are
/// looked at, and only on the nodes that have some.
class PodAffinity final : public NodeScorer {
 public:
  explicit PodAffinity(const Query& query)
      : NodeScorer(query, Scaling::between_extremes), weights_(query.tables.classes.size()) {
    find_own_weights();
    find_weights_of_others();
  }

  /// Whether some term matches a pod of a class that has pods.
  bool may_count() const { return !keys_.empty(); }
  /// Whether a term has added an amount to a domain.
  bool counts() const {
    return std::any_of(keys_.begin(), keys_.end(), [](const Key& key) { return !key.domains.empty(); });
  }
  void count_pods(Workers& workers);

  void rate(Nodes nodes, Quantity* raw) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::vector<Label>& labels = query_.tables.nodes.facts[nodes[i]].labels;
      raw[i] = 0;
      for (const Key& key : keys_) {
        if (key.domains.empty()) continue;
        const auto domain = key.domains.find(value_of(labels, key.label));
        if (domain != key.domains.end()) raw[i] = go::sum(raw[i], domain->second);
      }
    }
  }

 private:
  /// A topology key, and what the pods add to each of its values.
  struct Key {
    Symbol label = 0;
    std::unordered_map<Symbol, Quantity> domains;
  };
  /// What each pod of a class adds by a key.
  struct Weight {
    std::uint32_t key = 0;
    Quantity amount = 0;
  };

  void find_own_weights();
  void find_weights_of_others();
  void add(std::uint32_t pod_class, Symbol label, Quantity amount);
  bool sum_up(NodeIndex node, Quantity* sums, std::uint8_t* is_counted) const;

  std::vector<Key> keys_;
  std::vector<std::vector<Weight>> weights_;  ///< by class
};

void PodAffinity::add(std::uint32_t pod_class, Symbol label, Quantity amount) {
  const auto known =
      std::find_if(keys_.begin(), keys_.end(), [label](const Key& key) { return key.label == label; });
  const auto number = static_cast<std::uint32_t>(known - keys_.begin());
  if (known == keys_.end()) keys_.push_back({label, {}});
  std::vector<Weight>& weights = weights_[pod_class];
  const auto weight = std::find_if(weights.begin(), weights.end(),
                                   [number](const Weight& each) { return each.key == number; });
  if (weight == weights.end()) {
    weights.push_back({number, amount});
  } else {
    weight->amount = go::sum(weight->amount, amount);
  }
}

/// The preferred terms of the preemptor.
void PodAffinity::find_own_weights() {
  const Pod& pod = query_.pod;
  std::vector<WeightedTerm> terms;
  for (const auto& [weight, term] : pod.preferred_pod_affinity)
    terms.push_back({weight, term_of(term, query_.numbering)});
  for (const auto& [weight, term] : pod.preferred_pod_anti_affinity)
    terms.push_back({go::difference(0, weight), term_of(term, query_.numbering)});
  const PodClasses& classes = query_.tables.classes;
  for (std::uint32_t i = 0; i < classes.size() && !terms.empty(); ++i) {
    if (classes[i].pods == 0) continue;
    for (const auto& [weight, term] : terms) {
      if (means_class(term, classes[i], query_)) add(i, term.topology_key, weight);
    }
  }
}

void PodAffinity::find_weights_of_others() {
  const PodClasses& classes = query_.tables.classes;
  for (const std::uint32_t i : classes.with_scored_terms()) {
    if (classes[i].pods == 0) continue;
    for (const auto& [weight, term] : classes[i].scored_terms) {
      if (means(term, classes[i].ns, TermOf::other_pod, query_.ns, query_.labels, query_))
        add(i, term.topology_key, weight);
    }
  }
}

/// Adds up what the pods of a node add by each key. Returns whether a pod counts.
bool PodAffinity::sum_up(NodeIndex node, Quantity* sums, std::uint8_t* is_counted) const {
  const PodsOfNode pods = query_.pods_of(node);
  bool counts = false;
  for (std::size_t i = 0; i < pods.count; ++i) {
    for (const Weight& weight : weights_[pods.pod_class[i]]) {
      counts = true;
      is_counted[weight.key] = 1;
      sums[weight.key] = go::sum(sums[weight.key], weight.amount);
    }
  }
  return counts;
}

void PodAffinity::count_pods(Workers& workers) {
  const NodeTable& nodes = query_.tables.nodes;
  const std::size_t keys = keys_.size();
  std::vector<Quantity> sums(nodes.size() * keys, 0);
  std::vector<std::uint8_t> is_counted(nodes.size() * keys, 0);
  std::vector<std::uint8_t> has_some(nodes.size(), 0);
  for_each_node(workers, nodes.size(), [&](NodeIndex node) {
    if (!nodes.is_gone(node)) has_some[node] = sum_up(node, &sums[node * keys], &is_counted[node * keys]);
  });
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    for (std::size_t i = 0; i < keys && has_some[node] != 0; ++i) {
      const Symbol value = value_of(nodes.facts[node].labels, keys_[i].label);
      if (is_counted[node * keys + i] == 0 || value == k_unknown_symbol) continue;
      Quantity& domain = keys_[i].domains[value];
      domain = go::sum(domain, sums[node * keys + i]);
    }
  }
}

/// SCORE-AFFINITY-1: whether the configuration leaves this pod out.
bool is_left_out(const Query& query) {
  return query.release.ignores_preferred_terms_of_others && query.pod.preferred_pod_affinity.empty() &&
         query.pod.preferred_pod_anti_affinity.empty();
}

}  // namespace

bool pod_affinity_is_local(const Query& query) {
  return is_left_out(query) || !PodAffinity(query).may_count();
}

MadeScorer pod_affinity(const Query& query, Workers& workers) {
  if (is_left_out(query)) return nullptr;
  auto scorer = std::make_unique<PodAffinity>(query);
  if (scorer->may_count()) scorer->count_pods(workers);
  if (scorer->counts()) return scorer;
  if (query.release.affinity_score_may_be_skipped) return nullptr;  // SCORE-AFFINITY-4
  return equal_scores(query, 0);
}

}  // namespace touchstone::optimized
