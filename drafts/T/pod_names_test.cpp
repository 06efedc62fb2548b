// tests/optimized/store/pod_names_test.cpp
#include "optimized/store/pod_names.hpp"

#include <gtest/gtest.h>

#include "tests/optimized/store/usual_uid.hpp"

namespace touchstone::tests::pod_names_test {

namespace {

using Numbers = std::vector<std::uint32_t>;

Pod named(const std::string& name, const std::string& uid) {
  Pod pod;
  pod.name = name;
  pod.uid = uid;
  return pod;
}

}  // namespace

// Each UID has one character at one place that the usual form does not have there.
TEST(PodNames, KeepUidsThatAreAlmostOfTheUsualForm) {
  optimized::PodNames names;
  std::vector<std::string> uids;
  const std::string usual = usual_uid(7);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    for (const char c : {'g', '-', 'A', '/', ':', '`', '0'}) {
      uids.push_back(usual);
      uids.back()[i] = c;
    }
  }
  for (const std::string& uid : uids) names.add(named("a", uid), 0);
  for (std::uint32_t i = 0; i < uids.size(); ++i) ASSERT_EQ(names.uid(i), uids[i]);
}

// PRE-INPUT-3: pods without a UID, of the same names and namespace. The lookup visits several of them.
TEST(PodNames, FindNoPodWithoutUidForAPodThatHasOne) {
  constexpr std::uint32_t k_pods = 12;
  optimized::PodNames names;
  for (std::uint32_t i = 0; i < k_pods; ++i) names.add(named("p" + std::to_string(i), ""), 0);
  for (std::uint32_t i = 0; i < k_pods; ++i) {
    for (std::size_t uid = 0; uid < 50; ++uid)
      ASSERT_EQ(names.same_as(named("p" + std::to_string(i), usual_uid(uid)), 0), Numbers{}) << i;
  }
}

// PRE-INPUT-3: several pods have one UID. The table of the lookup grows after they were added.
TEST(PodNames, FindPodsOfTheSameUidInAscendingOrder) {
  for (std::size_t uid = 0; uid < 64; ++uid) {
    optimized::PodNames names;
    Numbers expected;
    for (std::uint32_t i = 0; i < 6; ++i) {
      names.add(named("a", usual_uid(uid)), 0);
      expected.push_back(i);
    }
    for (std::size_t i = 0; i < 60; ++i) names.add(named("b", usual_uid(1'000 + i)), 0);
    ASSERT_EQ(names.same_as(named("a", usual_uid(uid)), 0), expected) << uid;
  }
}

}  // namespace touchstone::tests::pod_names_test
