// tests/optimized/scores/nodes_test.cpp
#include "tests/optimized/scores/placed.hpp"

namespace touchstone::tests::nodes_more_test {

// SCORE-IMAGE-1: the score is 50 from 23 Mi + 977 Mi / 2 on. One byte less gives 49.
TEST(OptimizedNodes, RoundTheScoreOfImagesDown) {
  Question question =
      with_memory(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(sized("p", 100, 0)));
  question.pod.containers[0].image = "app";
  for (const auto& [missing, score] : {std::pair{1, 49}, std::pair{0, 50}}) {
    for (Node& node : question.cluster.nodes)
      node.images = {{{"app:latest"}, 23 * k_mi + 977 * k_mi / 2 - missing}};
    EXPECT_EQ(scores_by(Scorer::image_locality, question, "v1.37"), (Row{score, score}));
  }
}

}  // namespace touchstone::tests::nodes_more_test
