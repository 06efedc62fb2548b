#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spec/vocabulary/extenders.hpp"

/// Builds extenders with their answers.
namespace touchstone::tests {

inline FilterEntry ok() { return {}; }
inline FilterEntry rejected(std::string reason) { return {ExtenderVerdict::failed, std::move(reason)}; }
inline FilterEntry unresolvable(std::string reason) {
  return {ExtenderVerdict::unresolvable, std::move(reason)};
}

/// An extender that filters. It answers with node objects.
inline Extender filters(std::map<std::string, FilterEntry> table) {
  Extender extender;
  extender.filter_verb = "filter";
  extender.filter = AnswerTable<FilterEntry>{{}, std::move(table)};
  return extender;
}

/// An extender that filters, and answers with names.
inline Extender filters_names(std::map<std::string, FilterEntry> table) {
  Extender extender = filters(std::move(table));
  extender.node_cache_capable = true;
  return extender;
}

/// An extender that scores.
inline Extender scores(Quantity weight, std::map<std::string, Quantity> table) {
  Extender extender;
  extender.prioritize_verb = "prioritize";
  extender.weight = weight;
  extender.prioritize = AnswerTable<Quantity>{{}, std::move(table)};
  return extender;
}

inline VictimsEntry keeps() { return {.kept = true, .victims = {}, .pdb_violations = 0}; }
inline VictimsEntry evicts(std::vector<std::string> victims, Quantity pdb_violations = 0) {
  return {.kept = false, .victims = std::move(victims), .pdb_violations = pdb_violations};
}

/// An extender that chooses victims.
inline Extender preempts(std::map<std::string, VictimsEntry> table) {
  Extender extender;
  extender.preempt_verb = "preempt";
  extender.preempt = AnswerTable<VictimsEntry>{{}, std::move(table)};
  return extender;
}

/// The extender with a table that is an error: HTTP status 500, or `error`.
inline Extender failing(Extender extender, const std::string& error = "") {
  if (extender.filter) extender.filter->error = error;
  if (extender.prioritize) extender.prioritize->error = error;
  if (extender.preempt) extender.preempt->error = error;
  return extender;
}

inline Extender ignorable(Extender extender) {
  extender.ignorable = true;
  return extender;
}

/// The extender, which manages a resource.
inline Extender managing(Extender extender, std::string resource, bool ignored_by_scheduler = false) {
  extender.managed_resources.push_back({std::move(resource), ignored_by_scheduler});
  return extender;
}

}  // namespace touchstone::tests
