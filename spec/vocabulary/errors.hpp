#pragma once

#include <set>
#include <string>
#include <vector>

namespace touchstone {

/// Several errors as one text, in their order. Equal errors are named once. Clauses: PRE-OUTCOME-5.
inline std::string listed_errors(const std::vector<std::string>& errors) {
  std::set<std::string> seen;
  std::string list;
  for (const std::string& error : errors) {
    if (!seen.insert(error).second) continue;
    list += (list.empty() ? "" : ", ") + error;
  }
  return seen.size() > 1 ? "[" + list + "]" : list;
}

}  // namespace touchstone
