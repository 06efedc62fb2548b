#include "fuzz/campaign/questions.hpp"

#include <optional>
#include <utility>

#include "fuzz/generate/configuration.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/protocol/vectors.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::fuzz {

namespace {

/// Makes the choices of a configuration independent of those of the cluster.
constexpr std::uint64_t k_configurations = 0x636f6e666967;

}  // namespace

oracle::Asked SentQuestion::asked() const {
  const auto config = line.find("config");
  return {question, command, config == line.end() ? nullptr : &*config};
}

Result<SentQuestion> sent_question(Json line, oracle::Command command, const std::string& name) {
  Result<Question> read = kubernetes::read_question_text(line.dump(), name);
  if (!read) return read.error();
  return SentQuestion{std::move(line), std::move(read).value(), command};
}

bool is_plain(const QuestionPlan& plan) {
  return plan.command == oracle::Command::run && plan.configurations.fixed.is_null() &&
         !plan.configurations.are_random;
}

bool finds_any_node(const Json& line, oracle::Command command, const Release& release) {
  if (command != oracle::Command::schedule || line.contains("start")) return false;
  if (!line.contains("config") || !release.one_node_without_scorers) return false;
  const Result<Question> read = kubernetes::read_question_text(line.dump(), "question");
  if (!read) return false;
  const Result<NamedRelease> configured =
      oracle::configured_for(line, "question", read.value().pod, {release, "", {}});
  return configured && configured.value().release.scorers.empty();
}

SentQuestion numbered_question(const QuestionPlan& plan, const Scenarios& scenarios, std::uint64_t seed,
                               std::uint64_t number) {
  SentQuestion sent{nullptr, numbered_scenario(scenarios, seed, number), plan.command};
  std::optional<Json> config;
  if (!plan.configurations.fixed.is_null()) config = plan.configurations.fixed;
  if (plan.configurations.are_random) {
    SeededChoices choices(mixed(mixed(seed ^ k_configurations) + number));
    config = draw_configuration(choices, scenarios.release, sent.question);
  }
  sent.line = kubernetes::written(sent.question);
  if (config) sent.line["config"] = std::move(*config);
  if (finds_any_node(sent.line, sent.command, scenarios.release)) {
    sent.question.start = 0;
    sent.line["start"] = 0;
  }
  return sent;
}

}  // namespace touchstone::fuzz
