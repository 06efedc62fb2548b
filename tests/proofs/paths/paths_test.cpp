#include "proofs/paths/paths.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/protocol/vectors.hpp"

/// Questions for all paths of small clusters: there are no other paths, and spec/vectors/paths has them all.
namespace touchstone::proofs {

namespace {

const std::atomic<bool> k_goes_on = false;

std::size_t scene_of(const std::string& name) {
  const auto found = std::find_if(scenes().begin(), scenes().end(),
                                  [&name](const Scene& scene) { return scene.name == name; });
  return static_cast<std::size_t>(found - scenes().begin());
}

/// The names of the vectors of a scene, for the release that decides scenes.
std::set<std::string> recorded(const std::string& scene) {
  static const std::vector<oracle::VectorFile> k_files =
      oracle::read_vectors("spec/vectors/paths/v1.37.json").value();
  std::set<std::string> names;
  for (const oracle::VectorFile& file : k_files) {
    for (const oracle::VectorCase& each : file.cases) {
      const std::string prefix = "paths/" + scene + "-";
      if (each.name.starts_with(prefix) && std::isdigit(each.name[prefix.size()])) names.insert(each.name);
    }
  }
  return names;
}

}  // namespace

TEST(Paths, AreAllAmongTheVectors) {
  for (const std::string scene : {"eligibility", "nominations", "places"}) {
    const ScenePaths found = paths_of(scene_of(scene), k_goes_on);
    EXPECT_TRUE(found.red.empty()) << found.red.front();
    EXPECT_EQ(found.paths.size(), found.findings.paths);
    std::set<std::string> names;
    for (const Path& path : found.paths) names.insert("paths/" + path.name);
    EXPECT_EQ(names, recorded(scene)) << "touchstone record --paths";
  }
}

TEST(Paths, AreOfEveryScene) {
  for (const Scene& scene : scenes()) EXPECT_GT(recorded(scene.name).size(), 30u) << scene.name;
}

TEST(Paths, HaveQuestionsThatCanBeWrittenDown) {
  const ScenePaths found = paths_of(scene_of("nominations"), k_goes_on);
  for (const Path& path : found.paths) {
    const std::string text = kubernetes::written(path.question).dump();
    const Result<Question> read = kubernetes::read_question_text(text, path.name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(kubernetes::written(read.value()).dump(), text);
  }
}

TEST(Paths, AreNotAllWhenStopped) {
  const std::atomic<bool> stop = true;
  EXPECT_FALSE(paths_of(0, stop).red.empty());
}

TEST(DecidingClause, IsTheCriterionThatTheChoiceComesDownTo) {
  const auto clauses = [](const std::string& scene) {
    std::set<std::string> found;
    for (const std::string& name : recorded(scene)) found.insert(name.substr(name.find("PRE-")));
    return found;
  };
  EXPECT_EQ(clauses("choice"), (std::set<std::string>{"PRE-NODE-2", "PRE-NODE-5", "PRE-NODE-6",
                                                      "PRE-OUTCOME-3", "PRE-VICTIM-6"}));
  EXPECT_TRUE(clauses("eligibility").contains("PRE-ELIGIBLE-3"));
  EXPECT_TRUE(clauses("a-node").contains("PRE-CYCLE-1"));
}

}  // namespace touchstone::proofs
