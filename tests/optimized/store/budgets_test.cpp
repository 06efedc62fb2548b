#include "optimized/store/budgets.hpp"

#include <gtest/gtest.h>

#include "tests/support/topology.hpp"

/// Which PDBs cover a pod, and which changes of a PDB may change that.
namespace touchstone::tests::budgets_test {

namespace {

class Budgets : public ::testing::Test {
 protected:
  /// The number of the list of PDBs that cover a pod.
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

PodDisruptionBudget pdb_with(const std::optional<LabelSelector>& selector) {
  return {"default", "b", selector, 1, {}};
}

}  // namespace

// PRE-PDB-2, PRE-PDB-6: only another selector or other disruptedPods may cover other pods. Another number of
// allowed disruptions does not.
TEST_F(Budgets, SayWhichChangesMayCoverOtherPods) {
  std::vector<PodDisruptionBudget> all = {
      pdb_with(std::nullopt),
      pdb_with(LabelSelector{}),
      pdb_with(app_is("x")),
      pdb_with(app_is("y")),
      pdb_with(LabelSelector{{}, {{"app", "In", {"x"}}}}),
      pdb_with(LabelSelector{{}, {{"tier", "In", {"x"}}}}),
      pdb_with(LabelSelector{{}, {{"app", "NotIn", {"x"}}}}),
      pdb_with(LabelSelector{{}, {{"app", "In", {"x", "y"}}}}),
      pdb_with(LabelSelector{{}, {{"app", "In", {"x"}}, {"tier", "Exists", {}}}}),
      pdb_with(LabelSelector{{{"app", "x"}}, {{"app", "In", {"x"}}}})};
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

// PRE-PDB-6: a pod that no PDB covers has list 0, even if a PDB selects it and names it in disruptedPods.
// Pods that the same PDBs cover have one list.
TEST_F(Budgets, NumberTheEmptyListZero) {
  PodDisruptionBudget pdb = pdb_with(app_is("x"));
  pdb.disrupted_pods = {"a"};
  budgets_.add(pdb, release_, symbols_);
  EXPECT_EQ(list_for(with_app(pod("a", 0, 1), "x")), 0u);
  EXPECT_EQ(list_for(with_app(pod("b", 0, 1), "y")), 0u);
  const std::uint32_t covered = list_for(with_app(pod("c", 0, 1), "x"));
  EXPECT_NE(covered, 0u);
  EXPECT_EQ(list_for(with_app(pod("d", 0, 1), "x")), covered);
  EXPECT_EQ(budgets_.list(covered), std::vector<std::uint32_t>{0});
}

// PRE-PDB-2, PRE-PDB-7: an empty selector covers all pods in v1.38. After the selector is removed, the PDB
// covers none.
TEST_F(Budgets, WithoutASelectorCoverNothing) {
  const std::uint32_t number = budgets_.add(pdb_with(LabelSelector{}), release_, symbols_);
  EXPECT_NE(list_for(pod("a", 0, 1)), 0u);
  budgets_.change(number, pdb_with(std::nullopt), release_, symbols_);
  EXPECT_EQ(list_for(pod("a", 0, 1)), 0u);
}

}  // namespace touchstone::tests::budgets_test
