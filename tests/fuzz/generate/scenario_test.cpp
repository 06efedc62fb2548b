#include "fuzz/generate/scenario.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "fuzz/hash.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/json.hpp"
#include "kubernetes/write/written.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/scale.hpp"

namespace touchstone::fuzz {

namespace {

using tests::release;
using Bytes = std::vector<std::uint8_t>;

Question drawn_from(const Bytes& bytes, const Scenarios& scenarios) {
  ByteChoices choices(bytes);
  return scenario(choices, scenarios);
}

std::string text_of(const Question& question) { return kubernetes::written(question).dump(); }

/// Strings of bytes that random generation is unlikely to make: of one value, counting, long, short.
std::vector<Bytes> adversarial_bytes() {
  std::vector<Bytes> all;
  for (int value = 0; value < 256; ++value) all.push_back(Bytes(3000, static_cast<std::uint8_t>(value)));
  Bytes counting(4000);
  for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<std::uint8_t>(i);
  all.push_back(counting);
  std::reverse(counting.begin(), counting.end());
  all.push_back(counting);
  all.push_back({255});
  all.push_back(Bytes(17, 255));
  return all;
}

Decision decided(const Question& question, const Release& asked) {
  return reference::preempt(question, asked);
}

/// Checks that a subject reads the same question: written again, it has the same text, and it is decided
/// alike.
void expect_is_read_back(const Question& question, const Release& asked, const std::string& name) {
  const std::string text = text_of(question);
  const auto document = kubernetes::Document::parse(text, "");
  ASSERT_TRUE(document) << name;
  const auto root = document.value().root();
  const Result<Question> read = kubernetes::read_question(root);
  ASSERT_TRUE(read) << name << ": " << read.error().path << " " << read.error().message;
  EXPECT_EQ(text_of(read.value()), text) << name;
  EXPECT_EQ(decided(read.value(), asked), decided(question, asked)) << name << "\n" << text;
}

/// Whether some pod of a question, or the preemptor, satisfies a predicate.
template <typename Kind>
bool some_pod(const Question& question, Kind kind) {
  return kind(question.pod) || std::any_of(question.cluster.pods.begin(), question.cluster.pods.end(), kind);
}

/// Whether some scenario of a minor release satisfies a predicate.
template <typename Kind>
bool some_scenario(int minor, Kind kind) {
  const Scenarios scenarios = all_scenarios(release("v1." + std::to_string(minor)));
  for (std::uint64_t number = 0; number < 400; ++number) {
    if (kind(numbered_scenario(scenarios, 1, number))) return true;
  }
  return false;
}

/// Checks that scenarios have something from a minor release on, and not before, like the API.
template <typename Kind>
void expect_since(int minor, Kind kind) {
  const auto some = [&kind](const Question& question) { return some_pod(question, kind); };
  EXPECT_FALSE(some_scenario(minor - 1, some)) << minor;
  EXPECT_TRUE(some_scenario(minor, some)) << minor;
}

}  // namespace

// A seed names its clusters on every machine. g++ and clang evaluate arguments of a function in different
// orders, so two draws among them would give different clusters. A change of the generator changes the hash.
TEST(Generator, DrawsTheSameFromASeedWithEveryCompiler) {
  Fnv1a hash;
  for (const char* of : {"v1.9", "v1.16.6", "v1.29.5", "v1.37.2"}) {
    const Scenarios scenarios = all_scenarios(release(of));
    for (std::uint64_t number = 0; number < 500; ++number)
      hash.add(text_of(numbered_scenario(scenarios, 1, number)));
  }
  EXPECT_EQ(hash.value(), 14806286904047082199U);
}

TEST(Scenario, IsReadBackAsItIsWritten) {
  for (const char* name : {"v1.8", "v1.34.4", "v1.38"}) {
    const Scenarios scenarios = all_scenarios(release(name));
    for (std::uint64_t number = 0; number < tests::scaled(100); ++number)
      expect_is_read_back(numbered_scenario(scenarios, 7, number), scenarios.release,
                          name + (" number " + std::to_string(number)));
  }
}

TEST(Scenario, IsDrawnFromAnyBytes) {
  const Scenarios scenarios = all_scenarios(release("v1.37"));
  const std::vector<Bytes> all = adversarial_bytes();
  for (std::size_t i = 0; i < all.size(); ++i)
    expect_is_read_back(drawn_from(all[i], scenarios), scenarios.release, "bytes " + std::to_string(i));
}

TEST(Scenario, IsThePlainestOneWithoutBytes) {
  const Question plain = drawn_from({}, all_scenarios(release("v1.37")));
  ASSERT_EQ(plain.cluster.nodes.size(), 1u);
  ASSERT_EQ(plain.cluster.pods.size(), 1u);
  EXPECT_TRUE(plain.cluster.pdbs.empty());
  EXPECT_FALSE(plain.offset);
  EXPECT_EQ(decided(plain, release("v1.37")).outcome, Outcome::nominated);
  EXPECT_EQ(text_of(plain), text_of(drawn_from(Bytes(5000, 0), all_scenarios(release("v1.37")))));
}

TEST(Scenario, IsTheSameForTheSameChoices) {
  const Scenarios scenarios = all_scenarios(release("v1.34.4"));
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t number = 0; number < 20; ++number) {
      const std::string text = text_of(numbered_scenario(scenarios, seed, number));
      EXPECT_EQ(text, text_of(numbered_scenario(scenarios, seed, number)));
      texts.insert(text);
    }
  }
  // Scenarios of different seeds are different, which they would not be with seed + number.
  EXPECT_EQ(texts.size(), 200u);
}

TEST(Scenario, NamesEveryObjectOnce) {
  const Scenarios scenarios = all_scenarios(release("v1.34.4"));
  for (std::uint64_t number = 0; number < 300; ++number) {
    const Question question = numbered_scenario(scenarios, 3, number);
    std::set<std::string> names = {"/node " + question.pod.full_name()};
    std::size_t objects = 1;
    for (const Node& node : question.cluster.nodes) names.insert("node " + node.name), ++objects;
    for (const PodDisruptionBudget& pdb : question.cluster.pdbs)
      names.insert("pdb " + pdb.ns + "/" + pdb.name), ++objects;
    for (const Pod& pod : question.cluster.pods) names.insert("pod " + pod.name), ++objects;
    EXPECT_EQ(names.size(), objects) << number;
  }
}

TEST(Scenario, HasNoMemberBeforeTheApiHasIt) {
  expect_since(16, [](const Pod& pod) { return !pod.overhead.empty(); });
  expect_since(16, [](const Pod& pod) { return !pod.topology_spread.empty(); });
  expect_since(15, [](const Pod& pod) { return !pod.preemption_policy.empty(); });
  expect_since(28, [](const Pod& pod) {
    return std::any_of(pod.init_containers.begin(), pod.init_containers.end(),
                       [](const Container& container) { return container.restart_always; });
  });
  expect_since(32, [](const Pod& pod) { return pod.pod_level_requests.has_value(); });
  expect_since(11, [](const Pod& pod) {
    return pod.node_affinity && std::any_of(pod.node_affinity->begin(), pod.node_affinity->end(),
                                            [](const auto& term) { return !term.match_fields.empty(); });
  });
}

TEST(Scenario, HasOnlyTheFamiliesThatItMayHave) {
  Scenarios scenarios{release("v1.34.4"), {Family::taints}};
  std::size_t tainted = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Drawn drawn = numbered_draw(scenarios, 1, number);
    EXPECT_EQ(drawn.question.cluster.pdbs.size(), 0u);
    EXPECT_TRUE(drawn.question.pod.node_selector.empty());
    EXPECT_FALSE(some_pod(drawn.question, [](const Pod& pod) { return pod.terminating; }));
    tainted += drawn.families.size();
  }
  EXPECT_GT(tainted, 30u);
  EXPECT_LT(tainted, 80u);
  scenarios.families.clear();
  for (std::uint64_t number = 0; number < 50; ++number)
    EXPECT_TRUE(numbered_draw(scenarios, 1, number).families.empty());
}

TEST(Scenario, HasExtendersIfItIsAskedForThem) {
  Scenarios scenarios = all_scenarios(release("v1.34.4"));
  EXPECT_FALSE(scenarios.families.contains(Family::extenders));
  scenarios.families.insert(Family::extenders);
  std::set<std::string> seen;
  for (std::uint64_t number = 0; number < 150; ++number) {
    const Question question = numbered_scenario(scenarios, 1, number);
    const auto read = kubernetes::read_question_text(kubernetes::written(question).dump(), "question");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read.value().extenders, question.extenders);
    for (const Extender& extender : question.extenders) {
      if (extender.filter && extender.filter->nodes.contains("ghost")) seen.insert("unknown node");
      if (extender.filter && extender.filter->error) seen.insert("error");
      if (extender.prioritize && !extender.prioritize->nodes.empty()) seen.insert("scores");
      if (extender.preempt && !extender.preempt->nodes.empty()) seen.insert("victims");
      if (extender.ignorable) seen.insert("ignorable");
      if (!extender.managed_resources.empty()) seen.insert("managed resource");
    }
  }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(Scenario, IsAsSmallAsItIsAskedToBe) {
  const Scenarios scenarios{release("v1.34.4"), {}, 2, 1};
  std::set<std::pair<std::size_t, std::size_t>> sizes;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const Cluster cluster = numbered_scenario(scenarios, 1, number).cluster;
    sizes.insert({cluster.nodes.size(), cluster.pods.size()});
  }
  // A scenario may lose all its nodes. The pods of these nodes stay.
  for (const auto& [nodes, pods] : sizes) {
    EXPECT_LE(nodes, 2u);
    EXPECT_LE(pods, 2u);
  }
  EXPECT_TRUE(sizes.contains({2, 2}));
  EXPECT_TRUE(sizes.contains({1, 0}));
}

}  // namespace touchstone::fuzz
