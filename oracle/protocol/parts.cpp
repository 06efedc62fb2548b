#include "oracle/protocol/parts.hpp"

#include <nlohmann/json.hpp>

#include "oracle/protocol/protocol.hpp"
#include "oracle/protocol/reading.hpp"

namespace touchstone::oracle {

std::string part_not_modelled(const std::string& part, Version version) {
  if (part == "leaderElection") return "";
  return version >= Version{26, 0} ? "" : "the disruption controller of releases before v1.26";
}

std::unique_ptr<Part> begin_part(const kubernetes::Value& init) {
  static constexpr std::array<std::string_view, 2> k_parts = {"disruption", "leaderElection"};
  const bool is_election = choice_of(init.require("part"), k_parts) == 1;
  const Result<NamedRelease> named = find_release(init.require("release").string());
  if (!named) throw kubernetes::InvalidInput(named.error());
  if (is_election) return std::make_unique<ElectionPart>(init);
  return std::make_unique<DisruptionPart>(init);
}

std::unique_ptr<Part> part_of(const Json& init) {
  try {
    const Result<kubernetes::Document> document = kubernetes::Document::parse(init.dump(), "init");
    return document ? begin_part(document.value().root()) : nullptr;
  } catch (const kubernetes::InvalidInput&) {
    return nullptr;
  }
}

Json answer_to(const Json& line, Part& part) {
  try {
    const Result<kubernetes::Document> document = kubernetes::Document::parse(line.dump(), "line");
    if (!document) return {{"error", error_of(document.error())}};
    return part.answer(document.value().root());
  } catch (const kubernetes::InvalidInput& invalid) {
    return {{"error", error_of(invalid.error)}};
  }
}

Quantity step_of(const kubernetes::Value& line, Quantity now_ns) {
  return line.require("nanoseconds").integer(0, std::min(k_longest_step_ns, k_latest_ns - now_ns));
}

}  // namespace touchstone::oracle
