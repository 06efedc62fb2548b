#include "fuzz/generate/changing.hpp"
#include "fuzz/targets/target.hpp"
#include "oracle/protocol/engines.hpp"

/// Law: a snapshot that is changed step by step answers like a new snapshot of the changed cluster.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  constexpr std::size_t k_changes_most = 16;
  static optimized::Workers workers(1);
  fuzz::Case asked(data, size);
  fuzz::MutableCluster changing(asked.question, asked.release);
  std::string changes;
  for (std::size_t n = asked.choices.pick(k_changes_most + 1, "changes"); n > 0; --n) {
    changes += changing.change(asked.choices) + "; ";
    const Question& question = changing.question();
    const optimized::Answer changed =
        changing.in_list_order(oracle::optimized_answer(changing.snapshot(), question, workers));
    const optimized::Answer rebuilt = oracle::optimized_answer(question, asked.release, workers);
    if (changed == rebuilt) continue;
    fuzz::broken("a changed snapshot answers as one built anew",
                 changes + "reasons '" + changed.reason + "' and '" + rebuilt.reason + "'\n" +
                     "it began as " + fuzz::line_of(asked.question, asked.release),
                 "and became " + fuzz::line_of(question, asked.release));
  }
  return 0;
}
