#include "fuzz/campaign/participant.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace touchstone::fuzz {

namespace {

/// Describes a failure of a subject, with the last lines of its standard error.
std::string text_of(const oracle::Failure& failure) {
  constexpr std::size_t k_lines_most = 3;
  std::string text = std::string(oracle::code_of(failure.kind)) + ": " + failure.detail;
  std::string before = "; its standard error ended with: ";
  for (const std::string& line : oracle::last_lines(failure.stderr_tail, k_lines_most)) {
    text += before + line;
    before = " | ";
  }
  return text;
}

/// The release to query: the named one, or the only one that the subject supports. Errors:
/// release-not-answered and those of find_release().
Result<std::string> release_to_ask(const std::string& named, const std::vector<std::string>& answered) {
  if (named.empty()) {
    if (answered.size() == 1) return answered[0];
    return Error{"release-not-answered", "--release",
                 answered.empty() ? "the subject does not say for which release it answers; give a release"
                                  : "the subject answers for several releases; give one of them"};
  }
  const Result<NamedRelease> found = find_release(named);
  if (!found) return found.error();
  // A subject with several releases may list one patch of each minor release and support all patches.
  const Version version = found.value().release.version;
  const auto is_it = [&](const std::string& text) {
    const Result<NamedRelease> known = find_release(text);
    if (!known) return false;
    const Version& other = known.value().release.version;
    return other == version || (answered.size() > 1 && other.minor == version.minor);
  };
  if (!answered.empty() && std::none_of(answered.begin(), answered.end(), is_it))
    return Error{"release-not-answered", "--release", "the subject does not answer for " + version.text()};
  return version.text();
}

}  // namespace

Participant::Participant(ParticipantSetup setup, const std::atomic<bool>& stop)
    : setup_(std::move(setup)), stop_(stop), engine_(setup_.engine) {
  if (is_engine()) return;
  oracle::SubjectLimits limits;
  limits.answer_timeout = setup_.answer_timeout;
  process_.emplace(setup_.command, limits, &stop_);
}

std::optional<Error> Participant::begin() {
  const oracle::Reply hello =
      is_engine() ? oracle::Reply(oracle::Answer{engine_.answer(R"({"cmd":"hello"})")}) : process_->hello();
  if (const auto* failure = std::get_if<oracle::Failure>(&hello))
    return Error{"subject-failed", setup_.command[0], text_of(*failure)};
  if (std::holds_alternative<oracle::Stopped>(hello)) return Error{"stopped", "", "stopped"};
  identity_ = Json::parse(std::get<oracle::Answer>(hello).text);

  std::vector<std::string> answered;
  if (const auto list = identity_.find("releases"); list != identity_.end() && list->is_array()) {
    for (const Json& release : *list) {
      if (release.is_string()) answered.push_back(release);
    }
  }
  if (const auto list = identity_.find("features"); list != identity_.end() && list->is_array()) {
    for (const Json& feature : *list) {
      if (feature.is_string()) features_.insert(feature.get<std::string>());
    }
  }
  if (setup_.asks == oracle::Command::schedule && !features_.contains("schedule"))
    return Error{"command-not-answered", "--command",
                 "expected a subject with the feature \"schedule\" in its answer to hello"};
  identity_.erase("features");
  identity_.erase("releases");

  const Result<std::string> release = release_to_ask(setup_.release, answered);
  if (!release) return release.error();
  setup_.release = release.value();
  return std::nullopt;
}

std::string Participant::name() const {
  const auto name = identity_.find("name");
  const bool is_text = name != identity_.end() && name->is_string();
  return (is_text ? name->get<std::string>() : "subject") + " " + setup_.release;
}

std::string Participant::line_of(std::string_view question, std::size_t repeat) {
  Json first = {{"cmd", oracle::name_of(setup_.asks)}, {"seq", ++seq_}, {"release", setup_.release}};
  if (features_.contains("repeat") && repeat > 0) first["repeat"] = repeat;
  std::string line = first.dump();
  if (question == "{}") return line;
  line.back() = ',';
  return line.append(question.substr(1));
}

Reply Participant::reply_of(std::string_view text) { return {Json::parse(text), {}}; }

std::vector<Reply> Participant::ask(std::span<const std::string> questions) {
  std::vector<std::string> lines;
  for (const std::string& question : questions) lines.push_back(line_of(question, setup_.repeat));
  std::vector<Reply> replies;
  if (is_engine()) {
    for (const std::string& line : lines) replies.push_back(reply_of(engine_.answer(line)));
    return replies;
  }
  while (replies.size() < lines.size()) {
    const oracle::Batch batch = process_->ask_many(std::span(lines).subspan(replies.size()));
    for (const oracle::Answer& answer : batch.answers) replies.push_back(reply_of(answer.text));
    if (batch.stopped || stop_) return replies;
    if (!batch.failure) continue;
    if (replies.size() == lines.size()) break;  // failed after its last answer; the next question shows it
    const oracle::Reply again = process_->ask(lines[replies.size()]);
    const auto* answer = std::get_if<oracle::Answer>(&again);
    if (answer == nullptr) {
      // If a stop prevents the second attempt, the first failure counts.
      const auto* failure = std::get_if<oracle::Failure>(&again);
      replies.push_back({nullptr, failure != nullptr ? *failure : *batch.failure});
      return replies;
    }
    replies.push_back(reply_of(answer->text));
    replies.back().passing = batch.failure;
    return replies;
  }
  return replies;
}

Reply Participant::ask_often(const std::string& question, std::size_t repeat) {
  const std::size_t usual = setup_.repeat;
  setup_.repeat = repeat;
  std::vector<Reply> replies = ask({&question, 1});
  setup_.repeat = usual;
  return replies.empty() ? Reply{} : std::move(replies[0]);
}

}  // namespace touchstone::fuzz
