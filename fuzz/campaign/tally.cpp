#include "fuzz/campaign/tally.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kubernetes/text/bytes.hpp"
#include "oracle/saved_numbers.hpp"

namespace touchstone::fuzz {

namespace {

using oracle::count_at;
using oracle::counts_at;

Json json_of(const Found& found) {
  Json json{{"hash", found.hash},     {"signature", found.signature},
            {"clause", found.clause}, {"explainedBy", found.explained_by},
            {"case", found.number},   {"nodes", found.nodes},
            {"pods", found.pods},     {"minimal", found.minimal}};
  if (!found.failure.empty()) json["failure"] = found.failure;
  if (!found.standard_error.empty()) json["standardError"] = found.standard_error;
  return json;
}

Found found_of(const Json& json) {
  return {json.at("hash"),           json.at("signature"),
          json.at("clause"),         json.at("explainedBy"),
          count_at(json, "case"),    count_at(json, "nodes"),
          count_at(json, "pods"),    json.at("minimal"),
          json.value("failure", ""), json.value("standardError", "")};
}

void add_up(std::map<std::string, std::uint64_t>& into, const std::map<std::string, std::uint64_t>& more) {
  for (const auto& [key, count] : more) into[key] += count;
}

void add_new(std::vector<Found>& into, const std::vector<Found>& more) {
  for (const Found& one : more) {
    const bool known =
        std::any_of(into.begin(), into.end(), [&one](const Found& mine) { return mine.hash == one.hash; });
    if (!known) into.push_back(one);
  }
}

Json json_of(const std::vector<Found>& list) {
  Json json = Json::array();
  for (const Found& found : list) json.push_back(json_of(found));
  return json;
}

std::uint64_t sum_of(const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const auto& [key, count] : counts) sum += count;
  return sum;
}

/// Whether the blocks that are done belong to the shard and come after next_block.
bool are_its_own(const std::set<std::uint64_t>& done, const Tally& tally) {
  return std::all_of(done.begin(), done.end(), [&tally](std::uint64_t block) {
    return block > tally.next_block && block % tally.shard.count == tally.shard.number;
  });
}

/// Whether the begun blocks belong to the shard, are not done, and have some but not all cases judged.
bool are_its_own(const std::map<std::uint64_t, std::uint64_t>& begun, const Tally& tally) {
  return std::all_of(begun.begin(), begun.end(), [&tally](const auto& each) {
    const auto& [block, cases] = each;
    return block >= tally.next_block && block % tally.shard.count == tally.shard.number &&
           !tally.done.contains(block) && cases > 0 && cases < k_cases_in_a_block;
  });
}

/// Describes a contradiction within the counts; null if there is none. Requires: shard numbers below their
/// count.
const char* contradiction_in(const Tally& tally) {
  if (tally.agree + tally.differ + sum_of(tally.skipped) != tally.cases)
    return "expected cases to be the sum of agree, differ and skipped";
  if (sum_of(tally.by_clause) != tally.differ) return "expected the sum of byClause to be differ";
  if (tally.shards.size() > 1) return nullptr;  // a merged campaign cannot be resumed
  if (tally.next_block % tally.shard.count != tally.shard.number || !are_its_own(tally.done, tally))
    return "expected nextBlock and doneBeyond to name blocks of this shard, with doneBeyond after nextBlock";
  if (!are_its_own(tally.begun, tally))
    return "expected begun to name blocks of this shard that are not done";
  const std::uint64_t blocks = tally.next_block / tally.shard.count + tally.done.size();
  std::uint64_t of_begun = 0;
  for (const auto& [block, cases] : tally.begun) of_begun += cases;
  const std::uint64_t of_done = tally.cases - std::min(tally.cases, of_begun);
  if (of_done % k_cases_in_a_block != 0 || of_done / k_cases_in_a_block != blocks)
    return "expected cases to be the cases in begun, and 64 for each block of nextBlock and doneBeyond";
  return nullptr;
}

}  // namespace

void Tally::add(const Tally& more) {
  cases += more.cases;
  agree += more.agree;
  differ += more.differ;
  seconds += more.seconds;
  add_up(skipped, more.skipped);
  add_up(by_clause, more.by_clause);
  add_up(nodes, more.nodes);
  add_up(outcomes, more.outcomes);
  add_up(shrink_failures, more.shrink_failures);
  nominated += more.nominated;
  add_up(ineffective_eviction, more.ineffective_eviction);
  add_up(spent_ns, more.spent_ns);
  behaviours.merge(more.behaviours);
  add_new(found, more.found);
  add_new(witnesses, more.witnesses);
}

void Tally::count(const oracle::NodeVerdicts& verdicts) {
  if (verdicts.agree > 0) nodes["agree"] += verdicts.agree;
  if (!verdicts.differences.empty()) nodes["differ"] += verdicts.differences.size();
  for (const auto& [why, number] : verdicts.skipped) nodes["skipped: " + why] += number;
}

void Tally::judged(std::uint64_t block, std::uint64_t cases_judged) {
  if (cases_judged < k_cases_in_a_block) {
    begun[block] = cases_judged;
    return;
  }
  begun.erase(block);
  done.insert(block);
  while (done.erase(next_block) > 0) next_block += shard.count;
}

void Tally::recount(const std::string& from, const std::string& to) {
  if (--by_clause[from] == 0) by_clause.erase(from);
  ++by_clause[to];
}

Json json_of(const Tally& tally) {
  Json json;
  json["setup"] = tally.setup;
  json["shard"] = {{"number", tally.shard.number}, {"count", tally.shard.count}};
  json["shards"] = tally.shards;
  json["cases"] = tally.cases;
  json["agree"] = tally.agree;
  json["differ"] = tally.differ;
  json["skipped"] = tally.skipped;
  json["byClause"] = tally.by_clause;
  json["outcomes"] = tally.outcomes;
  if (!tally.nodes.empty()) json["nodes"] = tally.nodes;
  json["seconds"] = tally.seconds;
  json["nextBlock"] = tally.next_block;
  json["doneBeyond"] = tally.done;
  for (const auto& [block, cases] : tally.begun)
    json["begun"].push_back({{"block", block}, {"cases", cases}});
  if (!tally.shrink_failures.empty()) json["shrinkFailures"] = tally.shrink_failures;
  json["found"] = json_of(tally.found);
  json["nominated"] = tally.nominated;
  json["ineffectiveEvictions"] = tally.ineffective_eviction;
  json["witnesses"] = json_of(tally.witnesses);
  if (!tally.spent_ns.empty()) json["spentNs"] = tally.spent_ns;
  if (tally.paths) {
    json["paths"] = {{"seen", tally.paths->seen}, {"feasible", tally.paths->feasible}};
    if (!tally.paths->unseen.empty()) json["paths"]["unseen"] = tally.paths->unseen;
  }
  json["behaviours"] = tally.behaviours.to_json();
  return json;
}

Result<Tally> tally_of(const Json& json, const std::string& file) {
  try {
    Tally tally;
    tally.setup = json.at("setup");
    for (const char* side : {"left", "right"}) {
      if (!tally.setup.at(side).is_object() || !tally.setup.at(std::string(side) + "Release").is_string())
        return Error{"campaign-malformed", file, "expected both sides and their releases in setup"};
    }
    tally.shard = {count_at(json.at("shard"), "number"), count_at(json.at("shard"), "count")};
    tally.shards = oracle::numbers_at(json, "shards");
    tally.cases = count_at(json, "cases");
    tally.agree = count_at(json, "agree");
    tally.differ = count_at(json, "differ");
    tally.skipped = counts_at(json, "skipped");
    tally.by_clause = counts_at(json, "byClause");
    tally.outcomes = counts_at(json, "outcomes");
    if (json.contains("nodes")) tally.nodes = counts_at(json, "nodes");
    tally.seconds = oracle::seconds_at(json, "seconds");
    tally.next_block = count_at(json, "nextBlock");
    tally.done = oracle::numbers_at(json, "doneBeyond");
    for (const Json& block : json.value("begun", Json::array()))
      tally.begun[count_at(block, "block")] = count_at(block, "cases");
    if (json.contains("shrinkFailures")) tally.shrink_failures = counts_at(json, "shrinkFailures");
    for (const Json& found : json.at("found")) tally.found.push_back(found_of(found));
    if (json.contains("ineffectiveEvictions")) {  // older files lack these counts
      tally.nominated = count_at(json, "nominated");
      tally.ineffective_eviction = counts_at(json, "ineffectiveEvictions");
      for (const Json& found : json.at("witnesses")) tally.witnesses.push_back(found_of(found));
    }
    if (json.contains("paths")) {
      const Json& paths = json.at("paths");
      tally.paths = PathsSeen{count_at(paths, "seen"), count_at(paths, "feasible"),
                              paths.value("unseen", std::vector<std::string>())};
    }
    if (json.contains("spentNs")) tally.spent_ns = counts_at(json, "spentNs");
    Result<BehaviourCounts> behaviours = BehaviourCounts::from_json(json.at("behaviours"));
    if (!behaviours) return Error{"campaign-malformed", file, behaviours.error().message};
    tally.behaviours = std::move(behaviours).value();
    const bool only_some = tally.setup.contains(k_cases_a_behaviour);
    if (only_some ? tally.behaviours.cases() > tally.cases : tally.behaviours.cases() != tally.cases)
      return Error{"campaign-malformed", file, "expected behaviours to count the cases of this campaign"};
    if (tally.shard.number >= tally.shard.count || tally.shards.empty() ||
        *tally.shards.rbegin() >= tally.shard.count)
      return Error{"campaign-malformed", file, "expected shard numbers below the number of shards"};
    if (const char* contradiction = contradiction_in(tally); contradiction != nullptr)
      return Error{"campaign-malformed", file, contradiction};
    return tally;
  } catch (const Json::exception& broken) {
    return Error{"campaign-malformed", file, oracle::complaint_of(broken)};
  }
}

std::optional<Error> merge(Tally& into, const Tally& other) {
  if (into.setup != other.setup || into.shard.count != other.shard.count)
    return Error{"campaigns-differ", "",
                 "expected shards of one campaign: the same sides, releases, seed, "
                 "families and number of shards"};
  if (into.behaviours.is_brief() || other.behaviours.is_brief())
    return Error{"campaign-in-brief", "", "a campaign that was saved with --brief cannot be merged"};
  for (const std::uint64_t shard : other.shards) {
    if (into.shards.contains(shard))
      return Error{"shard-twice", "", "shard " + std::to_string(shard) + " of this campaign is given twice"};
  }
  into.shards.insert(other.shards.begin(), other.shards.end());
  into.add(other);
  into.paths.reset();
  return std::nullopt;
}

Result<Tally> read_tally(const std::filesystem::path& file) {
  const Result<std::string> text = kubernetes::read_bytes(file.string(), kubernetes::Progress());
  if (!text) return text.error();
  try {
    return tally_of(Json::parse(text.value()), file.string());
  } catch (const Json::parse_error& broken) {
    return Error{"json-malformed", file.string(), oracle::complaint_of(broken)};
  }
}

std::optional<Error> write_tally(const std::filesystem::path& file, const Tally& tally) {
  std::error_code failure;  // write_bytes() reports it
  std::filesystem::create_directories(file.parent_path(), failure);
  return kubernetes::write_bytes(file, json_of(tally).dump(1) + "\n");
}

}  // namespace touchstone::fuzz
