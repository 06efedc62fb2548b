#pragma once

#include "proofs/theorems/said.hpp"

/// Affinity between pods as the clauses state it for each release.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

inline const std::string k_host = "kubernetes.io/hostname";

inline bool same_label(const Node& a, const Node& b, const std::string& key) {
  return a.labels.contains(key) && b.labels.contains(key) && a.labels.at(key) == b.labels.at(key);
}

inline bool has_key(const Node& node, const std::string& key) { return node.labels.contains(key); }

/// What PRE-AFFINITY-1 to PRE-AFFINITY-9 say about the first node. Requires: the pods of `stays` come first
/// in the cluster and are on that node; all other pods are bound.
class AffinityAsSaid {
 public:
  enum class Answer { fits, affinity, anti_affinity, of_others };

  AffinityAsSaid(const Question& question, const Release& release, std::vector<Stay> stays)
      : cluster_(question.cluster),
        pod_(question.pod),
        release_(release),
        stays_(std::move(stays)),
        here_(question.cluster.nodes[0]) {
    stays_.resize(cluster_.pods.size(), Stay::bound);
  }

  Answer answer() const {
    if (is_from(release_, 27) && nothing_to_look_at()) return Answer::fits;
    const bool others_first = !is_from(release_, 19);
    if (others_first && others_forbid()) return Answer::of_others;
    if (!is_met()) return Answer::affinity;
    if (preemptor_forbids()) return Answer::anti_affinity;
    return others_forbid() ? Answer::of_others : Answer::fits;
  }

  Code code() const {
    if (answer() == Answer::fits) return Code::success;
    const bool beyond_help = answer() == Answer::affinity && is_from(release_, 12);
    return beyond_help ? Code::unschedulable_and_unresolvable : Code::unschedulable;
  }

  std::vector<std::string> reasons() const {
    const Answer found = answer();
    if (found == Answer::fits) return {};
    const auto one_of = [found](const char* affinity, const char* anti_affinity, const char* of_others) {
      if (found == Answer::affinity) return affinity;
      return found == Answer::anti_affinity ? anti_affinity : of_others;
    };
    if (!is_from(release_, 9)) return {"MatchInterPodAffinity"};
    if (!is_from(release_, 10))
      return {"MatchInterPodAffinity", one_of("PodAffinityRulesNotMatch", "PodAntiAffinityRulesNotMatch",
                                              "ExistingPodsAntiAffinityRulesNotMatch")};
    const std::string own =
        one_of("node(s) didn't match pod affinity rules", "node(s) didn't match pod anti-affinity rules",
               "node(s) didn't satisfy existing pods anti-affinity rules");
    if (is_from(release_, 22)) return {own};
    return {std::string("node(s) didn't match pod affinity/anti-affinity") +
                (is_from(release_, 21) ? " rules" : ""),
            own};
  }

 private:
  using Term = PodAffinityTerm;

  template <typename Holds>
  bool some_pod(Holds holds) const {
    for (PodIndex i = 0; i < cluster_.pods.size(); ++i) {
      if (stays_[i] != Stay::taken_away && holds(i, cluster_.pods[i], node_of(i))) return true;
    }
    return false;
  }

  const Node& node_of(PodIndex i) const {
    const auto found = std::find_if(cluster_.nodes.begin(), cluster_.nodes.end(), [&](const Node& node) {
      return node.name == cluster_.pods[i].node_name;
    });
    return found == cluster_.nodes.end() ? here_ : *found;
  }

  bool own_terms_see(PodIndex i) const { return is_from(release_, 19) || stays_[i] != Stay::nominated; }

  static bool selects(const LabelSelector& selector, const Labels& labels) {
    return has_labels(labels, selector.match_labels) &&
           std::none_of(selector.match_expressions.begin(), selector.match_expressions.end(),
                        [&](const Requirement& absent) { return labels.contains(absent.key); });
  }

  bool looks_at(const Term& term, const std::string& own_ns, bool is_preemptors,
                const std::string& ns) const {
    const bool is_named =
        std::find(term.namespaces.begin(), term.namespaces.end(), ns) != term.namespaces.end();
    const bool has_selector = is_from(release_, 22) && term.namespace_selector;
    if (is_named || !has_selector) return is_named || (term.namespaces.empty() && ns == own_ns);
    const LabelSelector& selector = *term.namespace_selector;
    if (selector == LabelSelector{}) return true;
    const bool is_known = cluster_.namespaces.contains(ns);
    if (is_known && selects(selector, cluster_.namespaces.at(ns))) return true;
    if (!is_preemptors) return !is_known && selects(selector, {});
    return is_from(release_, 34) && !is_from(release_, 37) && selects(selector, {});
  }

  bool means(const Term& term, const std::string& own_ns, bool is_preemptors, const Pod& other) const {
    return term.label_selector && selects(*term.label_selector, other.labels) &&
           looks_at(term, own_ns, is_preemptors, other.ns);
  }

  bool means(const Term& term, const Pod& other) const { return means(term, pod_.ns, true, other); }

  bool all_mean(const std::vector<Term>& terms, const Pod& other) const {
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return means(term, other); });
  }

  bool any_means(const std::vector<Term>& terms, const Pod& other) const {
    return std::any_of(terms.begin(), terms.end(), [&](const Term& term) { return means(term, other); });
  }

  bool in_all_domains(const std::vector<Term>& terms, const Node& node) const {
    return std::all_of(terms.begin(), terms.end(),
                       [&](const Term& term) { return same_label(node, here_, term.topology_key); });
  }

  /// PRE-AFFINITY-2, PRE-AFFINITY-3
  bool is_met() const {
    const std::vector<Term>& terms = pod_.pod_affinity;
    if (terms.empty()) return true;
    if (!is_from(release_, 11)) {
      return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
        const bool beside = some_pod([&](PodIndex i, const Pod& other, const Node& node) {
          return own_terms_see(i) && means(term, other) && same_label(node, here_, term.topology_key);
        });
        const bool here_alone = is_from(release_, 10) && term.topology_key == k_host;
        const bool anywhere = some_pod([&](PodIndex i, const Pod& other, const Node& node) {
          return own_terms_see(i) && means(term, other) && (!here_alone || &node == &here_);
        });
        return beside || (!anywhere && means(term, pod_));
      });
    }
    bool together = some_pod([&](PodIndex i, const Pod& other, const Node& node) {
      return own_terms_see(i) && all_mean(terms, other) && in_all_domains(terms, node);
    });
    const bool apart = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
      return some_pod([&](PodIndex i, const Pod& other, const Node& node) {
        return own_terms_see(i) && all_mean(terms, other) && same_label(node, here_, term.topology_key);
      });
    });
    const bool is_of_v11 = !is_from(release_, 12);
    return (is_of_v11 ? together : apart) || is_first();
  }

  /// PRE-AFFINITY-3, from v1.11
  bool is_first() const {
    const std::vector<Term>& terms = pod_.pod_affinity;
    const bool is_of_v11 = !is_from(release_, 12);
    bool anywhere = false;
    for (PodIndex i = 0; i < cluster_.pods.size(); ++i) {
      if (stays_[i] == Stay::taken_away && !is_of_v11) continue;
      if (stays_[i] == Stay::nominated && !own_terms_see(i)) continue;
      const bool has_some_key = std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
        return has_key(node_of(i), term.topology_key);
      });
      if (all_mean(terms, cluster_.pods[i]) && (has_some_key || is_of_v11)) anywhere = true;
    }
    const bool has_keys = std::all_of(terms.begin(), terms.end(),
                                      [&](const Term& term) { return has_key(here_, term.topology_key); });
    return !anywhere && all_mean(terms, pod_) && (has_keys || !is_from(release_, 19));
  }

  /// PRE-AFFINITY-4 to PRE-AFFINITY-6
  bool preemptor_forbids() const {
    const std::vector<Term>& terms = pod_.pod_anti_affinity;
    return some_pod([&](PodIndex i, const Pod& other, const Node& node) {
      if (terms.empty() || !own_terms_see(i)) return false;
      if (is_from(release_, 11) && !is_from(release_, 12))
        return all_mean(terms, other) && in_all_domains(terms, node);
      const bool any_term_does =
          stays_[i] == Stay::put_back && is_from(release_, 12) && !is_from(release_, 18);
      return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
        const bool is_meant = any_term_does ? any_means(terms, other) : means(term, other);
        return is_meant && same_label(node, here_, term.topology_key);
      });
    });
  }

  /// PRE-AFFINITY-7, and PRE-AFFINITY-6 in v1.18
  bool others_forbid() const {
    if (is_from(release_, 18) && !is_from(release_, 19)) return is_forbidden_on_account();
    return some_pod([&](PodIndex, const Pod& other, const Node& node) {
      const std::vector<Term>& terms = other.pod_anti_affinity;
      return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
        const std::string& key = is_from(release_, 12) ? term.topology_key : terms.back().topology_key;
        return means(term, other.ns, false, pod_) && same_label(node, here_, key);
      });
    });
  }

  bool is_forbidden_on_account() const {
    return std::any_of(here_.labels.begin(), here_.labels.end(), [&](const auto& label) {
      std::int64_t count = 0;
      for (PodIndex i = 0; i < cluster_.pods.size(); ++i) {
        const Pod& other = cluster_.pods[i];
        if (!same_label(node_of(i), here_, label.first)) continue;
        const auto terms_that_mean = [&](const std::string& ns) {
          return std::count_if(other.pod_anti_affinity.begin(), other.pod_anti_affinity.end(),
                               [&](const Term& term) {
                                 return term.topology_key == label.first && means(term, ns, false, pod_);
                               });
        };
        if (stays_[i] != Stay::nominated) count += terms_that_mean(other.ns);
        if (stays_[i] == Stay::taken_away) count -= terms_that_mean(pod_.ns);
        if (stays_[i] == Stay::nominated) count += terms_that_mean(pod_.ns);
      }
      return count > 0;
    });
  }

  /// PRE-AFFINITY-8
  bool nothing_to_look_at() const {
    bool forbidden = false;
    for (PodIndex i = 0; i < cluster_.pods.size(); ++i) {
      const Pod& other = cluster_.pods[i];
      for (const Term& term : other.pod_anti_affinity) {
        forbidden = forbidden || (stays_[i] != Stay::nominated && means(term, other.ns, false, pod_) &&
                                  has_key(node_of(i), term.topology_key));
      }
    }
    return pod_.pod_affinity.empty() && pod_.pod_anti_affinity.empty() && !forbidden;
  }

  const Cluster& cluster_;
  const Pod& pod_;
  const Release& release_;
  std::vector<Stay> stays_;
  const Node& here_;
};

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
