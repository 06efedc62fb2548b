#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/generate/epochs.hpp"
#include "fuzz/generate/scenario.hpp"
#include "kubernetes/write/written.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// What laws are held against: small scenarios of every shape, and releases of every epoch.
namespace touchstone::tests {

using fuzz::k_epochs;

using Bytes = std::vector<std::uint8_t>;

/// Every value is as likely as any other from the first run on.
inline Bytes any_bytes() {
  return *rc::gen::resize(rc::kNominalSize,
                          rc::gen::container<Bytes>(400, rc::gen::inRange<std::uint8_t>(0, 255)));
}

inline Release any_release() { return release(*rc::gen::elementOf(k_epochs)); }

/// Small scenarios of every family but three. Every potential node is searched (many-nodes, offset): a law
/// about sampling asks for it itself. There are few PDBs (unusual): 100 of them have more orders than a law
/// can try.
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

/// A release of any epoch, and a question; both are shown where a law fails.
struct AnyCase {
  Release release;
  Question question;
};

/// `most_pods` bounds the pods of a node.
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
