#include "kubernetes/objects/controllers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kubernetes/objects/objects.hpp"

namespace touchstone::kubernetes::controllers_test {
namespace {

/// The node with this text of the annotation.
Node with_annotation(const nlohmann::json& text) {
  const nlohmann::json node = {
      {"metadata", {{"name", "n1"}, {"annotations", {{std::string(k_prefer_avoid_pods), text}}}}}};
  const Result<Document> document = Document::parse(node.dump(), "");
  return read_node(document.value().root());
}

std::optional<Controller> owned_by(const std::string& owners) {
  const Result<Document> document =
      Document::parse(R"({"metadata":{"name":"a","ownerReferences":)" + owners + "}}", "");
  return read_pod(document.value().root()).controller;
}

}  // namespace

// SCORE-AVOID-1
TEST(ReadNode, TakesTheControllersThatItAvoids) {
  const Node node = with_annotation(R"({"preferAvoidPods":[
    {"podSignature":{"podController":{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u1",
                                      "controller":true}},
     "evictionTime":"2026-01-01T00:00:00Z","reason":"r","message":"m"},
    {"podSignature":{"podController":{"kind":"ReplicationController","uid":"u2"}}}]})");
  ASSERT_EQ(node.avoided.size(), 2U);
  EXPECT_EQ(node.avoided[0], (Controller{.api_version = "", .kind = "ReplicaSet", .name = "", .uid = "u1"}));
  EXPECT_EQ(node.avoided[1].kind, "ReplicationController");
  EXPECT_EQ(node.avoided[1].uid, "u2");
}

// SCORE-AVOID-1
TEST(ReadNode, AvoidsNoControllerIfTheAnnotationCannotBeRead) {
  for (const char* text :
       {"", "{", "null", "[]", "{}", R"({"preferAvoidPods":7})", R"({"preferAvoidPods":[7]})",
        R"({"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u1"}}}]} x)",
        R"({"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u1"}}},
                               {"podSignature":{"podController":{"kind":"ReplicaSet","uid":2}}}]})"}) {
    EXPECT_TRUE(with_annotation(text).avoided.empty()) << text;
  }
  EXPECT_THROW(with_annotation(7), InvalidInput);
}

TEST(ReadNode, LeavesOutAvoidedPodsWithoutAController) {
  const Node node = with_annotation(R"({"preferAvoidPods":[{},{"podSignature":{}},{"podSignature":null},
    {"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u"}}}]})");
  ASSERT_EQ(node.avoided.size(), 1U);
  EXPECT_EQ(node.avoided[0].uid, "u");
}

TEST(ReadPod, TakesTheOwnerThatIsTheController) {
  EXPECT_EQ(owned_by(R"([{"kind":"Node","name":"n","uid":"1","controller":false},
    {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"2","controller":true},
    {"apiVersion":"v1","kind":"Other","name":"o","uid":"3","controller":true}])"),
            (Controller{.api_version = "apps/v1", .kind = "ReplicaSet", .name = "rs", .uid = "2"}));
  EXPECT_EQ(owned_by(R"([{"controller":true}])"), Controller{});
  EXPECT_FALSE(owned_by(R"([{"kind":"ReplicaSet","name":"rs","uid":"2"}])"));
  EXPECT_FALSE(owned_by("null"));
}

}  // namespace touchstone::kubernetes::controllers_test
