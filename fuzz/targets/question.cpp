#include "kubernetes/objects/question.hpp"

#include "fuzz/targets/target.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace {

using namespace touchstone;

/// The release that the line names, else the newest.
Release release_of(const kubernetes::Value& line) {
  try {
    if (const auto name = line.find("release"))
      if (const Result<NamedRelease> named = find_release(name->string())) return named.value().release;
  } catch (const kubernetes::InvalidInput&) {
  }
  return fold_release(newest_release());
}

}  // namespace

/// Law: a question is read or refused; it does not change when written and read again; both engines decide
/// it alike.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static optimized::Workers workers(1);
  const std::string_view text = fuzz::text_of(data, size);
  const auto document = kubernetes::Document::parse(text, "a.json");
  if (!document) return fuzz::check_error(document.error(), "a.json", text), 0;
  const Result<Question> read = kubernetes::read_question(document.value().root());
  if (!read) return fuzz::check_error(read.error(), "a.json", text), 0;
  const Question& question = read.value();
  const Release release = release_of(document.value().root());

  const std::string once = fuzz::line_of(question, release);
  const Result<Question> again = kubernetes::read_question_text(once, "written");
  if (!again || fuzz::line_of(again.value(), release) != once)
    fuzz::broken("a question that was written is read again", again ? "as another" : again.error().path,
                 once);

  const optimized::Answer answer = oracle::optimized_answer(question, release, workers);
  const Decision decision = reference::preempt(question, release);
  if (!oracle::agree(answer, decision))
    fuzz::broken("the optimized engine answers as the reference", "", once);
  return 0;
}
