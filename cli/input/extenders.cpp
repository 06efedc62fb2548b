#include "cli/input/extenders.hpp"

#include "oracle/extenders/http.hpp"

namespace touchstone::cli {

void ask_extenders(LoadedQuestion& asked,
                   const std::function<std::optional<ExtenderCall>(const Question&)>& decide) {
  oracle::take_extenders(asked.named.release, asked.question);
  if (asked.question.extenders.empty()) return;
  for (std::string& note : oracle::ask_until_known(asked.question, oracle::ask_over_http, decide))
    asked.notes.push_back(std::move(note));
}

void show_unknown_nodes(const Placement& placement, LoadedQuestion& asked) {
  for (const std::string& name : placement.unknown_nodes)
    asked.question.cluster.nodes.emplace_back().name = name;
}

}  // namespace touchstone::cli
