#include "cli/commands/conform_suites.hpp"

#include <iostream>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/output.hpp"
#include "conformance/timelines.hpp"

namespace touchstone::cli {

using namespace conformance;

namespace {

constexpr const char* k_published = "conformance/suites.json";

/// The cases that are not generated: those of the given place, or else those of the project.
Result<FixedCases> read_fixed_cases(const std::string& place) {
  if (!place.empty()) {
    Result<std::vector<oracle::VectorFile>> vectors = oracle::read_vectors(place);
    if (!vectors) return vectors.error();
    return FixedCases{std::move(vectors).value()};
  }
  Result<std::vector<oracle::VectorFile>> vectors = oracle::read_vectors(data_path("spec/vectors"));
  if (!vectors) return vectors.error();
  Result<std::vector<oracle::VectorFile>> mistakes = conformance::read_mistakes(data_path("faults/clusters"));
  if (!mistakes) return mistakes.error();
  Result<std::vector<oracle::RecordedTimeline>> timelines =
      oracle::read_timelines(data_path("spec/vectors/time"));
  if (!timelines) return timelines.error();
  Result<std::vector<oracle::RecordedTimeline>> mistaken =
      conformance::read_mistaken_timelines(data_path("faults/timelines.jsonl"));
  if (!mistaken) return mistaken.error();
  FixedCases all{std::move(vectors).value(), std::move(timelines).value()};
  for (oracle::VectorFile& file : std::move(mistakes).value()) all.vectors.push_back(std::move(file));
  for (oracle::RecordedTimeline& each : std::move(mistaken).value()) all.timelines.push_back(std::move(each));
  return all;
}

}  // namespace

Result<std::set<LevelId>> levels_wanted(const std::vector<std::string>& names) {
  std::set<LevelId> wanted;
  for (const Level& level : levels()) {
    if (names.empty()) wanted.insert(level.id);
  }
  for (const std::string& name : names) {
    const Level* level = find_level(name);
    if (level == nullptr)
      return Error{"unknown-level", "--levels", "no level \"" + name + "\" (--list shows the levels)"};
    wanted.insert(level->id);
  }
  return wanted;
}

Result<std::vector<Suite>> build_suites(const NamedRelease& release, const std::set<LevelId>& wanted,
                                        ProgressBar& bar, const SuiteChoice& choice) {
  const Result<FixedCases> fixed = read_fixed_cases(choice.vectors);
  if (!fixed) return fixed.error();
  std::size_t cases = 0;
  for (const oracle::VectorFile& file : fixed.value().vectors) cases += file.cases.size();
  return suites_of(fixed.value(), release, wanted,
                   [&](std::size_t done) { bar.update("suites", done, cases); }, interruption(),
                   {choice.name, choice.vectors.empty()});
}

int update_published_suites(const Terminal& terminal) {
  const std::string file = data_path(k_published);
  const Result<Published> before = read_published(file);
  if (!before) return print_error(before.error()), k_exit_bad_input;
  Published now{k_suite_version, {}};
  ProgressBar bar(terminal);
  for (const std::string_view name : k_published_releases) {
    const NamedRelease release = find_release(name).value();
    const Result<std::vector<Suite>> suites = build_suites(release, levels_wanted({}).value(), bar, {});
    if (!suites) return print_error(suites.error()), k_exit_bad_input;
    if (interruption()) return k_exit_interrupted;
    now.releases[std::string(name)] = published_of(suites.value());
  }
  bar.erase();
  if (now.releases == before.value().releases && now.version == before.value().version) return k_exit_ok;
  if (before.value().version == k_suite_version && !before.value().releases.empty())
    return print_error({"suite-changed", file, "suites have changed: raise k_suite_version"}),
           k_exit_disagreement;
  if (const auto error = write_published(file, now)) return print_error(*error), k_exit_bad_input;
  std::cout << "updated " << file << "\n";
  return k_exit_ok;
}

}  // namespace touchstone::cli
