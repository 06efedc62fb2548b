#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "cli/text/campaign_text.hpp"
#include "cli/text/timeline_campaign_text.hpp"
#include "fuzz/behaviour/paths_seen.hpp"
#include "fuzz/timelines/campaign_tally.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::cli {

namespace {

namespace fs = std::filesystem;

struct CampaignsOptions {
  std::vector<std::string> places;
  std::string out;
  bool brief = false;
  std::string output = "text";
};

/// The campaign files of a place: the place itself, or its campaign.json, or all *.json in it.
std::vector<fs::path> files_of(const fs::path& place) {
  std::error_code failure;
  if (!fs::is_directory(place, failure)) return {place};
  if (fs::exists(place / "campaign.json", failure)) return {place / "campaign.json"};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place, failure)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Campaigns {
  std::vector<fuzz::Tally> of_decisions;
  std::vector<fuzz::TimelineTally> over_time;
};

Version version_of(const fuzz::Json& release) {
  const Result<NamedRelease> known = find_release(release.get<std::string>());
  return known ? known.value().release.version : Version{};
}

/// Reads campaigns, sorted by release. Shards of one campaign of decisions are added up.
Result<Campaigns> read_all(const std::vector<std::string>& places) {
  Campaigns campaigns;
  std::vector<fuzz::Tally>& tallies = campaigns.of_decisions;
  for (const std::string& place : places) {
    const std::vector<fs::path> files = files_of(data_path(place));
    if (files.empty()) return Error{"nothing-found", place, "no campaign in this directory"};
    for (const fs::path& file : files) {
      if (fuzz::has_timeline_tally(file)) {
        const Result<fuzz::TimelineTally> read = fuzz::read_timeline_tally(file);
        if (!read) return read.error();
        campaigns.over_time.push_back(read.value());
        continue;
      }
      const Result<fuzz::Tally> read = fuzz::read_tally(file);
      if (!read) return read.error();
      const fuzz::Tally& tally = read.value();
      const auto same = std::find_if(tallies.begin(), tallies.end(), [&tally](const fuzz::Tally& other) {
        return other.setup == tally.setup && other.shard.count == tally.shard.count;
      });
      if (same == tallies.end()) {
        tallies.push_back(tally);
      } else if (const std::optional<Error> error = merge(*same, tally)) {
        return Error{error->code, file.string(), error->message};
      }
    }
  }
  std::stable_sort(tallies.begin(), tallies.end(), [](const fuzz::Tally& a, const fuzz::Tally& b) {
    return version_of(a.setup.at("rightRelease")) < version_of(b.setup.at("rightRelease"));
  });
  std::stable_sort(campaigns.over_time.begin(), campaigns.over_time.end(),
                   [](const fuzz::TimelineTally& a, const fuzz::TimelineTally& b) {
                     return version_of(a.setup.at("release")) < version_of(b.setup.at("release"));
                   });
  for (fuzz::Tally& tally : tallies) {
    if (const std::optional<Error> error = fuzz::note_paths(tally, data_path(fuzz::k_paths))) return *error;
  }
  return campaigns;
}

void print_table(const std::vector<fuzz::Tally>& tallies, const Terminal& terminal) {
  std::vector<Row> rows = {heading(
      terminal, {"SUBJECT", "AGAINST", "CASES", "AGREE", "DIFFER", "SKIPPED", "BEHAVIOURS", "P(NEW)"})};
  for (const fuzz::Tally& tally : tallies) {
    std::uint64_t skipped = 0;
    for (const auto& [what, count] : tally.skipped) skipped += count;
    rows.push_back({printable(side_of(tally, "right")), printable(side_of(tally, "left")),
                    std::to_string(tally.cases), std::to_string(tally.agree), std::to_string(tally.differ),
                    std::to_string(skipped), std::to_string(tally.behaviours.seen()),
                    probability_text(tally.behaviours.next_new())});
  }
  std::cout << table(terminal, rows);
}

int run(const CampaignsOptions& options, const Terminal& terminal) {
  const Result<Campaigns> read = read_all(options.places);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  const std::vector<fuzz::Tally>& tallies = read.value().of_decisions;
  const std::vector<fuzz::TimelineTally>& over_time = read.value().over_time;
  if (options.brief && options.out.empty())
    return print_error({"usage", "--brief", "requires --out"}), k_exit_bad_input;
  if (!options.out.empty()) {
    if (tallies.size() != 1 || !over_time.empty())
      return print_error(
                 {"campaigns-differ", "--out", "expected shards of one campaign of decisions, found other campaigns"}),
             k_exit_bad_input;
    fuzz::Tally kept = tallies[0];
    if (options.brief) kept.behaviours = kept.behaviours.brief();
    if (const std::optional<Error> error = fuzz::write_tally(options.out, kept))
      return print_error(*error), k_exit_bad_input;
  }
  if (options.output == "json") {
    fuzz::Json json = fuzz::Json::array();
    for (const fuzz::Tally& tally : tallies) json.push_back(json_of(tally));
    for (const fuzz::TimelineTally& tally : over_time) json.push_back(json_of(tally));
    print_json(json);
  } else if (tallies.size() + over_time.size() == 1) {
    std::cout << (over_time.empty() ? summary_of(tallies[0], "", terminal)
                                    : summary_of(over_time[0], "", terminal));
  } else {
    if (!tallies.empty()) print_table(tallies, terminal);
    if (!over_time.empty()) std::cout << (tallies.empty() ? "" : "\n") << table_of(over_time, terminal);
  }
  for (const fuzz::TimelineTally& tally : over_time) {
    if (tally.differ > 0) return k_exit_disagreement;
  }
  for (const fuzz::Tally& tally : tallies) {
    if (tally.differ > 0) return k_exit_disagreement;
  }
  return k_exit_ok;
}

}  // namespace

void add_campaigns(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("campaigns", "Show saved campaigns of touchstone fuzz, and merge their shards");
  const auto options = std::make_shared<CampaignsOptions>();
  options->places = {"fuzz/campaigns", "fuzz/campaigns/time"};
  describe(
      *command, context.terminal,
      {.description = "Reads what touchstone fuzz --out saved: directories, or the campaign.json in them. "
                      "Shards of one campaign are merged, but not those of campaigns over time. README.md "
                      "reports the campaigns in fuzz/campaigns. "
                      "P(NEW): the probability that the next case shows a new behaviour.",
       .examples = {{"Show the campaigns against running releases", "touchstone campaigns"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input},
       .see_also = {"touchstone fuzz --help"}});
  command->add_option("place", options->places, "Directories or files of campaigns")
      ->type_name("PATH")
      ->capture_default_str();
  command->add_option("--out", options->out, "Write the merged shards of one campaign to this file")
      ->type_name("FILE");
  command->add_flag("--brief", options->brief,
                    "With --out, save only how many behaviours occurred how often, not which: a small file "
                    "that cannot be merged");
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
