#include "optimized/filters/affinity.hpp"

#include <algorithm>

#include "optimized/filters/pod_terms.hpp"

namespace touchstone::optimized {

namespace {

std::vector<Term> terms_of(const std::vector<PodAffinityTerm>& terms, const Query& query) {
  std::vector<Term> result;
  for (const PodAffinityTerm& term : terms) result.push_back(term_of(term, query.numbering));
  return result;
}

std::vector<Symbol> keys_of(const std::vector<Term>& terms) {
  std::vector<Symbol> keys;
  for (const Term& term : terms) keys.push_back(term.topology_key);
  return keys;
}

}  // namespace

bool Affinity::means(const Term& term, const PodClass& pods) const { return means_class(term, pods, query_); }

bool Affinity::means_preemptor(const Term& term, Symbol owner_ns, bool is_own) const {
  const TermOf whose = is_own ? TermOf::preemptor : TermOf::other_pod;
  return optimized::means(term, owner_ns, whose, query_.ns, query_.labels, query_);
}

std::uint32_t Affinity::add_counter(Topology topology) {
  counters_.emplace_back(std::move(topology));
  return static_cast<std::uint32_t>(counters_.size() - 1);
}

void Affinity::add_weight(std::uint32_t pod_class, const Weight& weight) {
  if (weight.at_first != 0 || weight.taken != 0 || weight.returned != 0 || weight.nominated != 0)
    weights_[pod_class].push_back(weight);
}

/// Evaluates each affinity term by itself, as releases up to v1.10 do. In v1.10 a term over
/// kubernetes.io/hostname looks only at the pods of the node itself. Clauses: PRE-AFFINITY-2, PRE-AFFINITY-3.
void Affinity::want_each_alone(const std::vector<Term>& terms) {
  const Symbol hostname = query_.numbering("kubernetes.io/hostname");
  for (const Term& term : terms) {
    const bool on_this_node_alone =
        query_.release.affinity_bookkeeping == AffinityBookkeeping::each_term_hosts_apart &&
        term.topology_key == hostname;
    const Tables& tables = query_.tables;
    Wanted wanted;
    wanted.near = add_counter(on_this_node_alone ? topology_of_single_nodes(hostname, tables)
                                                 : topology_by(term.topology_key, tables));
    wanted.anywhere = add_counter(on_this_node_alone ? topology_of_single_nodes(k_unknown_symbol, tables)
                                                     : topology_of_all_nodes(tables));
    wanted.means_preemptor = means_preemptor(term, query_.ns, true);
    wanted_.push_back(wanted);
    for (std::uint32_t i = 0; i < weights_.size(); ++i) {
      const Quantity one = means(term, tables.classes[i]) ? 1 : 0;
      const Quantity nominated = query_.release.affinity_sees_nominated ? one : 0;
      add_weight(i, {wanted.near, one, one, one, nominated});
      add_weight(i, {wanted.anywhere, one, one, one, nominated});
    }
  }
}

/// Evaluates the affinity terms as v1.11 does: one pod has to be in the domains of all terms. Pods that the
/// dry run removed still count as being somewhere. Clauses: PRE-AFFINITY-2, PRE-AFFINITY-3.
void Affinity::want_on_one_node(const std::vector<Term>& terms) {
  if (terms.empty()) return;
  Wanted wanted;
  wanted.near = add_counter(topology_by_all(keys_of(terms), query_.tables));
  wanted.anywhere = add_counter(topology_of_all_nodes(query_.tables));
  const auto all = [&terms](const auto& holds) { return std::all_of(terms.begin(), terms.end(), holds); };
  wanted.means_preemptor = all([&](const Term& term) { return means_preemptor(term, query_.ns, true); });
  wanted_.push_back(wanted);
  for (std::uint32_t i = 0; i < weights_.size(); ++i) {
    const Quantity one = all([&](const Term& term) { return means(term, query_.tables.classes[i]); }) ? 1 : 0;
    add_weight(i, {wanted.near, one, one, one, query_.release.affinity_sees_nominated ? one : 0});
    add_weight(i, {wanted.anywhere, one, 0, 0, 0});
  }
}

/// Evaluates the affinity terms as releases from v1.12 do: pods that all terms match count in the domain of
/// each term. Clauses: PRE-AFFINITY-2, PRE-AFFINITY-3.
void Affinity::want_together(const std::vector<Term>& terms) {
  wants_together_ = true;
  const auto all = [&terms](const auto& holds) { return std::all_of(terms.begin(), terms.end(), holds); };
  const bool is_own = all([&](const Term& term) { return means_preemptor(term, query_.ns, true); });
  for (const Term& term : terms) {
    const std::uint32_t counter = add_counter(topology_by(term.topology_key, query_.tables));
    wanted_.push_back({counter, counter, is_own});
  }
  for (std::uint32_t i = 0; i < weights_.size(); ++i) {
    const Quantity one = all([&](const Term& term) { return means(term, query_.tables.classes[i]); }) ? 1 : 0;
    for (const Wanted& wanted : wanted_)
      add_weight(i, {wanted.near, one, one, one, query_.release.affinity_sees_nominated ? one : 0});
  }
}

/// Counts the pods that the preemptor's anti-affinity terms forbid. Clauses: PRE-AFFINITY-4, PRE-AFFINITY-6.
void Affinity::forbid(const std::vector<Term>& terms) {
  if (terms.empty()) return;
  const AffinityBookkeeping account = query_.release.affinity_bookkeeping;
  const bool together = account == AffinityBookkeeping::one_node_for_all;
  for (const Term& term : terms) {
    if (!together || forbidden_.empty())
      forbidden_.push_back(add_counter(together ? topology_by_all(keys_of(terms), query_.tables)
                                                : topology_by(term.topology_key, query_.tables)));
  }
  for (std::uint32_t i = 0; i < weights_.size(); ++i) {
    std::vector<bool> meant;
    for (const Term& term : terms) meant.push_back(means(term, query_.tables.classes[i]));
    const bool by_any = std::find(meant.begin(), meant.end(), true) != meant.end();
    const bool by_all = std::find(meant.begin(), meant.end(), false) == meant.end();
    for (std::size_t k = 0; k < forbidden_.size(); ++k) {
      const bool is_meant = together ? by_all : static_cast<bool>(meant[k]);
      const Quantity one = is_meant ? 1 : 0;
      const bool by_any_later = account == AffinityBookkeeping::sets_of_pods && by_any;
      add_weight(i, {forbidden_[k], one, one, by_any_later ? 1 : one,
                     query_.release.affinity_sees_nominated ? one : 0});
    }
  }
}

/// Counts the pods whose anti-affinity terms forbid the preemptor. Clauses: PRE-AFFINITY-6, PRE-AFFINITY-7.
void Affinity::count_forbidding_pods() {
  std::map<Symbol, std::uint32_t> counter_of;
  for (std::uint32_t i = 0; i < weights_.size(); ++i) {
    const PodClass& pods = query_.tables.classes[i];
    if (pods.pods == 0) continue;
    std::map<Symbol, Weight> weights;
    for (const Term& term : pods.anti_affinity) {
      const Symbol key =
          query_.release.others_last_key_counts ? pods.anti_affinity.back().topology_key : term.topology_key;
      const Quantity one = means_preemptor(term, pods.ns, false) ? 1 : 0;
      const bool by_preemptor_ns = query_.release.affinity_counts_by_preemptor_ns;
      const Quantity later = by_preemptor_ns ? (means_preemptor(term, query_.ns, false) ? 1 : 0) : one;
      if (one == 0 && later == 0) continue;
      Weight& weight = weights[key];
      weight.at_first += one;
      for (Quantity Weight::* each : {&Weight::taken, &Weight::returned, &Weight::nominated})
        weight.*each += later;
    }
    for (auto& [key, weight] : weights) {
      const auto [place, is_new] = counter_of.emplace(key, 0);
      if (is_new) place->second = add_counter(topology_by(key, query_.tables));
      weight.counter = place->second;
      add_weight(i, weight);
    }
  }
  for (const auto& [key, counter] : counter_of) forbidding_.push_back(counter);
}

void Affinity::count_pods(Workers& workers) {
  const Tables& tables = query_.tables;
  const std::size_t counters = counters_.size();
  unchanged_.assign(counters, 0);
  moves_.assign(tables.nodes.size(), 0);
  std::vector<Quantity> of_nodes(tables.nodes.size() * counters, 0);
  for_each_node(workers, tables.nodes.size(), [&](NodeIndex node) {
    if (tables.nodes.is_gone(node)) return;
    const PodsOfNode pods = query_.pods_of(node);
    for (std::size_t i = 0; i < pods.count; ++i) {
      const std::vector<Weight>& weights = weights_[pods.pod_class[i]];
      if (weights.empty()) continue;
      moves_[node] = 1;
      for (const Weight& weight : weights) of_nodes[node * counters + weight.counter] += weight.at_first;
    }
  });
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    for (std::size_t i = 0; i < counters && moves_[node] != 0; ++i)
      counters_[i].add(node, of_nodes[node * counters + i]);
  }
}

std::unique_ptr<const Affinity> Affinity::made_for(const Query& query, Workers& workers) {
  if (!query.has_filter(Filter::inter_pod_affinity)) return nullptr;
  std::unique_ptr<Affinity> affinity(new Affinity(query));
  const std::vector<Term> near = terms_of(query.pod.pod_affinity, query);
  const std::vector<Term> away = terms_of(query.pod.pod_anti_affinity, query);
  const AffinityBookkeeping account = query.release.affinity_bookkeeping;
  if (account < AffinityBookkeeping::one_node_for_all) {
    affinity->want_each_alone(near);
  } else if (account == AffinityBookkeeping::one_node_for_all) {
    affinity->want_on_one_node(near);
  } else {
    affinity->want_together(near);
  }
  affinity->forbid(away);
  affinity->count_forbidding_pods();
  if (affinity->counters_.empty()) return nullptr;
  affinity->count_pods(workers);
  const bool none_forbids =
      std::all_of(affinity->forbidding_.begin(), affinity->forbidding_.end(),
                  [&](std::uint32_t counter) { return affinity->counters_[counter].total() == 0; });
  const bool is_skipped =
      query.release.affinity_may_be_skipped && near.empty() && away.empty() && none_forbids;
  if (is_skipped) return nullptr;  // PRE-AFFINITY-8
  return affinity;
}

void Affinity::apply(std::uint32_t pod_class, Move move, Changes& changes) const {
  for (const Weight& weight : weights_[pod_class]) {
    Quantity& change = changes[weight.counter];
    switch (move) {
      case Move::is_taken_away:
        change -= weight.taken;
        break;
      case Move::is_put_back:
        change += weight.returned;
        break;
      case Move::is_taken_again:
        change -= weight.returned;
        break;
      case Move::is_nominated:
        change += weight.nominated;
        break;
    }
  }
}

Quantity Affinity::count(std::uint32_t counter, NodeIndex node, const Changes& changes) const {
  if (counters_[counter].domain_of(node) == k_no_domain) return 0;
  return counters_[counter].at(node) + changes[counter];
}

/// Whether the node fails the preemptor's affinity terms. Clauses: PRE-AFFINITY-2, PRE-AFFINITY-3.
bool Affinity::is_unmet(NodeIndex node, const Changes& changes) const {
  const auto is_near = [&](const Wanted& wanted) { return count(wanted.near, node, changes) > 0; };
  if (!wants_together_) {
    return std::any_of(wanted_.begin(), wanted_.end(), [&](const Wanted& wanted) {
      const bool may_be_first = wanted.means_preemptor && count(wanted.anywhere, node, changes) <= 0;
      return !is_near(wanted) && !may_be_first;
    });
  }
  if (std::all_of(wanted_.begin(), wanted_.end(), is_near)) return false;
  if (!wanted_.front().means_preemptor) return true;
  const auto has_domain = [&](const Wanted& wanted) {
    return counters_[wanted.near].domain_of(node) != k_no_domain;
  };
  if (query_.release.first_pod_needs_topology_keys &&
      !std::all_of(wanted_.begin(), wanted_.end(), has_domain))
    return true;
  return std::any_of(wanted_.begin(), wanted_.end(), [&](const Wanted& wanted) {
    const Quantity change = has_domain(wanted) ? changes[wanted.near] : 0;
    return counters_[wanted.near].total() + change > 0;
  });
}

Code Affinity::code_of(NodeIndex node, const Changes& changes) const {
  const auto is_there = [&](std::uint32_t counter) { return count(counter, node, changes) > 0; };
  const auto some_forbid = [&] { return std::any_of(forbidding_.begin(), forbidding_.end(), is_there); };
  // PRE-AFFINITY-9
  if (query_.release.others_anti_affinity_first && some_forbid()) return Code::unschedulable;
  if (is_unmet(node, changes))
    return query_.release.affinity_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable;
  if (std::any_of(forbidden_.begin(), forbidden_.end(), is_there) || some_forbid())
    return Code::unschedulable;
  return Code::success;
}

}  // namespace touchstone::optimized
