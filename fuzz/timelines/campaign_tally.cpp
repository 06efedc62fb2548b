#include "fuzz/timelines/campaign_tally.hpp"

#include <nlohmann/json.hpp>

#include "kubernetes/text/bytes.hpp"
#include "oracle/saved_numbers.hpp"

namespace touchstone::fuzz {

namespace {

using oracle::count_at;
using oracle::counts_at;

Json found_json(const TimelineFound& found) {
  return {{"hash", found.hash},       {"key", found.key},           {"clause", found.clause},
          {"timeline", found.number}, {"commands", found.commands}, {"nodes", found.nodes},
          {"pods", found.pods}};
}

TimelineFound timeline_found_of(const Json& json) {
  return {json.at("hash"),
          json.at("key"),
          json.at("clause"),
          count_at(json, "timeline"),
          static_cast<std::size_t>(count_at(json, "commands")),
          static_cast<std::size_t>(count_at(json, "nodes")),
          static_cast<std::size_t>(count_at(json, "pods"))};
}

/// Describes a contradiction within the counts; null if there is none.
const char* contradiction_in(const TimelineTally& tally) {
  std::uint64_t skipped = 0;
  for (const auto& [reason, count] : tally.skipped) skipped += count;
  if (tally.agree + tally.differ + skipped != tally.timelines)
    return "expected timelines to be the sum of agree, differ and skipped";
  std::uint64_t by_clause = 0;
  for (const auto& [clause, count] : tally.by_clause) by_clause += count;
  if (by_clause != tally.differ) return "expected the sum of byClause to be differ";
  if (!tally.done.empty() && *tally.done.begin() <= tally.next)
    return "expected done to name timelines after next";
  return nullptr;
}

}  // namespace

Json json_of(const TimelineTally& tally) {
  Json json{{"setup", tally.setup},          {"timelines", tally.timelines}, {"agree", tally.agree},
            {"differ", tally.differ},        {"commands", tally.commands},   {"byClause", tally.by_clause},
            {"byCommand", tally.by_command}, {"outcomes", tally.outcomes},   {"found", Json::array()},
            {"seconds", tally.seconds},      {"next", tally.next},           {"done", tally.done},
            {"skipped", tally.skipped}};
  for (const TimelineFound& found : tally.found) json["found"].push_back(found_json(found));
  return json;
}

Result<TimelineTally> read_timeline_tally(const std::filesystem::path& file) {
  const Result<std::string> text = kubernetes::read_bytes(file.string(), {});
  if (!text) return text.error();
  try {
    const Json json = Json::parse(text.value());
    TimelineTally tally;
    tally.setup = json.at("setup");
    static_cast<void>(tally.setup.at("subject").value("name", ""));
    static_cast<void>(tally.setup.value("part", ""));
    static_cast<void>(tally.setup.at("release").get<std::string>());
    tally.timelines = count_at(json, "timelines");
    tally.agree = count_at(json, "agree");
    tally.differ = count_at(json, "differ");
    if (json.contains("skipped")) tally.skipped = counts_at(json, "skipped");  // older files have none
    tally.commands = count_at(json, "commands");
    tally.by_clause = counts_at(json, "byClause");
    tally.by_command = counts_at(json, "byCommand");
    tally.outcomes = counts_at(json, "outcomes");
    for (const Json& found : json.at("found")) tally.found.push_back(timeline_found_of(found));
    tally.seconds = oracle::seconds_at(json, "seconds");
    tally.next = count_at(json, "next");
    tally.done = oracle::numbers_at(json, "done");
    if (const char* contradiction = contradiction_in(tally))
      return Error{"campaign-malformed", file.string(), contradiction};
    return tally;
  } catch (const Json::exception& broken) {
    return Error{"campaign-malformed", file.string(), oracle::complaint_of(broken)};
  }
}

bool has_timeline_tally(const std::filesystem::path& file) {
  const Result<std::string> text = kubernetes::read_bytes(file.string(), {});
  if (!text) return false;
  const Json json = Json::parse(text.value(), nullptr, false);
  return json.is_object() && json.contains("timelines");
}

}  // namespace touchstone::fuzz
