#include "oracle/compare/cause_of_status.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "oracle/explain/explainer.hpp"

namespace touchstone::oracle {

namespace {

/// Rejections by another clause than the filter's own (k_filters). The first row that matches is used.
struct Rejection {
  std::string_view plugin;
  std::string_view part;  ///< of the reason
  std::string_view clause;
};

constexpr std::array<Rejection, 17> k_rejections = {{
    {"NodeAffinity", "terms conflict", "PRE-PREFILTER-2"},
    {"NodeResourcesFit", "Too many pods", "PRE-FIT-1"},
    {"NodeResourcesFit", "Insufficient pods", "PRE-FIT-1"},
    {"NodeResourcesFit", "restartable", "PRE-FIT-5"},
    {"VolumeRestrictions", "available disk", "PRE-DISK-1"},
    {"VolumeRestrictions", "not found", "PRE-CLAIM-2"},
    {"NodeVolumeLimits", "not installed", "PRE-ATTACH-7"},
    {"VolumeBinding", "node affinity", "PRE-BIND-1"},
    {"VolumeBinding", "available persistent volumes", "PRE-BIND-2"},
    {"VolumeBinding", "free storage", "PRE-BIND-3"},
    {"VolumeBinding", "non-existent", "PRE-BIND-4"},
    {"VolumeZone", "available volume zone", "PRE-ZONE-1"},
    {"InterPodAffinity", "existing pods", "PRE-AFFINITY-7"},
    {"InterPodAffinity", "anti-affinity", "PRE-AFFINITY-4"},
    {"PodTopologySpread", "missing", "PRE-SPREAD-1"},
    {"", "VolumeBinding", "PRE-CLAIM-3"},
    {"", "preemption victims found", "PRE-VICTIM-2"},
}};

std::string plugin_in(const Json& status) {
  const Json plugin = status.value("plugin", Json());
  return plugin.is_string() ? plugin.get<std::string>() : "";
}

std::vector<std::string> reasons_in(const Json& status) {
  return status.value("reasons", std::vector<std::string>());
}

std::string clause_of_reason(const std::string& plugin, const std::string& reason) {
  for (const Rejection& row : k_rejections) {
    if (row.plugin == plugin && reason.find(row.part) != std::string::npos) return std::string(row.clause);
  }
  for (const FilterFacts& facts : k_filters) {
    if (facts.plugin == plugin) return std::string(facts.clause);
  }
  return "";
}

/// The first reason that is not among the others; empty if there is none.
std::string first_beyond(const std::vector<std::string>& reasons, const std::vector<std::string>& others) {
  for (const std::string& reason : reasons) {
    if (std::find(others.begin(), others.end(), reason) == others.end()) return reason;
  }
  return "";
}

}  // namespace

std::size_t turn_of(const std::string& plugin, const Release& release) {
  std::size_t turn = 0;
  for (const std::vector<Filter>& group : release.filter_groups) {
    for (const Filter filter : group) {
      if (plugin_of(filter) == plugin) return turn;
      ++turn;
    }
  }
  return turn;
}

std::string clause_of_rejection(const Json& status) {
  const std::vector<std::string> reasons = reasons_in(status);
  return clause_of_reason(plugin_in(status), reasons.empty() ? "" : reasons.front());
}

std::string clause_against(const Step& step) {
  for (const Finding& finding : step.findings) {
    if (finding.clause == "PRE-NOMINATED-1") return std::string(finding.clause);
  }
  return std::string(deciding_clause(step));
}

std::string clause_between(const Step& step, const Json& given, const Json& ours, const Release& release) {
  const std::string own = std::string(deciding_clause(step));
  if (given.is_null()) return clause_against(step);
  const std::string plugin = plugin_in(given);
  if (!plugin.empty() && plugin != plugin_in(ours)) {
    // Each answer stops at its first filter that rejects. So the earlier of the two filters rejects in one
    // answer and passes in the other.
    const bool rejects_earlier = turn_of(plugin, release) < turn_of(plugin_in(ours), release);
    const std::string theirs = rejects_earlier ? clause_of_rejection(given) : "";
    return theirs.empty() ? clause_against(step) : theirs;
  }
  const std::vector<std::string> reasons = reasons_in(given);
  const std::vector<std::string> right = reasons_in(ours);
  const std::string missing = first_beyond(right, reasons);
  const std::string added = first_beyond(reasons, right);
  // If both have a reason that the other lacks, only the text differs. Then the clause is that of our
  // rejection.
  if (missing.empty() != added.empty()) {
    const std::string clause = clause_of_reason(plugin_in(ours), missing.empty() ? added : missing);
    return clause.empty() ? own : clause;
  }
  const bool other_code = missing.empty() && given.value("code", Json()) != ours.value("code", Json());
  return other_code && plugin_in(ours) == "NodeResourcesFit" ? "PRE-FIT-4" : own;
}

}  // namespace touchstone::oracle
