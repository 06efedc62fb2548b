#include "kubernetes/admission/selector_rules.hpp"

#include <gtest/gtest.h>

#include <string>

#include "kubernetes/text/json.hpp"

namespace touchstone::kubernetes::selector_rules_test {

namespace {

/// Code and path of the error in the spec of a Pod, or of a PodDisruptionBudget; empty if there is none.
std::string wrong_with(const std::string& spec, bool is_pod = true) {
  const Result<Document> document = Document::parse(R"({"metadata":{"name":"x"},"spec":)" + spec + "}", "");
  if (!document) return document.error().message;
  const Value root = document.value().root();
  try {
    is_pod ? refuse_invalid_selectors_of_pod(root) : refuse_invalid_selector(root, "PodDisruptionBudget");
  } catch (const InvalidInput& invalid) {
    return invalid.error.code + " " + invalid.error.path;
  }
  return "";
}

std::string label_requirement(const std::string& op, const std::string& values) {
  return R"({"selector":{"matchExpressions":[{"key":"a","operator":")" + op + R"(","values":)" + values +
         "}]}}";
}

std::string node_requirement(const std::string& list, const std::string& op, const std::string& values) {
  return R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{")" +
         list + R"(":[{"key":"a","operator":")" + op + R"(","values":)" + values + "}]}]}}}}";
}

const std::string k_pdb_operator = "invalid-selector spec.selector.matchExpressions[0].operator";

}  // namespace

TEST(SelectorRules, KnowTheOperatorsOfLabels) {
  EXPECT_EQ(wrong_with(label_requirement("In", R"(["x"])"), false), "");
  EXPECT_EQ(wrong_with(label_requirement("NotIn", R"(["x","y"])"), false), "");
  EXPECT_EQ(wrong_with(label_requirement("Exists", "[]"), false), "");
  EXPECT_EQ(wrong_with(label_requirement("DoesNotExist", "null"), false), "");
  EXPECT_EQ(wrong_with("{}", false), "");
  EXPECT_EQ(wrong_with(R"({"selector":{"matchLabels":{"a":"b"}}})", false), "");
  EXPECT_EQ(wrong_with(label_requirement("In", "[]"), false), k_pdb_operator);
  EXPECT_EQ(wrong_with(label_requirement("NotIn", "null"), false), k_pdb_operator);
  EXPECT_EQ(wrong_with(label_requirement("Exists", R"(["x"])"), false), k_pdb_operator);
  EXPECT_EQ(wrong_with(label_requirement("Gt", R"(["1"])"), false), k_pdb_operator);
  EXPECT_EQ(wrong_with(label_requirement("in", R"(["x"])"), false), k_pdb_operator);
  EXPECT_EQ(wrong_with(R"({"selector":{"matchExpressions":[{"key":"a"}]}})", false),
            "invalid-selector spec.selector.matchExpressions[0]");
}

TEST(SelectorRules, KnowTheOperatorsOfNodes) {
  EXPECT_EQ(wrong_with(node_requirement("matchExpressions", "Gt", R"(["-7"])")), "");
  EXPECT_EQ(wrong_with(node_requirement("matchExpressions", "Exists", "[]")), "");
  EXPECT_EQ(wrong_with(node_requirement("matchFields", "NotIn", R"(["n1"])")), "");
  EXPECT_NE(wrong_with(node_requirement("matchExpressions", "Gt", R"(["7","8"])")), "");
  EXPECT_NE(wrong_with(node_requirement("matchExpressions", "Lt", R"(["7x"])")), "");
  EXPECT_NE(wrong_with(node_requirement("matchExpressions", "Near", R"(["7"])")), "");
  EXPECT_NE(wrong_with(node_requirement("matchFields", "In", R"(["n1","n2"])")), "");
  EXPECT_NE(wrong_with(node_requirement("matchFields", "Exists", "[]")), "");
}

TEST(SelectorRules, LookAtAffinityAndSpreadOfPods) {
  const std::string bad = R"({"matchExpressions":[{"key":"a","operator":"Foo"}]})";
  for (const std::string kind : {"podAffinity", "podAntiAffinity"}) {
    for (const std::string selector : {"labelSelector", "namespaceSelector"}) {
      EXPECT_NE(wrong_with(R"({"affinity":{")" + kind +
                           R"(":{"requiredDuringSchedulingIgnoredDuringExecution":[{")" + selector + R"(":)" +
                           bad + "}]}}}"),
                "");
    }
  }
  EXPECT_NE(wrong_with(R"({"topologySpreadConstraints":[{"labelSelector":)" + bad + "}]}"), "");
  EXPECT_EQ(wrong_with(R"({"topologySpreadConstraints":[{}],"affinity":{"podAffinity":{}}})"), "");
  EXPECT_EQ(wrong_with("null"), "");
}

}  // namespace touchstone::kubernetes::selector_rules_test
