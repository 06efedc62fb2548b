#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::image_locality_test {

namespace {

using Points = std::vector<Quantity>;
using Images = std::vector<NodeImage>;

constexpr Quantity k_mi = 1024 * 1024;

Pod with_images(const std::vector<std::string>& images) {
  Pod made = pod("p", 0, 100);
  made.containers.clear();
  for (const std::string& image : images) {
    made.containers.push_back({"c", {}, {}, false});
    made.containers.back().image = image;
  }
  return made;
}

Pod with_init_image(Pod pod, const std::string& image) {
  pod.init_containers.push_back({"i", {}, {}, false});
  pod.init_containers.back().image = image;
  return pod;
}

Pod with_image_volume(Pod pod, const std::string& image) {
  Volume& volume = pod.volumes.emplace_back();
  volume.source.kind = "image";
  volume.source.id = image;
  return pod;
}

Images of(const std::string& name, Quantity size) { return {{{name}, size}}; }

/// The scores of nodes with these images.
Points scores_of(const Pod& pod, const std::vector<Images>& images, std::string_view name) {
  QuestionBuilder builder;
  reference::Nodes nodes;
  for (std::size_t i = 0; i < images.size(); ++i) {
    builder.node("n" + std::to_string(i), 4000);
    nodes.push_back(i);
  }
  Question question = builder.asks(pod);
  for (std::size_t i = 0; i < images.size(); ++i) question.cluster.nodes[i].images = images[i];
  const Release named = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, named, trace);
  return reference::image_locality(cycle, nodes).value();
}

/// The score of a node that has one image, for a pod with another name of it.
Quantity score_of_name(const std::string& own, const std::string& on_node) {
  return scores_of(with_images({own}), {of(on_node, 5000 * k_mi)}, "v1.37")[0];
}

const std::vector<Images> k_on_one_node = {of("app:v1", 500 * k_mi), {}};

}  // namespace

// SCORE-IMAGE-1, SCORE-IMAGE-2: worked example X10
TEST(ImageLocality, CountsAnImageByTheShareOfNodesThatHaveIt) {
  const Pod p = with_images({"app:v1"});
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.12"), Points({2, 0}));
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.16"), Points({2, 0}));
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.17"), Points({23, 0}));
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.37"), Points({23, 0}));
  const std::vector<Images> both = {of("app:v1", 500 * k_mi), of("app:v1", 500 * k_mi)};
  EXPECT_EQ(scores_of(p, both, "v1.16"), Points({4, 4}));
  EXPECT_EQ(scores_of(p, both, "v1.37"), Points({48, 48}));
}

// SCORE-IMAGE-1, SCORE-IMAGE-2: worked example X10
TEST(ImageLocality, CountsInitContainersFromV1_30) {
  const Pod p = with_init_image(with_images({"app:v1"}), "tool:v1");
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.29"), Points({23, 0}));
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.30"), Points({11, 0}));
  const Pod only_init = with_init_image(with_images({"tool:v1"}), "app:v1");
  EXPECT_EQ(scores_of(only_init, k_on_one_node, "v1.29"), Points({0, 0}));
  EXPECT_EQ(scores_of(only_init, k_on_one_node, "v1.30"), Points({11, 0}));
}

// SCORE-IMAGE-1, SCORE-IMAGE-2
TEST(ImageLocality, CountsImageVolumesFromV1_36) {
  Pod p = with_image_volume(with_images({"tool:v1"}), "app:v1");
  p.volumes.emplace_back().source.kind = "csi";
  p.volumes.back().source.id = "app:v1";
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.35"), Points({0, 0}));
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.36"), Points({23, 0}));
  EXPECT_EQ(scores_of(p, k_on_one_node, "v1.37"), Points({11, 0}));
}

// SCORE-IMAGE-1
TEST(ImageLocality, CountsAnImageForEachContainerThatUsesIt) {
  const Pod twice = with_images({"app:v1", "app:v1"});
  EXPECT_EQ(scores_of(twice, k_on_one_node, "v1.18"), Points({48, 0}));
}

// SCORE-IMAGE-1
TEST(ImageLocality, TakesTheSizeThatTheFirstNodeReports) {
  const Pod p = with_images({"app:v1"});
  EXPECT_EQ(scores_of(p, {of("app:v1", 500 * k_mi), of("app:v1", 900 * k_mi)}, "v1.37"), Points({48, 48}));
  const std::vector<Images> two_of_one_name = {
      {{{"another", "app:v1"}, 500 * k_mi}, {{"app:v1"}, 900 * k_mi}}, of("app:v1", 700 * k_mi)};
  EXPECT_EQ(scores_of(p, two_of_one_name, "v1.37"), Points({48, 48}));
}

// SCORE-IMAGE-1
TEST(ImageLocality, TruncatesTheScaledSizeOfEachImage) {
  // One byte less than the 280231936 bytes from which the score is 25.
  const std::vector<Images> nodes = {{{{"a:v1"}, 420347905}, {{"b:v1"}, 420347903}}, {}, {}};
  EXPECT_EQ(scores_of(with_images({"a:v1", "b:v1"}), nodes, "v1.18"), Points({24, 0, 0}));
}

// SCORE-IMAGE-1
TEST(ImageLocality, ComputesTheShareOfNodesBeforeTheProduct) {
  // 983302144 * 6 / 11 is the size from which the score is 50. The product with the rounded share is less.
  std::vector<Images> nodes(11);
  for (std::size_t i = 0; i < 6; ++i) nodes[i] = of("app:v1", 983302144);
  EXPECT_EQ(scores_of(with_images({"app:v1"}), nodes, "v1.37")[0], 49);
}

// SCORE-IMAGE-1
TEST(ImageLocality, WrapsAroundBeyond64BitsAsGoDoes) {
  constexpr Quantity k_most = 9223372036854775807;
  EXPECT_EQ(scores_of(with_images({"app:v1"}), {of("app:v1", k_most)}, "v1.37"), Points({0}));
}

// SCORE-IMAGE-2
TEST(ImageLocality, IsZeroUpToTheLowerThresholdAndHighestFromTheUpperOne) {
  const Pod p = with_images({"app:v1"});
  EXPECT_EQ(scores_of(p, {of("app:v1", 23 * k_mi)}, "v1.37"), Points({0}));
  EXPECT_EQ(scores_of(p, {of("app:v1", 33 * k_mi)}, "v1.37"), Points({1}));
  EXPECT_EQ(scores_of(p, {of("app:v1", 1000 * k_mi - 1)}, "v1.37"), Points({99}));
  EXPECT_EQ(scores_of(p, {of("app:v1", 1000 * k_mi)}, "v1.37"), Points({100}));
  EXPECT_EQ(scores_of(p, {of("app:v1", 5000 * k_mi)}, "v1.37"), Points({100}));
}

// SCORE-IMAGE-2
TEST(ImageLocality, RaisesTheUpperThresholdWithTheContainersFromV1_19) {
  const Pod two = with_images({"app:v1", "tool:v1"});
  const std::vector<Images> nodes = {of("app:v1", 1000 * k_mi)};
  EXPECT_EQ(scores_of(two, nodes, "v1.18"), Points({100}));
  EXPECT_EQ(scores_of(two, nodes, "v1.19"), Points({49}));
}

// SCORE-IMAGE-3
TEST(ImageLocality, LooksForTheTagLatestIfTheNameHasNoTag) {
  EXPECT_EQ(score_of_name("app", "app:latest"), 100);
  EXPECT_EQ(score_of_name("app", "app"), 0);
  EXPECT_EQ(score_of_name("host:5000/team/app", "host:5000/team/app:latest"), 100);
  EXPECT_EQ(score_of_name("host:5000/team/app:v1", "host:5000/team/app:v1"), 100);
  EXPECT_EQ(score_of_name("app@sha256:ab", "app@sha256:ab"), 100);
  EXPECT_EQ(score_of_name("app:v1", "app:v2"), 0);
}

}  // namespace touchstone::tests::image_locality_test
