// goes into tests/optimized/extenders_test.cpp; red until the bug of S2.bugs.md is repaired
#include <gtest/gtest.h>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::bug_test {

// CYC-SEARCH-4, EXT-NOMINATED-1: the pod fits on its nominated node, and an extender rejects this node with a
// reason or leaves it out. With a reason, the node counts once more for the next start. The search of 104 nodes
// ends before n102.
TEST(OptimizedExtenders, CountANominatedNodeThatTheyRejectWithAReason) {
  for (const std::size_t nodes : {3U, 104U}) {
    for (const char* nominated : {"n0", "n1", "n102"}) {
      QuestionBuilder builder;
      std::map<std::string, FilterEntry> all;
      for (std::size_t i = 0; i < nodes; ++i) {
        builder.node("n" + std::to_string(i), 4000);
        all["n" + std::to_string(i)] = ok();
      }
      Question question = builder.asks(pod("p", 10, 1000));
      question.pod.nominated_node_name = nominated;
      std::map<std::string, FilterEntry> without = all;
      without.erase(nominated);
      std::map<std::string, FilterEntry> refusing = without;
      if (all.contains(nominated)) refusing[nominated] = rejected("no");
      for (const Quantity start : {0, 1, 50}) {
        question.start = start;
        for (const char* version : {"v1.20", "v1.22", "v1.24", "v1.29.5", "v1.31.0", "v1.36.3"}) {
          for (const auto& table : {without, refusing}) {
            question.extenders = {filters_names(table)};
            placed_alike(question, release(version));
          }
        }
      }
    }
  }
}

}  // namespace touchstone::tests::bug_test
