#include "fuzz/timelines/compared.hpp"

#include <algorithm>
#include <array>

#include "fuzz/timelines/parts.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/protocol/timeline_state.hpp"
#include "oracle/protocol/timeline_vectors.hpp"
#include "oracle/protocol/timeline_written.hpp"
#include "reference/queue/play.hpp"

namespace touchstone::fuzz {

namespace {

/// The choices that were taken, for each command of a timeline.
using Picks = std::vector<std::vector<std::size_t>>;

/// The most choices of one command that are tried.
constexpr std::size_t k_most_tried = 256;

/// Takes the scheduler's own steps in the order of the protocol, and passes on what it chooses by chance.
class ChanceAlone final : public Choices {
 public:
  explicit ChanceAlone(Choices& chance) : chance_(chance) {}
  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where == "QUE-SETTLE-1") return 0;
    taken.push_back(chance_.pick(n, where));
    return taken.back();
  }
  std::vector<std::size_t> taken = {};

 private:
  Choices& chance_;
};

/// A model after the first `picks.size()` commands of a timeline, played with these choices.
std::unique_ptr<TimelineModel> played(const TimelineScript& script, const Picks& picks) {
  std::unique_ptr<TimelineModel> model = reference::timeline_model();
  model->begin(script.release, script.now_ns, script.objects);
  for (std::size_t i = 0; i < picks.size(); ++i) {
    ScriptedChoices scripted(picks[i]);
    ChanceAlone choices(scripted);
    model->run(script.commands[i], choices);
  }
  return model;
}

Json answer_of(const StepAnswer& answer) {
  if (answer.error) return {{"error", {{"message", answer.error->message}}}};
  return oracle::json_of(answer, false);
}

/// `ours` without the keys of `state` that `given` leaves out.
Json as_far_as(Json ours, const Json& given) {
  const auto state = given.find("state");
  if (!ours.contains("state") || state == given.end() || !state->is_object()) return ours;
  Json left = Json::object();
  for (const auto& [key, value] : ours["state"].items()) {
    if (state->contains(key)) left[key] = value;
  }
  ours["state"] = left;
  return ours;
}

/// The first part that differs, whichever side has it.
std::optional<oracle::Difference> answers_differ(const Json& ours, Json given) {
  for (const char* key : {"seq", "notes", "clauses"}) given.erase(key);
  if (auto difference = oracle::answer_difference(as_far_as(ours, given), given)) return difference;
  std::optional<oracle::Difference> back = oracle::answer_difference(given, ours);
  if (back) std::swap(back->given, back->ours);
  return back;
}

StepDifference described_step(std::size_t line, const oracle::Difference& difference,
                              const StepAnswer& answer) {
  // In the differences of vectors, `ours` is the expected answer.
  StepDifference step{line, difference.key, difference.given, difference.ours, {}};
  for (const std::string_view clause : answer.clauses) step.clauses.emplace(clause);
  return step;
}

/// Why the model leaves out this line, if the subject took the same pod or group as the model; else empty. It
/// leaves out nothing where it knows that the release crashes: any answer differs from that.
std::string skipped_with(const StepAnswer& ours, const Json& given) {
  const auto& clauses = ours.clauses;
  if (std::find(clauses.begin(), clauses.end(), "QUE-GANG-5") != clauses.end()) return "";
  if (!ours.cycle || ours.cycle->outcome != CycleOutcome::skipped || !given.is_object()) return "";
  const auto is = [&given](const char* key, const std::string& value) {
    const auto found = given.find(key);
    return found == given.end() ? value.empty() : *found == value;
  };
  return is("pod", ours.cycle->pod) && is("podGroup", ours.cycle->pod_group) ? ours.cycle->skipped : "";
}

/// The clause that says what a command does. It is cited if the command has no effect in the model.
std::string_view clause_about(const TimelineCommand& command) {
  if (const auto* flush = std::get_if<FlushCommand>(&command))
    return flush->timer == Timer::backoff ? "QUE-FLUSH-1" : "QUE-FLUSH-2";
  if (std::holds_alternative<CycleCommand>(command)) return "QUE-POP-1";
  if (std::holds_alternative<WriteCommand>(command)) return "EVT-STORE-1";
  if (std::holds_alternative<DeliverCommand>(command)) return "EVT-WATCH-1";
  if (std::holds_alternative<AnswerCommand>(command)) return "QUE-CALL-1";
  return "QUE-SETTLE-1";
}

/// True for clauses that decide nearly every step.
bool is_general(const std::string& clause) {
  static constexpr std::array<std::string_view, 15> k_general = {
      "QUE-SETTLE-1", "QUE-START-1", "QUE-CYCLE-1",  "QUE-CYCLE-2", "QUE-POP-1",
      "EVT-STORE-1",  "EVT-STORE-2", "EVT-STORE-3",  "EVT-WATCH-1", "EVT-WATCH-2",
      "QUE-ADD-1",    "EVT-POD-1",   "EVT-CHANGE-1", "NOM-COUNT-1", "QUE-ORDER-1"};
  return std::find(k_general.begin(), k_general.end(), clause) != k_general.end();
}

/// The prefixes of the clauses that are closest to a part of an answer, the likeliest first.
std::vector<std::string_view> clauses_about(const std::string& key) {
  if (key == "state.nominated" || key == "state.pods") return {"NOM-"};
  if (key == "state.assumed") return {"QUE-CACHE", "QUE-BIND"};
  if (key == "state.gated") return {"QUE-GATE"};
  if (key == "state.rejectors" || key == "victims" || key == "outcome" || key == "node")
    return {"QUE-CYCLE-3", "QUE-GATE"};
  if (key == "state.attempts") return {"QUE-POP"};
  if (key == "state.inFlight") return {"QUE-FLIGHT"};
  if (key == "calls" || key == "state.held")
    return {"QUE-CALL", "QUE-PREEMPT", "NOM-PATCH", "QUE-FAIL", "QUE-BIND"};
  if (key.starts_with("state.pdbs")) return {"BUD-FAIL", "BUD-DISRUPTED", "BUD-SCALE", "BUD-DESIRED", "BUD-"};
  if (key.starts_with("state.queues")) return {"BUD-QUEUE", "BUD-EVENT", "BUD-"};
  if (key.starts_with("state.electors") || key.starts_with("state.lease"))
    return {"LEA-RELEASE", "LEA-DEADLINE", "LEA-EXPIRY", "LEA-"};
  if (key == "pod") return {"QUE-POP", "QUE-ORDER", "QUE-BACKOFF"};
  return {"EVT-", "QUE-PUT", "QUE-MOVE", "QUE-BACKOFF", "QUE-FLUSH"};
}

}  // namespace

std::vector<Json> lines_of(const TimelineScript& script) {
  std::vector<Json> lines = {oracle::written_beginning(script)};
  for (const TimelineCommand& command : script.commands) lines.push_back(oracle::written(command));
  return lines;
}

std::vector<Json> model_answers(const TimelineScript& script, MakeModel make, Choices& choices) {
  const std::unique_ptr<TimelineModel> model = make();
  if (const auto error = model->begin(script.release, script.now_ns, script.objects))
    return {Json{{"error", {{"message", error->message}}}}};
  std::vector<Json> answers = {answer_of(model->first())};
  for (const TimelineCommand& command : script.commands)
    answers.push_back(answer_of(model->run(command, choices)));
  return answers;
}

Result<TimelineScript> script_of(const std::vector<Json>& lines) {
  TimelineScript script;
  try {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Result<kubernetes::Document> document =
          kubernetes::Document::parse(lines[i].dump(), "commands[" + std::to_string(i) + "]");
      if (!document) return document.error();
      const kubernetes::Value line = document.value().root();
      if (i > 0) {
        script.commands.push_back(oracle::read_command(line, line.require("cmd").string()));
        continue;
      }
      const oracle::Beginning beginning = oracle::read_beginning(line);
      script.release = beginning.release;
      script.now_ns = beginning.now_ns;
      script.objects = beginning.objects;
    }
  } catch (const kubernetes::InvalidInput& invalid) {
    return invalid.error;
  }
  return script;
}

TimelineSubject::TimelineSubject(ParticipantSetup setup, MakeModel make, const std::atomic<bool>& stop)
    : setup_(std::move(setup)), make_(make), stop_(stop) {}

std::optional<Error> TimelineSubject::begin() {
  if (setup_.command.empty()) {
    const Result<NamedRelease> named = find_release(setup_.release);
    if (!named) return named.error();
    setup_.release = named.value().release.version.text();
    identity_ = {{"name", "touchstone-reference"}};
  } else {
    Participant asked(setup_, stop_);
    if (std::optional<Error> error = asked.begin()) return error;
    setup_.release = asked.release();
    identity_ = asked.identity();
    oracle::SubjectLimits limits;
    limits.answer_timeout = setup_.answer_timeout;
    process_.emplace(setup_.command, limits, &stop_);
  }
  const auto name = identity_.find("name");
  const bool is_text = name != identity_.end() && name->is_string();
  name_ = (is_text ? name->get<std::string>() : "subject") + " " + setup_.release;
  return std::nullopt;
}

TimelineAnswers TimelineSubject::play(const std::vector<Json>& lines) {
  TimelineAnswers played;
  if (!process_ && !part_of_lines(lines).empty()) return {part_answers(lines)};
  if (!process_) {
    const Result<TimelineScript> script = script_of(lines);
    CanonicalChoices choices;
    return {model_answers(script.value(), make_, choices)};
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Json line = lines[i];
    line["seq"] = i + 1;
    texts.push_back(line.dump());
  }
  const oracle::Batch batch = process_->ask_many(texts);
  for (const oracle::Answer& answer : batch.answers) played.answers.push_back(Json::parse(answer.text));
  played.failure = batch.failure;
  played.stopped = batch.stopped;
  return played;
}

std::optional<StepDifference> difference_of(const TimelineScript& script, const TimelineAnswers& answers) {
  Picks picks;
  std::unique_ptr<TimelineModel> model = played(script, picks);
  for (std::size_t i = 0; i < answers.answers.size(); ++i) {
    const Json& given = answers.answers[i];
    if (i == 0) {
      const StepAnswer first = model->first();
      if (const auto difference = answers_differ(answer_of(first), given))
        return described_step(0, *difference, first);
      continue;
    }
    const TimelineCommand& command = script.commands[i - 1];
    CanonicalChoices canonical;
    ChanceAlone choices(canonical);
    const StepAnswer answer = model->run(command, choices);
    std::optional<oracle::Difference> difference = answers_differ(answer_of(answer), given);
    std::string skipped = skipped_with(answer, given);
    if (difference && !choices.taken.empty()) {
      std::optional<std::vector<std::size_t>> taken;
      explore(
          [&](Choices& alternatives) {
            if (taken) return;
            ChanceAlone other(alternatives);
            const StepAnswer answered = played(script, picks)->run(command, other);
            if (!answers_differ(answer_of(answered), given)) taken = other.taken;
            if (skipped.empty()) skipped = skipped_with(answered, given);
          },
          k_most_tried);
      if (taken) {
        difference.reset();
        picks.push_back(*taken);
        model = played(script, picks);
        continue;
      }
    }
    if (difference) {
      StepDifference step = described_step(i, *difference, answer);
      if (step.clauses.empty()) step.clauses.emplace(clause_about(command));
      step.skipped = skipped;
      return step;
    }
    picks.push_back(choices.taken);
  }
  if (!answers.failure) return std::nullopt;
  return StepDifference{answers.answers.size(),
                        std::string(oracle::code_of(answers.failure->kind)),
                        answers.failure->detail,
                        "",
                        {}};
}

std::string clause_of(const StepDifference& difference) {
  if (difference.key == "pod" && difference.clauses.contains("QUE-ORDER-1")) return "QUE-ORDER-1";
  std::vector<std::string> special;
  for (const std::string& clause : difference.clauses) {
    if (!is_general(clause)) special.push_back(clause);
  }
  for (const std::string_view prefix : clauses_about(difference.key)) {
    for (const std::string& clause : special) {
      if (clause.starts_with(prefix)) return clause;
    }
  }
  if (!special.empty()) return special.front();
  return difference.clauses.empty() ? "" : *difference.clauses.begin();
}

}  // namespace touchstone::fuzz
