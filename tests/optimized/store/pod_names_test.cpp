#include "optimized/store/pod_names.hpp"

#include <gtest/gtest.h>

#include "tests/optimized/store/usual_uid.hpp"

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

/// The bytes of the names of many pods, with or without UIDs of the usual form. The pods are of so many
/// workloads.
std::size_t bytes_of(std::uint32_t pods, std::uint32_t workloads, bool with_uids) {
  PodNames names;
  for (std::uint32_t i = 0; i < pods; ++i) {
    const std::string workload = std::to_string(100'000 + i % workloads);
    const std::string number = std::to_string(100'000 + i).substr(1);
    names.add(named("a-workload-with-a-name-of-some-length-" + workload + "-" + number,
                    with_uids ? tests::usual_uid(i) : ""),
              0);
  }
  return names.bytes();
}

}  // namespace

TEST(PodNames, KeepUidsOfEveryForm) {
  const std::vector<std::string> uids = {"",
                                         "u-1",
                                         "3f2b8c1e-5d4a-4c6b-9a7f-0123456789ab",
                                         "3F2B8C1E-5D4A-4C6B-9A7F-0123456789AB",
                                         "3f2b8c1e-5d4a-4c6b-9a7f-0123456789a-",
                                         "3f2b8c1e05d4a04c6b09a7f00123456789ab",
                                         "3f2b8c1e-5d4a-4c6b-9a7f-0123456789a",
                                         "3f2b8c1e-5d4a-4c6b-9a7f-0123456789abc",
                                         "00102030-4050-6070-8090-a0b0c0d0e0f0",
                                         "01112131-4151-6171-8191-a1b1c1d1e1f1",
                                         "0f1f2f3f-4f5f-6f7f-8f9f-afbfcfdfefff",
                                         std::string(253, 'x'),
                                         std::string(254, 'y'),
                                         std::string(100000, 'z'),
                                         std::string((1 << 24) + 1, 'z')};
  PodNames names;
  for (std::size_t i = 0; i < uids.size(); ++i) names.add(named("pod-" + std::to_string(i), uids[i]), 0);
  for (std::uint32_t i = 0; i < uids.size(); ++i) {
    EXPECT_EQ(names.uid(i), uids[i]) << i;
    EXPECT_EQ(names.name(i), "pod-" + std::to_string(i));
    EXPECT_EQ(names.same_as(named("pod-" + std::to_string(i), uids[i]), 0), Numbers{i});
  }
}

// Each UID is one of the usual form with one character replaced. Most of these characters may not be there.
TEST(PodNames, KeepUidsThatAreAlmostOfTheUsualForm) {
  PodNames names;
  std::vector<std::string> uids;
  const std::string usual = tests::usual_uid(7);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    for (const char c : {'g', '-', 'A', '/', ':', '`', '0'}) {
      uids.push_back(usual);
      uids.back()[i] = c;
    }
  }
  for (const std::string& uid : uids) names.add(named("a", uid), 0);
  for (std::uint32_t i = 0; i < uids.size(); ++i) ASSERT_EQ(names.uid(i), uids[i]);
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

// PRE-INPUT-3: the stored pods have no UID. The wanted pods have a UID, and the same names and namespace.
// With 50 UIDs for each name, the lookup visits several stored pods.
TEST(PodNames, FindNoPodWithoutUidForAPodThatHasOne) {
  constexpr std::uint32_t k_pods = 12;
  PodNames names;
  for (std::uint32_t i = 0; i < k_pods; ++i) names.add(named("p" + std::to_string(i), ""), 0);
  for (std::uint32_t i = 0; i < k_pods; ++i) {
    for (std::size_t uid = 0; uid < 50; ++uid)
      ASSERT_EQ(names.same_as(named("p" + std::to_string(i), tests::usual_uid(uid)), 0), Numbers{}) << i;
  }
}

// PRE-INPUT-3: several pods have one UID. The table of the lookup grows after they were added.
TEST(PodNames, FindPodsOfTheSameUidInAscendingOrder) {
  for (std::size_t uid = 0; uid < 64; ++uid) {
    PodNames names;
    Numbers expected;
    for (std::uint32_t i = 0; i < 6; ++i) {
      names.add(named("a", tests::usual_uid(uid)), 0);
      expected.push_back(i);
    }
    for (std::size_t i = 0; i < 60; ++i) names.add(named("b", tests::usual_uid(1'000 + i)), 0);
    ASSERT_EQ(names.same_as(named("a", tests::usual_uid(uid)), 0), expected) << uid;
  }
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

// A UID of the usual form takes 16 bytes more than none. Memory for texts grows by 64 KiB at a time.
TEST(PodNames, StoreUidsOfTheUsualFormIn16Bytes) {
  constexpr std::uint32_t k_pods = 40'000;
  constexpr double k_piece = 1 << 16;
  EXPECT_NEAR(static_cast<double>(bytes_of(k_pods, 10, true) - bytes_of(k_pods, 10, false)), 16.0 * k_pods,
              2 * k_piece);
}

// The prefix of 45 bytes is stored for each workload, not for each pod. At most 1,024 prefixes are stored,
// plus one for every 16 pods. With a workload for each pod, most names are stored whole.
TEST(PodNames, StoreThePrefixOfAWorkloadOnce) {
  constexpr std::uint32_t k_pods = 40'000;
  constexpr std::uint32_t k_few = 10;
  constexpr std::uint32_t k_many = 1'500;
  const std::size_t few = bytes_of(k_pods, k_few, false);
  EXPECT_LT(few, k_pods * 25);
  EXPECT_LT(bytes_of(k_pods, k_many, false), few + k_many * 600);
  EXPECT_LT(bytes_of(k_pods, k_pods, false), k_pods * 90);
}

TEST(PodNames, ReserveNothingForMorePodsOncePacked) {
  const auto packed_bytes = [](std::uint32_t pods) {
    PodNames names;
    for (std::uint32_t i = 0; i < pods; ++i) names.add(named("p-" + std::to_string(i), ""), 0);
    names.pack();
    return names.bytes();
  };
  // No piece begins and the hash table does not grow between these numbers of pods.
  EXPECT_EQ(packed_bytes(6000) - packed_bytes(4000), 2000 * (sizeof(std::uint16_t) + sizeof(std::uint32_t)));
}

}  // namespace touchstone::optimized
