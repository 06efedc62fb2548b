#include "tests/optimized/scores/placed.hpp"

/// The optimized scorers of labels, taints, images and the controllers that nodes name.
namespace touchstone::tests::optimized_nodes_test {

namespace {

Question two_nodes(Pod pod) {
  return with_memory(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(std::move(pod)));
}

Pod with_image(const std::string& image) {
  Pod made = sized("p", 100, 0);
  made.containers[0].image = image;
  return made;
}

}  // namespace

// SCORE-AVOID-1
TEST(OptimizedNodes, AvoidWhatTheyName) {
  Question question = two_nodes(sized("p", 100, 0));
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "r", "u"};
  question.cluster.nodes[0].avoided = {{"", "ReplicaSet", "", "u"}};
  EXPECT_EQ(scores_by(Scorer::node_prefer_avoid_pods, question, "v1.16"), (Row{0, 100000}));
  EXPECT_EQ(scores_by(Scorer::node_prefer_avoid_pods, question, "v1.17"), (Row{0, 1000000}));
  question.pod.controller->kind = "Job";
  EXPECT_EQ(scores_by(Scorer::node_prefer_avoid_pods, question, "v1.17"), (Row{1000000, 1000000}));
}

// SCORE-NODEAFFINITY-1, SCORE-NODEAFFINITY-2
TEST(OptimizedNodes, ArePreferredByTerms) {
  Question question = two_nodes(sized("p", 100, 0));
  EXPECT_EQ(scores_by(Scorer::node_affinity, question, "v1.29"), (Row{0, 0}));
  EXPECT_TRUE(scores_by(Scorer::node_affinity, question, "v1.30").empty());
  question.pod.preferred_node_affinity = {{1, {{}, {{"metadata.name", "In", {"n2"}}}}}};
  EXPECT_EQ(scores_by(Scorer::node_affinity, question, "v1.19"), (Row{0, 0}));
  EXPECT_EQ(scores_by(Scorer::node_affinity, question, "v1.20"), (Row{0, 100}));
}

// SCORE-NODEAFFINITY-3
TEST(OptimizedNodes, ArePreferredByTheConfiguration) {
  Question question = two_nodes(sized("p", 100, 0));
  question.cluster.nodes[1].labels["disk"] = "ssd";
  Release release = tests::release("v1.34");
  release.added_preferred_terms = {{1, {{{"disk", "In", {"ssd"}}}, {}}}};
  EXPECT_EQ(scores_by(Scorer::node_affinity, question, release), (Row{0, 200}));
}

// SCORE-TAINT-1
TEST(OptimizedNodes, LosePointsByTaints) {
  Question question = two_nodes(sized("p", 100, 0));
  question.cluster.nodes[0].taints = {{"k", "v", "PreferNoSchedule"}};
  question.pod.tolerations = {{"k", "Exists", "", "NoSchedule"}};
  EXPECT_EQ(scores_by(Scorer::taint_toleration, question, "v1.23"), (Row{0, 300}));
  question.pod.tolerations[0].effect.clear();
  EXPECT_EQ(scores_by(Scorer::taint_toleration, question, "v1.23"), (Row{300, 300}));
  question.pod.tolerations.clear();
  EXPECT_EQ(scores_by(Scorer::taint_toleration, question, "v1.16"), (Row{0, 10}));
}

// SCORE-IMAGE-1, SCORE-IMAGE-2
TEST(OptimizedNodes, ArePreferredByTheirImages) {
  Question question = two_nodes(with_image("app"));
  question.cluster.nodes[0].images = {{{"app:latest"}, 500 * k_mi}};
  Container init;
  init.image = "other";
  question.pod.init_containers = {init};
  EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.16"), (Row{2, 0}));
  EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.29"), (Row{23, 0}));
  EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.30"), (Row{11, 0}));
}

// SCORE-IMAGE-1: the size is that on the first node that has the image.
TEST(OptimizedNodes, CountTheSizeOnTheFirstNode) {
  Question question = two_nodes(with_image("app"));
  question.cluster.nodes[0].images = {{{"app:latest"}, 200 * k_mi}};
  question.cluster.nodes[1].images = {{{"app:latest"}, 900 * k_mi}};
  const Row first = scores_by(Scorer::image_locality, question, "v1.37");
  EXPECT_EQ(first, (Row{18, 18}));  // ⌊100 · (200 − 23) / (1000 − 23)⌋
  question.cluster.nodes[0].images[0].names = {"app:2"};
  EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.37"), (Row{0, 43}));  // half of 900 Mi
}

// SCORE-IMAGE-1: the score is 50 from 23 Mi + 977 Mi / 2 on. One byte less gives 49.
TEST(OptimizedNodes, RoundTheScoreOfImagesDown) {
  Question question = two_nodes(with_image("app"));
  for (const auto& [missing, score] : {std::pair{1, 49}, std::pair{0, 50}}) {
    for (Node& node : question.cluster.nodes)
      node.images = {{{"app:latest"}, 23 * k_mi + 977 * k_mi / 2 - missing}};
    EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.37"), (Row{score, score}));
  }
}

// SCORE-IMAGE-1: so many different lists of images that their scores are not computed in advance.
TEST(OptimizedNodes, ArePreferredByManyListsOfImages) {
  for (const std::size_t lists : {256U, 257U, 300U}) {
    Question question = two_nodes(with_image("app"));
    question.cluster.nodes.resize(1);
    const Node node = question.cluster.nodes[0];
    question.cluster.nodes.clear();
    for (std::size_t i = 0; i < lists; ++i) {
      Node& next = question.cluster.nodes.emplace_back(node);
      next.name = "n" + std::to_string(i);
      next.images = {{{"app" + std::to_string(i)}, 900 * k_mi}};
      if (i % 3 == 0) next.images.push_back({{"app:latest"}, 700 * k_mi});
    }
    const Row scores = scores_by(Scorer::image_locality, question, "v1.37");
    ASSERT_EQ(scores.size(), lists);
    EXPECT_NE(scores[0], scores[1]);
  }
}

// SCORE-IMAGE-3
TEST(OptimizedNodes, ReadPortsInNamesOfImages) {
  Question question = two_nodes(with_image("host:5000/app"));
  question.cluster.nodes[0].images = {{{"host:5000/app:latest"}, 500 * k_mi}};
  question.cluster.nodes[1].images = {{{"host:5000/app"}, 500 * k_mi}};
  EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.37"), (Row{23, 0}));
}

}  // namespace touchstone::tests::optimized_nodes_test
