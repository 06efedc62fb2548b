#include "optimized/store/budgets.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

/// Which pods the stored PDBs cover, and which changes of a PDB may change that.
namespace touchstone::tests::budgets_test {

namespace {

class Budgets : public ::testing::Test {
 protected:
  /// Stores a class of pods with its PDBs, and returns the number of its list for a pod of this name.
  std::uint32_t list_for(const Pod& pod) {
    optimized::PodClass& pods = classes_[classes_.find_or_add(pod, release_, symbols_).number];
    pods.budgets = budgets_.selecting(pods, release_, symbols_);
    return budgets_.list_for(pods, pod.name);
  }

  Release release_ = release("v1.38");
  optimized::Symbols symbols_;
  optimized::PodClasses classes_;
  optimized::Budgets budgets_;
};

PodDisruptionBudget selecting(const std::optional<LabelSelector>& selector) {
  return {"default", "b", selector, 1, {}};
}

}  // namespace

// PRE-PDB-2, PRE-PDB-6: only another selector, or other disrupted pods, change which pods are covered.
TEST_F(Budgets, SayWhichChangesMayCoverOtherPods) {
  std::vector<PodDisruptionBudget> all = {
      selecting(std::nullopt),
      selecting(LabelSelector{}),
      selecting(LabelSelector{{{"app", "x"}}, {}}),
      selecting(LabelSelector{{{"app", "y"}}, {}}),
      selecting(LabelSelector{{}, {{"app", "In", {"x"}}}}),
      selecting(LabelSelector{{}, {{"tier", "In", {"x"}}}}),
      selecting(LabelSelector{{}, {{"app", "NotIn", {"x"}}}}),
      selecting(LabelSelector{{}, {{"app", "In", {"x", "y"}}}}),
      selecting(LabelSelector{{}, {{"app", "In", {"x"}}, {"tier", "Exists", {}}}}),
      selecting(LabelSelector{{{"app", "x"}}, {{"app", "In", {"x"}}}})};
  all.push_back(all.back());
  all.back().disrupted_pods = {"a"};
  for (const PodDisruptionBudget& from : all) {
    for (const PodDisruptionBudget& to : all) {
      const std::uint32_t number = budgets_.add(from, release_, symbols_);
      PodDisruptionBudget changed = to;
      changed.disruptions_allowed = 7;
      EXPECT_EQ(budgets_.change(number, changed, release_, symbols_), &from != &to)
          << &from - all.data() << " to " << &to - all.data();
      EXPECT_EQ(budgets_[number].allowed, 7);
    }
  }
}

// PRE-PDB-6: the list without PDBs has number 0, also that of a pod that its only PDB exempts.
TEST_F(Budgets, NumberTheEmptyListZero) {
  PodDisruptionBudget pdb = selecting(LabelSelector{{{"app", "x"}}, {}});
  pdb.disrupted_pods = {"a"};
  budgets_.add(pdb, release_, symbols_);
  EXPECT_EQ(list_for(with_app(pod("a", 0, 1), "x")), 0u);
  EXPECT_EQ(list_for(with_app(pod("b", 0, 1), "y")), 0u);
  const std::uint32_t covered = list_for(with_app(pod("c", 0, 1), "x"));
  EXPECT_NE(covered, 0u);
  EXPECT_EQ(list_for(with_app(pod("d", 0, 1), "x")), covered);
  EXPECT_EQ(budgets_.list(covered), std::vector<std::uint32_t>{0});
}

// PRE-PDB-2, PRE-PDB-7: a PDB without a selector covers no pod, also if it had one that covers all.
TEST_F(Budgets, WithoutASelectorCoverNothing) {
  const std::uint32_t number = budgets_.add(selecting(LabelSelector{}), release_, symbols_);
  EXPECT_NE(list_for(pod("a", 0, 1)), 0u);
  budgets_.change(number, selecting(std::nullopt), release_, symbols_);
  EXPECT_EQ(list_for(pod("a", 0, 1)), 0u);
}

}  // namespace touchstone::tests::budgets_test
