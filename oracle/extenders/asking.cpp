#include "oracle/extenders/asking.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

/// The name of an extender and the verb of a call, for a person.
std::string extender_and_verb(const Question& question, const ExtenderCall& call) {
  const std::string& url = question.extenders[call.extender].url_prefix;
  return "extender " + std::to_string(call.extender) + (url.empty() ? "" : " (" + url + ")") + ", verb " +
         verb_of(question, call);
}

}  // namespace

std::vector<std::string> ask_until_known(
    Question& question, const AskExtender& ask,
    const std::function<std::optional<ExtenderCall>(const Question&)>& decide) {
  std::vector<std::string> notes;
  for (std::size_t calls = 0; calls < k_most_calls; ++calls) {
    const std::optional<ExtenderCall> call = decide(question);
    if (!call) return notes;
    const Extender& extender = question.extenders[call->extender];
    const Result<std::string> body =
        ask(extender, verb_of(question, *call), request_of(question, *call).dump());
    const Result<bool> added = body ? add_answer(*call, body.value(), question) : body.error();
    if (added) continue;
    const std::string failure = extender_and_verb(question, *call) + ": " + added.error().message;
    notes.push_back(failure);
    add_failure(*call, failure, question);
  }
  notes.push_back("extenders: more than " + std::to_string(k_most_calls) + " calls for one decision");
  return notes;
}

void take_extenders(const Release& release, Question& question) {
  if (question.extenders.empty()) question.extenders = release.extenders;
}

}  // namespace touchstone::oracle
