#include <algorithm>

#include "spec/rules/rules.hpp"

namespace touchstone {

std::string_view title_of(std::string_view id) {
  const auto rule =
      std::find_if(rules().begin(), rules().end(), [id](const Rule& each) { return each.id == id; });
  return rule == rules().end() ? std::string_view() : rule->title;
}

}  // namespace touchstone
