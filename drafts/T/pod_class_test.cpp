// tests/optimized/store/pod_class_test.cpp
#include "optimized/store/pod_class.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

namespace touchstone::tests::pod_class_test {

namespace {

class PodClasses : public ::testing::Test {
 protected:
  bool is_new(const Pod& pod) { return classes_.find_or_add(pod, release_, symbols_).is_new; }

  Release release_ = release("v1.34");
  optimized::Symbols symbols_;
  optimized::PodClasses classes_;
};

}  // namespace

// PRE-PDB-2: the texts of a label have the same characters in the same order, but another text ends earlier.
TEST_F(PodClasses, DifferIfALabelEndsElsewhere) {
  for (const Labels& labels : {Labels{{"a", "bc"}}, Labels{{"ab", "c"}}, Labels{{"abc", ""}}}) {
    Pod made = pod("a", 0, 1);
    made.labels = labels;
    EXPECT_TRUE(is_new(made)) << labels.begin()->first;
  }
}

// PRE-FIT-2, SCORE-REQUESTS-1: the same amount of another resource is another request. A pod that does not
// request cpu or memory counts with a default for scores.
TEST_F(PodClasses, DifferIfTheRequestedResourcesDiffer) {
  for (const ResourceList& requests :
       {ResourceList{{"cpu", 1}, {"memory", 1}}, ResourceList{{"cpu", 1}}, ResourceList{{"memory", 1}},
        ResourceList{}, ResourceList{{"cpu", 1}, {"example.com/gpu", 1}},
        ResourceList{{"cpu", 1}, {"example.com/nic", 1}}}) {
    Pod made = pod("a", 0, 1);
    made.containers[0].requests = requests;
    EXPECT_TRUE(is_new(made)) << requests.size();
    EXPECT_FALSE(is_new(made)) << requests.size();
  }
}

}  // namespace touchstone::tests::pod_class_test
