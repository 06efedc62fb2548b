#include "oracle/protocol/engines.hpp"

#include "fuzz/targets/target.hpp"
#include "reference/preemption/preempt.hpp"

/// Law: the optimized engine answers like the reference, for any release, and for sampled searches too.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  static optimized::Workers workers(1);
  const fuzz::Case asked(data, size);
  const optimized::Answer answer = oracle::optimized_answer(asked.question, asked.release, workers);
  const Decision decision = reference::preempt(asked.question, asked.release);
  if (oracle::agree(answer, decision)) return 0;
  std::string how;
  for (const auto& part : oracle::differences_of(answer, decision, asked.question.cluster))
    how += part.key + ": optimized " + part.given + ", reference " + part.ours + "\n";
  fuzz::broken("the optimized engine answers as the reference", how, asked);
}
