#include "optimized/store/pod_class.hpp"

#include <algorithm>

#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

/// Writes the properties of a class as a text. Two texts are equal exactly if the classes are equal.
class Signature {
 public:
  void add(std::uint64_t number) { text_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void add(const std::string& text) {
    add(text.size());
    text_ += text;
  }
  void add(const Labels& labels) {
    add(labels.size());
    for (const auto& [key, value] : labels) {
      add(key);
      add(value);
    }
  }
  void add(const std::vector<std::string>& texts) {
    add(texts.size());
    for (const std::string& text : texts) add(text);
  }
  void add(const std::optional<LabelSelector>& selector) {
    add(static_cast<std::uint64_t>(selector.has_value()));
    if (!selector) return;
    add(selector->match_labels);
    add(selector->match_expressions.size());
    for (const Requirement& requirement : selector->match_expressions) {
      add(requirement.key);
      add(requirement.op);
      add(requirement.values);
    }
  }
  void add(const std::vector<WeightedPodAffinityTerm>& terms) {
    add(terms.size());
    for (const WeightedPodAffinityTerm& each : terms) {
      add(static_cast<std::uint64_t>(each.weight));
      add(each.term);
    }
  }
  void add(const std::vector<PodAffinityTerm>& terms) {
    add(terms.size());
    for (const PodAffinityTerm& term : terms) add(term);
  }
  void add(const PodAffinityTerm& term) {
    add(term.label_selector);
    add(term.namespaces);
    add(term.namespace_selector);
    add(term.topology_key);
  }

  std::string text_;
};

/// The terms of a pod on a node that score the preemptor. Required terms count if the configuration gives
/// them a weight. Clauses: SCORE-AFFINITY-1.
std::vector<WeightedTerm> scored_terms_of(const Pod& pod, const Release& release, const Numbering& number) {
  std::vector<WeightedTerm> terms;
  for (const PodAffinityTerm& term : pod.pod_affinity) {
    if (release.hard_pod_affinity_weight > 0)
      terms.push_back({release.hard_pod_affinity_weight, term_of(term, number)});
  }
  for (const auto& [weight, term] : pod.preferred_pod_affinity)
    terms.push_back({weight, term_of(term, number)});
  for (const auto& [weight, term] : pod.preferred_pod_anti_affinity)
    terms.push_back({go::difference(0, weight), term_of(term, number)});
  return terms;
}

}  // namespace

Term term_of(const PodAffinityTerm& term, const Numbering& number) {
  Term result;
  if (term.label_selector) result.selector = Selector::of_labels(*term.label_selector, number);
  for (const std::string& ns : term.namespaces) result.namespaces.push_back(number(ns));
  if (term.namespace_selector)
    result.namespace_selector = Selector::of_labels(*term.namespace_selector, number);
  result.topology_key = number(term.topology_key);
  return result;
}

PodClasses::Found PodClasses::find_or_add(const Pod& pod, const Release& release, Symbols& symbols) {
  const Numbering number = [&symbols](const std::string& text) { return symbols.add(text); };
  PodClass made;
  made.ns = symbols.add(pod.ns);
  for (const Port& port : host_ports_of(pod, release))
    made.ports.push_back({symbols.add(port.protocol), symbols.add(port.address), port.number});
  std::sort(made.ports.begin(), made.ports.end());
  made.ports.erase(std::unique(made.ports.begin(), made.ports.end()), made.ports.end());
  const Amounts requests = requests_of(pod, release, RequestsOf::node_pod);
  for (const auto& [name, amount] : requests) {
    if (name != "cpu" && name != "memory" && amount != 0) made.others.push_back({symbols.add(name), amount});
  }
  std::sort(made.others.begin(), made.others.end(),
            [](const Amount& a, const Amount& b) { return a.resource < b.resource; });
  made.beyond_requests = scored_beyond_requests(pod, release, requests);

  Signature signature;
  signature.add(std::uint64_t{made.ns});
  signature.add(pod.labels);
  signature.add(made.ports.size());
  for (const HostPort& port : made.ports) {
    signature.add(std::uint64_t{port.protocol});
    signature.add(std::uint64_t{port.address});
    signature.add(static_cast<std::uint64_t>(port.number));
  }
  signature.add(made.others.size());
  for (const Amount& amount : made.others) {
    signature.add(std::uint64_t{amount.resource});
    signature.add(static_cast<std::uint64_t>(amount.amount));
  }
  signature.add(pod.pod_anti_affinity);
  signature.add(pod.pod_affinity);
  signature.add(pod.preferred_pod_affinity);
  signature.add(pod.preferred_pod_anti_affinity);
  signature.add(static_cast<std::uint64_t>(made.beyond_requests.cpu));
  signature.add(static_cast<std::uint64_t>(made.beyond_requests.memory));

  const auto [place, is_new] = numbers_.emplace(signature.text_, static_cast<std::uint32_t>(classes_.size()));
  if (!is_new) return {place->second, false};
  made.labels = numbered(pod.labels, number);
  for (const PodAffinityTerm& term : pod.pod_anti_affinity)
    made.anti_affinity.push_back(term_of(term, number));
  made.scored_terms = scored_terms_of(pod, release, number);
  if (!made.scored_terms.empty()) with_scored_terms_.push_back(place->second);
  classes_.push_back(std::move(made));
  return {place->second, true};
}

std::size_t PodClasses::bytes() const {
  std::size_t bytes = classes_.capacity() * sizeof(PodClass);
  for (const auto& [key, number] : numbers_) bytes += key.capacity() + 64;
  return bytes;
}

}  // namespace touchstone::optimized
