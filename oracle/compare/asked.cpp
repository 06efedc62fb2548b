#include "oracle/compare/asked.hpp"

#include <utility>

#include "kubernetes/configuration/configuration.hpp"
#include "oracle/compare/cause.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "reference/cycle/schedule.hpp"

namespace touchstone::oracle {

std::optional<Release> release_for(const Asked& asked, const Release& release) {
  if (asked.config == nullptr) return release;
  Result<Release> configured = kubernetes::configured_by_text(asked.config->dump(), "config", release,
                                                              asked.question.pod.scheduler_name);
  if (!configured) return std::nullopt;
  return std::move(configured).value();
}

Json answer_as(const Asked& asked, const Release& release, const Json& given) {
  const Question& question = asked.question;
  if (asked.command == Command::schedule) {
    const Placement placement = reference::schedule(question, release);
    if (placement.host) return placement_answer(question.cluster, placement);
    if (placement.decision.outcome != Outcome::nominated)
      return answer_of(question.cluster, placement.decision);
  }
  return answer_of(question.cluster, decide_as(question, release, given));
}

}  // namespace touchstone::oracle
