#include "optimized/store/pod_class.hpp"

#include <algorithm>

#include "optimized/store/requests.hpp"

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
  void add(const PodAffinityTerm& term) {
    add(term.label_selector);
    add(term.namespaces);
    add(term.namespace_selector);
    add(term.topology_key);
  }

  std::string text_;
};

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
  for (const auto& [name, amount] : requests_of(pod, release, RequestsOf::node_pod)) {
    if (name != "cpu" && name != "memory" && amount != 0) made.others.push_back({symbols.add(name), amount});
  }
  std::sort(made.others.begin(), made.others.end(),
            [](const Amount& a, const Amount& b) { return a.resource < b.resource; });

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
  for (const PodAffinityTerm& term : pod.pod_anti_affinity) signature.add(term);

  const auto [place, is_new] = numbers_.emplace(signature.text_, static_cast<std::uint32_t>(classes_.size()));
  if (!is_new) return {place->second, false};
  made.labels = numbered(pod.labels, number);
  for (const PodAffinityTerm& term : pod.pod_anti_affinity)
    made.anti_affinity.push_back(term_of(term, number));
  classes_.push_back(std::move(made));
  return {place->second, true};
}

std::size_t PodClasses::bytes() const {
  std::size_t bytes = classes_.capacity() * sizeof(PodClass);
  for (const auto& [key, number] : numbers_) bytes += key.capacity() + 64;
  return bytes;
}

}  // namespace touchstone::optimized
