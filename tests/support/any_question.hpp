#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "reference/preempt.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/small_question.hpp"

/// What laws are held against: small questions of every shape, and releases of every epoch.
namespace touchstone::tests {

/// One release of every epoch that decides differently.
inline const std::vector<std::string> k_epochs = {
    "v1.8",    "v1.9",  "v1.10", "v1.12",   "v1.15",   "v1.18", "v1.19", "v1.20", "v1.22", "v1.24",
    "v1.26.5", "v1.27", "v1.28", "v1.29.6", "v1.31.3", "v1.33", "v1.34", "v1.36", "v1.37", "v1.38"};

using Bytes = std::vector<std::uint8_t>;

inline Bytes any_bytes() { return *rc::gen::container<Bytes>(200, rc::gen::inRange<std::uint8_t>(0, 255)); }

inline Release any_release() { return release(*rc::gen::elementOf(k_epochs)); }

inline Question question_from(const Bytes& bytes, std::size_t most_nodes, std::size_t most_pods) {
  ByteChoices choices(bytes);
  return small_question(choices, most_nodes, most_pods);
}

inline void show(const Question& question, const Release& release) {
  std::ostringstream text;
  text << release.version.text() << "\n";
  print(text, question);
  RC_LOG(text.str());
}

/// A release of any epoch, and a question; both are shown where a law fails.
struct AnyCase {
  Release release;
  Question question;
};

inline AnyCase any_case(std::size_t most_nodes, std::size_t most_pods) {
  const Bytes bytes = any_bytes();
  AnyCase any{any_release(), question_from(bytes, most_nodes, most_pods)};
  show(any.question, any.release);
  return any;
}

inline Decision decide(const Question& question, const Release& release) {
  CanonicalChoices choices;
  Trace trace = Trace::none();
  return reference::preempt(question, release, choices, trace);
}

}  // namespace touchstone::tests
