#include "optimized/store/pod_names.hpp"

#include <gtest/gtest.h>

/// PodNames returns the names and UIDs that were added, and finds the pods that have them.
namespace touchstone::optimized {

namespace {

using Numbers = std::vector<std::uint32_t>;

Pod named(const std::string& name, const std::string& uid) {
  Pod pod;
  pod.name = name;
  pod.uid = uid;
  return pod;
}

}  // namespace

TEST(PodNames, KeepUidsOfEveryForm) {
  const std::vector<std::string> uids = {"",
                                         "u-1",
                                         "3f2b8c1e-5d4a-4c6b-9a7f-0123456789ab",
                                         "3F2B8C1E-5D4A-4C6B-9A7F-0123456789AB",
                                         "3f2b8c1e-5d4a-4c6b-9a7f-0123456789a-",
                                         "3f2b8c1e05d4a04c6b09a7f00123456789ab",
                                         std::string(253, 'x'),
                                         std::string(254, 'y'),
                                         std::string(100000, 'z')};
  PodNames names;
  for (std::size_t i = 0; i < uids.size(); ++i) names.add(named("pod-" + std::to_string(i), uids[i]), 0);
  for (std::uint32_t i = 0; i < uids.size(); ++i) {
    EXPECT_EQ(names.uid(i), uids[i]) << i;
    EXPECT_EQ(names.name(i), "pod-" + std::to_string(i));
    EXPECT_EQ(names.same_as(named("pod-" + std::to_string(i), uids[i]), 0), Numbers{i});
  }
}

// PRE-INPUT-3
TEST(PodNames, FindPodsByUidElseByNamespaceAndName) {
  PodNames names;
  names.add(named("a", "u"), 1);
  names.add(named("a", ""), 1);
  names.add(named("a", ""), 2);
  names.add(named("b", "u"), 2);
  EXPECT_EQ(names.same_as(named("other", "u"), 3), (Numbers{0, 3}));
  EXPECT_EQ(names.same_as(named("a", ""), 1), Numbers{1});
  EXPECT_EQ(names.same_as(named("a", ""), 3), Numbers{});
  EXPECT_EQ(names.same_as(named("a", "v"), 1), Numbers{});
  names.forget(0);
  EXPECT_EQ(names.same_as(named("other", "u"), 3), Numbers{3});
}

TEST(PodNames, FindEachOfMany) {
  constexpr std::uint32_t k_pods = 5000;
  PodNames names;
  for (std::uint32_t i = 0; i < k_pods; ++i)
    names.add(named("p" + std::to_string(i), i % 2 == 0 ? "" : "u" + std::to_string(i)), i % 3);
  for (std::uint32_t i = 0; i < k_pods; i += 5) names.forget(i);
  for (std::uint32_t i = 0; i < k_pods; ++i) {
    const Pod pod = named("p" + std::to_string(i), i % 2 == 0 ? "" : "u" + std::to_string(i));
    EXPECT_EQ(names.same_as(pod, i % 3), i % 5 == 0 ? Numbers{} : Numbers{i}) << i;
  }
}

// Stems that many pods share, and more stems of a single pod than PodNames stores.
TEST(PodNames, KeepNamesOfEveryStem) {
  constexpr std::uint32_t k_pods = 20000;
  const auto name_of = [](std::uint32_t i) {
    return i % 2 == 0 ? "web-7d4b9c-" + std::to_string(i) : "job-" + std::to_string(i) + "-";
  };
  PodNames names;
  for (std::uint32_t i = 0; i < k_pods; ++i) names.add(named(name_of(i), ""), i % 3);
  for (std::uint32_t i = 0; i < k_pods; ++i) {
    ASSERT_EQ(names.name(i), name_of(i));
    ASSERT_EQ(names.ns(i), i % 3);
    ASSERT_EQ(names.same_as(named(name_of(i), ""), i % 3), Numbers{i});
    ASSERT_EQ(names.same_as(named(name_of(i), ""), (i + 1) % 3), Numbers{});
  }
}

}  // namespace touchstone::optimized
