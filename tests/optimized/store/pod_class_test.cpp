#include "optimized/store/pod_class.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/builder.hpp"

/// Pods share a class if and only if they are equal in everything that a class has.
namespace touchstone::tests::pod_class_test {

namespace {

constexpr const char* k_gpu = "example.com/gpu";

class PodClasses : public ::testing::Test {
 protected:
  optimized::PodClasses::Found find_or_add(const Pod& pod) {
    return classes_.find_or_add(pod, release_, symbols_);
  }

  Release release_ = release("v1.34");
  optimized::Symbols symbols_;
  optimized::PodClasses classes_;
};

std::vector<std::optional<LabelSelector>> selectors() {
  return {std::nullopt,
          LabelSelector{},
          LabelSelector{{{"", ""}}, {}},
          LabelSelector{{}, {{"", "", {}}}},
          LabelSelector{{}, {{"a", "In", {"a"}}}},
          LabelSelector{{}, {{"b", "In", {"a"}}}},
          LabelSelector{{}, {{"a", "NotIn", {"a"}}}},
          LabelSelector{{}, {{"a", "In", {"b"}}}}};
}

/// Distinct terms with few texts. Many of their texts and lists are empty.
std::vector<PodAffinityTerm> some_terms() {
  std::vector<PodAffinityTerm> terms;
  for (const std::optional<LabelSelector>& selector : selectors()) {
    for (const std::vector<std::string>& names : {std::vector<std::string>{}, {""}, {"a"}, {"b"}, {"", ""}}) {
      for (const char* key : {"", "a"}) {
        terms.push_back({selector, names, std::nullopt, key, {}, {}});
        terms.push_back({std::nullopt, names, selector, key, {}, {}});
      }
    }
  }
  std::vector<PodAffinityTerm> distinct;
  for (const PodAffinityTerm& term : terms) {
    if (std::find(distinct.begin(), distinct.end(), term) == distinct.end()) distinct.push_back(term);
  }
  return distinct;
}

/// All lists of at most two of these terms.
std::vector<std::vector<PodAffinityTerm>> lists_of(const std::vector<PodAffinityTerm>& terms) {
  std::vector<std::vector<PodAffinityTerm>> lists = {{}};
  for (const PodAffinityTerm& a : terms) {
    lists.push_back({a});
    for (const PodAffinityTerm& b : terms) lists.push_back({a, b});
  }
  return lists;
}

}  // namespace

// PRE-AFFINITY-1: a class is found by one long text of all its parts. Different lists of terms must not give
// the same text.
TEST_F(PodClasses, DifferIfTheTermsDiffer) {
  const std::vector<std::vector<PodAffinityTerm>> lists = lists_of(some_terms());
  for (const std::vector<PodAffinityTerm>& anti : lists) {
    Pod made = pod("a", 0, 1);
    made.pod_anti_affinity = anti;
    ASSERT_TRUE(find_or_add(made).is_new) << anti.size();
    if (anti.size() != 1) continue;
    std::swap(made.pod_anti_affinity, made.pod_affinity);
    ASSERT_TRUE(find_or_add(made).is_new);
    for (const Quantity weight : {0, 1}) {
      made.pod_affinity.clear();
      made.preferred_pod_affinity = {{weight, anti[0]}};
      ASSERT_TRUE(find_or_add(made).is_new);
      std::swap(made.preferred_pod_affinity, made.preferred_pod_anti_affinity);
      ASSERT_TRUE(find_or_add(made).is_new);
      made.preferred_pod_anti_affinity.clear();
    }
  }
  EXPECT_GT(classes_.size(), 10000u);
}

// SCORE-AFFINITY-1, PRE-PORTS-1: every combination of a few labels, ports, other requests and terms. The
// texts have small numbers, which may be taken for the size of a list.
TEST_F(PodClasses, DifferIfAnyPartDiffers) {
  for (const char* text : {"default", k_gpu}) symbols_.add(text);
  const PodAffinityTerm empty;
  PodAffinityTerm of_all;
  of_all.label_selector.emplace();
  PodAffinityTerm of_none = of_all;
  of_none.namespaces = {""};
  PodAffinityTerm with_requirement;
  with_requirement.label_selector = LabelSelector{{}, {{"", "", {}}}};
  PodAffinityTerm of_namespace;
  of_namespace.namespaces = {""};
  const std::vector<std::vector<PodAffinityTerm>> lists = {
      {}, {empty}, {of_none}, {with_requirement, of_namespace}, {of_all, empty}};
  std::size_t pods = 0;
  for (const Labels& labels : {Labels{}, Labels{{"", ""}}}) {
    for (const std::size_t ports : {0U, 1U, 2U}) {
      for (const Quantity gpus : {0, 1, 2}) {
        for (std::size_t i = 0; i < lists.size() * lists.size() * lists.size(); ++i) {
          Pod made = pod("a", 0, 1);
          made.labels = labels;
          for (std::size_t port = 1; port <= ports; ++port)
            made.containers[0].ports.push_back({k_gpu, k_gpu, static_cast<Quantity>(port)});
          if (gpus > 0) made.containers[0].requests[k_gpu] = gpus;
          made.pod_anti_affinity = lists[i % lists.size()];
          made.pod_affinity = lists[i / lists.size() % lists.size()];
          for (const PodAffinityTerm& term : lists[i / lists.size() / lists.size()])
            made.preferred_pod_affinity.push_back({0, term});
          ASSERT_TRUE(find_or_add(made).is_new) << labels.size() << ports << gpus << " " << i;
          ASSERT_FALSE(find_or_add(made).is_new);
          ++pods;
        }
      }
    }
  }
  EXPECT_EQ(classes_.size(), pods);
}

// PRE-PDB-2: each label has the characters "abc", key before value. The key ends elsewhere.
TEST_F(PodClasses, DifferIfALabelKeyEndsElsewhere) {
  for (const Labels& labels : {Labels{{"a", "bc"}}, Labels{{"ab", "c"}}, Labels{{"abc", ""}}}) {
    Pod made = pod("a", 0, 1);
    made.labels = labels;
    EXPECT_TRUE(find_or_add(made).is_new) << labels.begin()->first;
  }
}

// PRE-FIT-2, SCORE-REQUESTS-1: the same amount of another resource is another request. A pod that does not
// request cpu or memory counts with a default for scores.
TEST_F(PodClasses, DifferIfTheRequestedResourcesDiffer) {
  for (const ResourceList& requests :
       {ResourceList{{"cpu", 1}, {"memory", 1}}, ResourceList{{"cpu", 1}}, ResourceList{{"memory", 1}},
        ResourceList{}, ResourceList{{"cpu", 1}, {k_gpu, 1}},
        ResourceList{{"cpu", 1}, {"example.com/nic", 1}}}) {
    Pod made = pod("a", 0, 1);
    made.containers[0].requests = requests;
    EXPECT_TRUE(find_or_add(made).is_new) << requests.size();
    EXPECT_FALSE(find_or_add(made).is_new) << requests.size();
  }
}

// PRE-PORTS-2: name, priority, cpu and memory are not part of a class. Ports are a set: their order does not
// count, nor how often one is listed.
TEST_F(PodClasses, AreSharedByPodsThatDifferInOtherParts) {
  Pod first = with_host_port(with_host_port(with_host_port(pod("a", 0, 100), 80), 443), 80);
  Pod second = with_host_port(with_host_port(pod("b", 7, 200), 443), 80);
  first.containers[0].requests["memory"] = 100;
  second.containers[0].requests["memory"] = 200;
  for (Pod* made : {&first, &second}) made->containers[0].requests[k_gpu] = 1;
  const optimized::PodClasses::Found found = find_or_add(first);
  EXPECT_TRUE(found.is_new);
  EXPECT_EQ(find_or_add(second).number, found.number);
  EXPECT_FALSE(find_or_add(second).is_new);
  EXPECT_EQ(classes_[found.number].ports.size(), 2u);
  ASSERT_EQ(classes_[found.number].others.size(), 1u);
  EXPECT_EQ(symbols_.text(classes_[found.number].others[0].resource), k_gpu);
}

// The resources get their numbers in the reverse order of their names.
TEST_F(PodClasses, SortOtherRequestsByResource) {
  for (const char* text : {"example.com/c", "example.com/b", "example.com/a"}) symbols_.add(text);
  Pod made = pod("a", 0, 100);
  made.containers[0].requests = {{"example.com/a", 1}, {"example.com/b", 2}, {"example.com/c", 3}};
  const std::vector<optimized::Amount>& others = classes_[find_or_add(made).number].others;
  ASSERT_EQ(others.size(), 3u);
  EXPECT_TRUE(std::is_sorted(others.begin(), others.end(),
                             [](const auto& a, const auto& b) { return a.resource < b.resource; }));
}

}  // namespace touchstone::tests::pod_class_test
