#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/generate/epochs.hpp"
#include "fuzz/generate/scenario.hpp"
#include "kubernetes/write/written.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// Random input for property tests (laws): small scenarios of every family, and releases of every epoch.
namespace touchstone::tests {

using fuzz::k_distinct_releases;

using Bytes = std::vector<std::uint8_t>;

/// 400 random bytes. Each value from 0 to 254 is equally likely from the first run on.
inline Bytes any_bytes() {
  return *rc::gen::resize(rc::kNominalSize,
                          rc::gen::container<Bytes>(400, rc::gen::inRange<std::uint8_t>(0, 255)));
}

inline Release any_release() { return release(*rc::gen::elementOf(k_distinct_releases)); }

/// Small scenarios of all families except three. many-nodes and offset are excluded, so that every potential
/// node is searched; a law about sampling must enable sampling itself. unusual is excluded because its 100
/// PDBs have more orders than a law can try.
inline fuzz::Scenarios small_scenarios(const Release& release, std::size_t most_nodes,
                                       std::size_t most_pods) {
  fuzz::Scenarios scenarios = fuzz::all_scenarios(release);
  scenarios.families.erase(fuzz::Family::many_nodes);
  scenarios.families.erase(fuzz::Family::offset);
  scenarios.families.erase(fuzz::Family::unusual);
  scenarios.most_nodes = most_nodes;
  scenarios.most_pods = most_pods;
  return scenarios;
}

inline std::string text_of(const Question& question, const Release& release) {
  return release.version.text() + " " + kubernetes::written(question).dump();
}

/// A release of any epoch, and a question. RapidCheck prints both if a law fails.
struct AnyCase {
  Release release;
  Question question;
};

/// `most_pods` is the maximum number of pods on a node.
inline AnyCase any_case(std::size_t most_nodes, std::size_t most_pods) {
  fuzz::ByteChoices choices(any_bytes());
  const Release release = any_release();
  AnyCase any{release, fuzz::scenario(choices, small_scenarios(release, most_nodes, most_pods))};
  RC_LOG(text_of(any.question, any.release));
  return any;
}

inline Decision decide(const Question& question, const Release& release) {
  CanonicalChoices choices;
  Trace trace = Trace::none();
  return reference::preempt(question, release, choices, trace);
}

}  // namespace touchstone::tests
