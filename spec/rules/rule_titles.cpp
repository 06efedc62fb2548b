#include <algorithm>

#include "spec/rules/rules.hpp"

namespace touchstone {

namespace {

const Rule* rule_of(std::string_view id) {
  const auto rule =
      std::find_if(rules().begin(), rules().end(), [id](const Rule& each) { return each.id == id; });
  return rule == rules().end() ? nullptr : &*rule;
}

}  // namespace

std::string_view title_of(std::string_view id) {
  const Rule* rule = rule_of(id);
  return rule == nullptr ? std::string_view() : rule->title;
}

std::string_view statement_of(std::string_view id) {
  const Rule* rule = rule_of(id);
  if (rule == nullptr) return {};
  const std::size_t begin = rule->text.find('\n') + 1;  // after the line of releases
  return rule->text.substr(begin, rule->text.find("\nEvidence:") - begin);
}

}  // namespace touchstone
