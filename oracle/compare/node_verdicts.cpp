#include "oracle/compare/node_verdicts.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "oracle/compare/cause_of_status.hpp"
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

/// The filters whose PreFilter rejects no node. If one of them rejects a node, all earlier filters let it
/// pass.
constexpr std::array<std::string_view, 4> k_only_filters = {"NodePorts", "NodeResourcesFit",
                                                            "PodTopologySpread", "InterPodAffinity"};

/// What the claimed filters say about a node that the reference rejects.
enum class Claimed { reject, pass, unknown };

Claimed said_by_claimed(const std::string& plugin, const std::set<std::string>& features,
                        const Release& release) {
  if (features.contains(std::string(k_fits_feature) + plugin)) return Claimed::reject;
  if (std::find(k_only_filters.begin(), k_only_filters.end(), plugin) == k_only_filters.end())
    return Claimed::unknown;
  bool is_any = false;
  for (const std::string& feature : features) {
    if (!feature.starts_with(k_fits_feature)) continue;
    is_any = true;
    if (turn_of(feature.substr(k_fits_feature.size()), release) > turn_of(plugin, release))
      return Claimed::unknown;
  }
  return is_any ? Claimed::pass : Claimed::unknown;
}

/// The text before the first colon. Reasons with the same beginning are counted together.
std::string before_colon(const std::string& reason) { return reason.substr(0, reason.find(':')); }

}  // namespace

bool are_verdicts(const Json& fits) {
  const auto is_verdict = [](const Json& verdict) {
    if (verdict.is_string() || verdict == true) return true;
    if (!verdict.is_object()) return false;
    if (verdict.contains("plugin") && !verdict["plugin"].is_string()) return false;
    const Json reasons = verdict.value("reasons", Json::array());
    return reasons.is_array() && names_in(reasons).size() == reasons.size();
  };
  return fits.is_object() && std::all_of(fits.begin(), fits.end(), is_verdict);
}

NodeVerdicts compare_verdicts(const Json& fits, const Json& ours, const std::set<std::string>& features,
                              const Release& release) {
  NodeVerdicts result;
  const std::map<std::string, Json> statuses = statuses_in(ours);
  for (const auto& [name, status] : statuses) {
    if (!fits.contains(name)) {
      ++result.skipped["the subject gives no verdict"];
      continue;
    }
    const Json& verdict = fits[name];
    if (verdict.is_string()) {
      ++result.skipped["by the subject: " + before_colon(verdict.get<std::string>())];
      continue;
    }
    const std::string plugin = status.is_null() ? "" : status.value("plugin", "");
    const Claimed claimed = status.is_null() ? Claimed::pass : said_by_claimed(plugin, features, release);
    if (claimed == Claimed::unknown) {
      ++result.skipped[plugin.empty() ? "rejected without a plug-in"
                                      : "rejected by " + plugin + ", which is not claimed"];
    } else if ((verdict == true) == (claimed == Claimed::pass)) {
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
