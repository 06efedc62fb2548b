#include <nlohmann/json.hpp>

#include "fuzz/targets/target.hpp"
#include "oracle/explain/explanation.hpp"
#include "reference/preemption/preempt.hpp"

namespace {

using namespace touchstone;

void check_lines(const fuzz::Case& asked, const std::vector<oracle::Section>& sections) {
  constexpr std::string_view k_law = "an explanation has sections with lines, which cite clauses";
  for (const oracle::Section& section : sections) {
    if (section.title.empty() || section.lines.empty())
      fuzz::broken(k_law, "section '" + section.title + "' is empty", asked);
    for (const oracle::Line& line : section.lines) {
      const bool is_head = line.clause.empty() && line.cells.size() > 1;
      if (line.cells.empty() || !(is_head || line.clause.starts_with("PRE-")))
        fuzz::broken(k_law, "a line of '" + section.title + "'", asked);
    }
  }
  if (sections.empty()) fuzz::broken(k_law, "there is none", asked);
}

}  // namespace

/// Law: a decision does not depend on its trace, and its explanation has lines that cite clauses.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Case asked(data, size);
  const auto decide = [&asked](Trace trace) {
    Decision decision = reference::preempt(asked.question, asked.release, trace);
    return std::pair(std::move(decision), std::move(trace));
  };
  const auto [decision, trace] = decide(Trace::full());
  if (decision != decide(Trace::none()).first)
    fuzz::broken("a decision does not depend on its trace", "it does", asked);
  if (decision.outcome == Outcome::skipped) return 0;

  oracle::Scope scope{asked.choices.pick(2, "all") == 1, {}};
  const std::size_t nodes = asked.question.cluster.nodes.size();
  if (const std::size_t node = asked.choices.pick(nodes + 1, "node"); node > 0) scope.node = node - 1;
  const std::vector<oracle::Section> sections =
      oracle::explain(asked.question, asked.release, decision, trace, scope);
  check_lines(asked, sections);
  oracle::explanation_of(sections).dump();
  oracle::trace_of(asked.question.cluster, trace).dump();
  return 0;
}
