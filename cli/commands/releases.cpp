#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/text/release_page.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::cli {

namespace {

/// The directory in which upstream/build puts the running schedulers, seen from the root of the project.
constexpr const char* k_built = "build/upstream";

/// The releases whose scheduler is built, oldest first.
std::vector<Version> built_releases() {
  std::vector<Version> built;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(data_path(k_built), failure)) {
    const Result<NamedRelease> named = find_release(entry.path().filename().string());
    if (named && std::filesystem::exists(entry.path() / "scheduler", failure))
      built.push_back(named.value().release.version);
  }
  std::sort(built.begin(), built.end());
  return built;
}

void print_built() {
  const std::vector<Version> built = built_releases();
  if (built.empty()) {
    std::cout << "\nNo real kube-scheduler is built here; checks use recorded decisions instead. "
                 "upstream/build makes one.\n";
    return;
  }
  std::cout << "\nBuilt in " << k_built << ":";
  for (const Version& version : built) std::cout << " " << version.text();
  std::cout << "\n";
}

void print_text(const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"RELEASE", "NEWEST", "BEHAVIOUR KNOWN FROM"})};
  for (const Version& newest : known_releases()) {
    rows.push_back({"v1." + std::to_string(newest.minor), newest.text(), evidence_of(newest.minor)});
  }
  std::cout << table(terminal, rows) << "\n";
  rows = {heading(terminal, {"FIRST IN", "SWITCH", "NEW VALUE", "CLAUSE", "EVIDENCE"})};
  for (const Change& change : release_table()) {
    rows.push_back({first_patches(change), std::string(change.name), std::string(change.value),
                    std::string(change.clause), std::string(change.evidence)});
  }
  std::cout << table(terminal, rows);
  print_built();
}

void print_all_json() {
  oracle::Json json;
  for (const Version& newest : known_releases()) {
    json["releases"].push_back({{"release", "v1." + std::to_string(newest.minor)},
                                {"newest", newest.text()},
                                {"behaviour", evidence_of(newest.minor)}});
  }
  json["built"] = oracle::Json::array();
  for (const Version& version : built_releases()) json["built"].push_back(version.text());
  for (const Change& change : release_table()) {
    oracle::Json first = oracle::Json::array();
    for (const FirstPatch& patch : change.first) {
      oracle::Json entry = {{"release", Version{patch.minor, patch.patch}.text()}};
      if (patch.absent_through >= 0)
        entry["absentThrough"] = Version{patch.minor, patch.absent_through}.text();
      first.push_back(entry);
    }
    json["changes"].push_back({{"switch", change.name},
                               {"value", change.value},
                               {"clause", change.clause},
                               {"first", first},
                               {"evidence", change.evidence}});
  }
  print_json(json);
}

}  // namespace

void add_releases(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("releases", "List the known releases, and every change of behaviour between them");
  describe(*command, context.terminal,
           {.description =
                "The first table lists the releases, and how the behaviour of each is known: recorded from "
                "the running scheduler, or read in its source. The second table lists the changes: the first "
                "patch of each minor release, the switch, its new value, and the clause that describes the "
                "value. The last line lists the real kube-schedulers that are built here (upstream/build).",
            .examples = {{"List the releases and changes", "touchstone releases"},
                         {"List the releases and changes, as JSON", "touchstone releases --output json"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input},
            .see_also = {"touchstone rules --help", "spec/releases.md"}});
  const auto output = std::make_shared<std::string>("text");
  add_output_option(*command, *output, {"text", "json"});
  command->callback([output, &context] {
    *output == "json" ? print_all_json() : print_text(context.terminal);
    context.exit_code = k_exit_ok;
  });
}

}  // namespace touchstone::cli
