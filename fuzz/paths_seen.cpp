#include "fuzz/paths_seen.hpp"

#include <algorithm>

#include "fuzz/behaviour.hpp"
#include "kubernetes/question.hpp"
#include "oracle/vectors.hpp"
#include "reference/preempt.hpp"

namespace touchstone::fuzz {

namespace {

/// The behaviours of the cases that have an answer of the release.
Result<std::set<std::uint64_t>> behaviours_in(const std::vector<oracle::VectorFile>& files,
                                              const Release& release) {
  std::set<std::uint64_t> behaviours;
  const std::string name = release.version.text();
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& each : file.cases) {
      const auto is_of_release = [&name](const auto& answer) { return answer.first == name; };
      if (std::none_of(each.answers.begin(), each.answers.end(), is_of_release)) continue;
      const Result<Question> question = kubernetes::read_question_text(each.question.dump(), each.name);
      if (!question) return question.error();
      CanonicalChoices choices;
      Trace trace = Trace::full();
      const Decision decision = reference::preempt(question.value(), release, choices, trace);
      behaviours.insert(behaviour_of(question.value(), release, decision, trace).signature);
    }
  }
  return behaviours;
}

}  // namespace

std::optional<Error> note_paths(Tally& tally, const std::filesystem::path& place) {
  if (tally.species.is_brief() || tally.setup.contains(k_cases_a_behaviour)) return std::nullopt;
  const Result<NamedRelease> named = find_release(tally.setup.at("leftRelease").get<std::string>());
  if (!named) return std::nullopt;
  const std::filesystem::path file =
      place / ("v1." + std::to_string(named.value().release.version.minor) + ".json");
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return std::nullopt;
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(file);
  if (!files) return files.error();
  const Result<std::set<std::uint64_t>> feasible = behaviours_in(files.value(), named.value().release);
  if (!feasible) return feasible.error();
  if (feasible.value().empty()) return std::nullopt;
  PathsSeen seen{0, feasible.value().size()};
  for (const std::uint64_t behaviour : feasible.value()) seen.seen += tally.species.has(behaviour);
  tally.paths = seen;
  return std::nullopt;
}

}  // namespace touchstone::fuzz
