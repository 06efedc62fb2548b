#include "conformance/levels.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/protocol.hpp"

/// Levels and features: a case belongs to the last level that its question needs.
namespace touchstone::conformance {

namespace {

using oracle::Json;

constexpr const char* k_plain =
    R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"110"}}}],
  "pods":[{"metadata":{"namespace":"default","name":"a"},"spec":{"nodeName":"n1","containers":[{"name":"c"}]}}],
  "pod":{"metadata":{"namespace":"default","name":"p"},"spec":{"priority":5,"containers":[{"name":"c"}]}}})";

std::set<std::string_view> needed_by(const Json& question, oracle::Command command = oracle::Command::run) {
  const Question read = kubernetes::read_question_text(question.dump(), "question").value();
  return features_needed(read, command, question);
}

LevelId level_of(const Json& question) { return level_of_question(needed_by(question), 1, true); }

}  // namespace

TEST(Levels, StandInTheOrderOfTheirIds) {
  for (std::size_t i = 0; i < levels().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(levels()[i].id), i);
    EXPECT_EQ(find_level(levels()[i].name), &levels()[i]);
  }
  EXPECT_EQ(find_level("cores"), nullptr);
}

TEST(Levels, APlainClusterNeedsOnlyTheCore) {
  EXPECT_EQ(needed_by(Json::parse(k_plain)), (std::set<std::string_view>{"core"}));
  EXPECT_EQ(level_of(Json::parse(k_plain)), LevelId::core);
}

TEST(Levels, EachPartOfAQuestionNeedsItsFeature) {
  const auto with = [](const char* pointer, const char* value) {
    Json question = Json::parse(k_plain);
    question[Json::json_pointer(pointer)] = Json::parse(value);
    return question;
  };
  const std::vector<std::pair<Json, std::string_view>> parts = {
      {with("/pod/spec/overhead", R"({"cpu":"1"})"), "requests"},
      {with("/pods/0/spec/initContainers", R"([{"name":"i"}])"), "requests"},
      {with("/pdbs", R"([{"metadata":{"namespace":"default","name":"b"},"spec":{"selector":{}}}])"), "pdbs"},
      {with("/pods/0", R"({"metadata":{"namespace":"default","name":"a"},"spec":{"containers":[{"name":"c"}]},
                           "status":{"nominatedNodeName":"n1"}})"),
       "nominated"},
      {with("/pod/status", R"({"nominatedNodeName":"n1"})"), "nominated"},
      {with("/nodes/0/spec", R"({"unschedulable":true})"), "taints"},
      {with("/nodes/0/spec", R"({"taints":[{"key":"k","effect":"NoSchedule"}]})"), "taints"},
      {with("/pod/spec/nodeSelector", R"({"disk":"ssd"})"), "selectors"},
      {with("/pod/spec/containers/0/ports", R"([{"containerPort":80,"hostPort":80}])"), "ports"},
      {with("/pods/0/spec/affinity", R"({"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
          [{"topologyKey":"zone","labelSelector":{}}]}})"),
       "affinity"},
      {with("/pod/spec/topologySpreadConstraints", R"([{"maxSkew":1,"topologyKey":"zone",
          "whenUnsatisfiable":"DoNotSchedule","labelSelector":{}}])"),
       "spread"},
      {with("/pod/spec/volumes", R"([{"name":"v","persistentVolumeClaim":{"claimName":"c"}}])"), "volumes"},
      {with("/offset", "0"), "offset"},
      {with("/quota", "1"), "quota"},
      {with("/start", "0"), "start"},
      {with("/config", "{}"), "config"},
      {with("/featureGates", "{}"), "featureGates"},
      {with("/config", R"({"kind":"Policy"})"), "policy"},
      {with("/extenders", R"([{"filterVerb":"filter","filter":{"n1":"ok"}}])"), "extenders"},
  };
  for (const auto& [question, feature] : parts) {
    EXPECT_EQ(needed_by(question), (std::set<std::string_view>{"core", feature})) << question;
    EXPECT_GE(level_of(question), LevelId::core);
  }
  EXPECT_TRUE(needed_by(Json::parse(k_plain), oracle::Command::schedule).contains("schedule"));
}

TEST(Levels, AnotherPodsPortsAndVolumesNeedNoFeature) {
  Json question = Json::parse(k_plain);
  question["pods"][0]["spec"]["containers"][0]["ports"] =
      Json::parse(R"([{"containerPort":80,"hostPort":80}])");
  question["pods"][0]["spec"]["volumes"] = Json::parse(R"([{"name":"v","emptyDir":{}}])");
  EXPECT_EQ(level_of(question), LevelId::core);
}

TEST(Levels, ACaseBelongsToTheLastLevelThatItNeeds) {
  EXPECT_EQ(level_of_question({"core", "pdbs", "taints"}, 1, false), LevelId::constraints);
  EXPECT_EQ(level_of_question({"core", "requests"}, 1, false), LevelId::core);
  EXPECT_EQ(level_of_question({"core", "requests"}, 2, false), LevelId::ties);
  EXPECT_EQ(level_of_question({"core", "pdbs"}, 2, false), LevelId::pdb);
  EXPECT_EQ(level_of_question({"core", "schedule"}, 1, true), LevelId::scores);
  EXPECT_EQ(level_of_question({"core", "schedule"}, 1, false), LevelId::cycle);
  EXPECT_EQ(level_of_question({"core", "schedule", "config"}, 1, true), LevelId::cycle);
  EXPECT_EQ(level_of_question({"core", "schedule", "extenders"}, 1, true), LevelId::extenders);
}

TEST(Levels, TheReferenceClaimsEveryFeature) {
  oracle::Subject reference;
  const Json hello = Json::parse(reference.answer(R"({"cmd":"hello"})"));
  const std::set<std::string> claimed = hello.at("features");
  for (const Feature& each : features()) EXPECT_TRUE(claimed.contains(std::string(each.name))) << each.name;
}

}  // namespace touchstone::conformance
