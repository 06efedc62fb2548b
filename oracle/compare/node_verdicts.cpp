#include "oracle/compare/node_verdicts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/protocol/answer_parts.hpp"

namespace touchstone::oracle {

namespace {

/// The nodes on which the reference has a verdict, each with the status of its first pass; null if it fits.
std::map<std::string, Json> statuses_in(const Json& ours) {
  std::map<std::string, Json> statuses;
  for (const std::string& name : names_in(ours.value("feasible", Json::array()))) statuses[name] = nullptr;
  const Json rejected = ours.value("filter", Json::object());
  for (const auto& [name, status] : rejected.items()) statuses[name] = status;
  return statuses;
}

/// Why the reference's rejection of a node is outside of what the subject claims; empty: it is not.
std::string outside_claim(const Json& status, const std::set<std::string>& features) {
  const std::string plugin = status.value("plugin", "");
  if (plugin.empty()) return "rejected without a plug-in";
  if (features.contains(std::string(k_fits_feature) + plugin)) return "";
  return "rejected by " + plugin + ", which is not claimed";
}

/// The text before the first colon. Reasons with the same beginning are counted together.
std::string kind_of(const std::string& reason) { return reason.substr(0, reason.find(':')); }

}  // namespace

bool are_verdicts(const Json& fits) {
  const auto is_verdict = [](const Json& verdict) {
    if (verdict.is_string() || verdict == true) return true;
    if (!verdict.is_object()) return false;
    if (verdict.contains("plugin") && !verdict["plugin"].is_string()) return false;
    return !verdict.contains("reasons") || names_in(verdict["reasons"]).size() == verdict["reasons"].size();
  };
  return fits.is_object() && std::all_of(fits.begin(), fits.end(), is_verdict);
}

NodeVerdicts compare_verdicts(const Json& fits, const Json& ours, const std::set<std::string>& features) {
  NodeVerdicts result;
  const std::map<std::string, Json> statuses = statuses_in(ours);
  for (const auto& [name, status] : statuses) {
    if (!fits.contains(name)) {
      ++result.skipped["the subject gives no verdict"];
      continue;
    }
    const Json& verdict = fits[name];
    const std::string outside = status.is_null() ? "" : outside_claim(status, features);
    if (verdict.is_string()) {
      ++result.skipped["by the subject: " + kind_of(verdict.get<std::string>())];
    } else if (!outside.empty()) {
      ++result.skipped[outside];
    } else if ((verdict == true) == status.is_null()) {
      ++result.agree;
    } else {
      const std::string given = verdict == true ? "null" : verdict.dump();
      result.differences.push_back({"filter." + name, given, status.dump()});
    }
  }
  for (const auto& [name, verdict] : fits.items()) {
    if (!statuses.contains(name)) ++result.skipped["the reference has no verdict"];
  }
  return result;
}

}  // namespace touchstone::oracle
