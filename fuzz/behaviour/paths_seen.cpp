#include "fuzz/behaviour/paths_seen.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/behaviour/behaviour.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/vectors.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

/// The behaviours of the cases that a release answered, each with the first case that shows it.
Result<std::map<std::uint64_t, std::string>> behaviours_in(const std::vector<oracle::VectorFile>& files,
                                                           const Release& release) {
  std::map<std::uint64_t, std::string> behaviours;
  const std::string name = release.version.text();
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& each : file.cases) {
      const auto is_of_release = [&name](const auto& answer) { return answer.first == name; };
      if (std::none_of(each.answers.begin(), each.answers.end(), is_of_release)) continue;
      const Result<Question> question = kubernetes::read_question_text(each.question.dump(), each.name);
      if (!question) return question.error();
      Trace trace = Trace::full();
      const Decision decision = reference::preempt(question.value(), release, trace);
      behaviours.emplace(behaviour_of(question.value(), release, decision, trace).signature, each.name);
    }
  }
  return behaviours;
}

}  // namespace

Result<std::optional<PathsSeen>> paths_seen(const BehaviourCounts& behaviours, const Release& release,
                                            const std::filesystem::path& place) {
  const std::filesystem::path file = place / ("v1." + std::to_string(release.version.minor) + ".json");
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return std::optional<PathsSeen>();
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_run_vectors(file);
  if (!files) return files.error();
  const Result<std::map<std::uint64_t, std::string>> feasible = behaviours_in(files.value(), release);
  if (!feasible) return feasible.error();
  if (feasible.value().empty()) return std::optional<PathsSeen>();
  PathsSeen seen{0, feasible.value().size()};
  for (const auto& [behaviour, name] : feasible.value()) {
    if (behaviours.has(behaviour)) {
      ++seen.seen;
    } else {
      seen.unseen.push_back(name);
    }
  }
  return std::optional(std::move(seen));
}

std::optional<Error> note_paths(Tally& tally, const std::filesystem::path& place) {
  if (tally.behaviours.is_brief() || tally.setup.contains(k_cases_a_behaviour)) return std::nullopt;
  if (tally.setup.contains(k_command)) return std::nullopt;  // the paths are those of `run`
  const Result<NamedRelease> named = find_release(tally.setup.at("leftRelease").get<std::string>());
  if (!named) return std::nullopt;
  const Result<std::optional<PathsSeen>> seen = paths_seen(tally.behaviours, named.value().release, place);
  if (!seen) return seen.error();
  if (seen.value()) tally.paths = seen.value();
  return std::nullopt;
}

}  // namespace touchstone::fuzz
