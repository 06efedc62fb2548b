#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "faults/judge.hpp"
#include "fuzz/campaign/laws.hpp"
#include "kubernetes/objects/question.hpp"

namespace touchstone::faults {

namespace {

/// A recorded answer and its parsed question.
struct Answer {
  const oracle::VectorFile* file;
  const oracle::VectorCase* vector_case;
  std::size_t number;  ///< index of the answer in the case
  std::shared_ptr<const Question> question;
  Release release;  ///< with the configuration of the question
};

std::vector<Answer> answers_in(const std::vector<oracle::VectorFile>& files) {
  std::map<std::string, NamedRelease> releases;
  std::vector<Answer> answers;
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& vector_case : file.cases) {
      const auto question = std::make_shared<const Question>(
          kubernetes::read_question_text(vector_case.question.dump(), vector_case.name).value());
      for (std::size_t i = 0; i < vector_case.answers.size(); ++i) {
        const std::string& name = vector_case.answers[i].first;
        if (!releases.contains(name)) releases.emplace(name, find_release(name).value());
        // A release may refuse the configuration. Then it decides nothing.
        const Result<NamedRelease> configured =
            oracle::configured_for(vector_case.question, vector_case.name, question->pod, releases.at(name));
        if (configured) answers.push_back({&file, &vector_case, i, question, configured.value().release});
      }
    }
  }
  // Small clusters come first. A few have thousands of nodes.
  std::stable_sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) {
    return a.question->cluster.nodes.size() < b.question->cluster.nodes.size();
  });
  return answers;
}

/// Whether the recorded answer differs from the faulty one. If the fault gave no wrong value, the answer is
/// that of the reference, which agrees with every vector. Then the comparison is skipped.
bool disagrees(const Answer& answer) {
  const std::uint64_t before = fault_switch.triggered;
  if (answer.file->command == oracle::Command::schedule) {
    fuzz::schedule(faulty_decider(), *answer.question, answer.release);
  } else {
    fuzz::decide(faulty_decider(), *answer.question, answer.release);
  }
  const auto& [name, expected] = answer.vector_case->answers[answer.number];
  if (fault_switch.triggered == before && !expected.contains("anyOrder")) return false;
  const oracle::VectorFile alone{answer.file->path,
                                 answer.file->recorded,
                                 answer.file->statuses,
                                 {*answer.vector_case},
                                 answer.file->command};
  const oracle::VectorReport report =
      oracle::check_vectors(alone, {.release = name, .decider = faulty_decider()}, [] {});
  return !report.disagreements.empty() || !report.skipped.empty();
}

/// The vectors run once and get the time of this many trials, because other judges run with several seeds.
constexpr double k_share = 20;

}  // namespace

Judge vectors_judge(const std::vector<oracle::VectorFile>& files) {
  const auto answers = std::make_shared<const std::vector<Answer>>(answers_in(files));
  const auto run = [answers](const Fault& fault, std::uint64_t, const Effort& effort) {
    const FaultOn on(fault);
    const Effort all{k_share * effort.seconds_most, effort.stop};
    return run_cases(all, [&](std::uint64_t number) -> std::optional<bool> {
      if (number > answers->size()) return std::nullopt;
      return disagrees((*answers)[number - 1]);
    });
  };
  return {"vectors", "all answers of spec/vectors, of every release", false, "", run};
}

}  // namespace touchstone::faults
