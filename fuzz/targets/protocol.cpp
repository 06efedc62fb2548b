#include "oracle/protocol/protocol.hpp"

#include <nlohmann/json.hpp>

#include "fuzz/targets/target.hpp"

/// Law: the subject answers any line with one line that is a JSON object. It does not answer `bye`.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  constexpr std::string_view k_law = "a subject answers a line with one line of JSON";
  const std::string_view line = fuzz::text_of(data, size);
  oracle::Subject subject;
  const std::string answer = subject.answer(line);
  if (answer.empty() != subject.done())
    fuzz::broken(k_law, subject.done() ? "it answers bye" : "it answers nothing", line);
  if (subject.done()) return 0;
  const oracle::Json json = oracle::Json::parse(answer, nullptr, false);
  if (!json.is_object() || answer.find('\n') != std::string::npos) fuzz::broken(k_law, answer, line);
  const std::size_t kinds = json.contains("outcome") + json.contains("skipped") + json.contains("error") +
                            json.contains("protocol");
  if (kinds != 1) fuzz::broken("an answer is a decision, an error, skipped, or to hello", answer, line);
  return 0;
}
