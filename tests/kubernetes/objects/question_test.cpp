#include "kubernetes/objects/question.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace touchstone::kubernetes::question_test {
namespace {

Result<Question> question_of(const std::string& json) {
  const Result<Document> document = Document::parse(json, "");
  if (!document) return document.error();
  const Value root = document.value().root();
  return read_question(root);
}

std::string metadata(const std::string& name) { return R"("metadata":{"name":")" + name + "\"}"; }
std::string object(const std::string& name) { return "{" + metadata(name) + "}"; }

std::string pod_with_memory(const std::string& name, const std::string& memory) {
  return "{" + metadata(name) +
         R"(,"spec":{"nodeName":"n","containers":[{},{"resources":{"requests":{"memory":")" + memory +
         "\"}}}]}}";
}

std::string node_with_memory(const std::string& name, const std::string& memory) {
  return "{" + metadata(name) + R"(,"status":{"allocatable":{"memory":")" + memory + "\"}}}";
}

void expect_error(const std::string& json, const std::string& code, const std::string& path) {
  const Result<Question> question = question_of(json);
  ASSERT_FALSE(question) << json;
  EXPECT_EQ(question.error().code, code) << json;
  EXPECT_EQ(question.error().path, path) << json;
}

TEST(ReadQuestion, KeepsTheOrderOfLists) {
  const Result<Question> question = question_of(
      R"({"cmd":"run","nodes":[)" + object("n2") + "," + object("n1") + R"(],"pods":[)" + object("b") + "," +
      object("a") + R"(],"pdbs":[)" + object("z") + "," + object("y") + R"(],"pod":)" + object("p") +
      R"(,"offset":3,"quota":100,"priorityClasses":[{}],"namespaces":[)" + object("x") + R"(],"pvcs":[)" +
      object("c") + R"(],"csiNodes":[)" + object("n1") + R"(],"start":7,"statefulSets":[)" + object("s") +
      R"(],"replicaSets":[)" + object("r2") + "," + object("r1") + R"(],"replicationControllers":[)" +
      object("c") + R"(],"services":[)" + object("s") + "]}");
  ASSERT_TRUE(question);
  EXPECT_EQ(question.value().cluster.nodes.at(0).name, "n2");
  EXPECT_EQ(question.value().cluster.nodes.at(1).name, "n1");
  EXPECT_EQ(question.value().cluster.pods.at(0).name, "b");
  EXPECT_EQ(question.value().cluster.pods.at(1).name, "a");
  EXPECT_EQ(question.value().cluster.pdbs.at(0).name, "z");
  EXPECT_EQ(question.value().cluster.pdbs.at(1).name, "y");
  EXPECT_TRUE(question.value().cluster.namespaces.contains("x"));
  EXPECT_TRUE(question.value().cluster.storage.claims.contains("default/c"));
  EXPECT_TRUE(question.value().cluster.storage.csi_nodes.contains("n1"));
  EXPECT_EQ(question.value().pod.name, "p");
  EXPECT_EQ(question.value().offset, 3);
  EXPECT_EQ(question.value().quota, 100);
  EXPECT_EQ(question.value().start, 7);
  std::vector<std::string> selecting;
  for (const SelectingObject& each : question.value().cluster.selecting)
    selecting.push_back(std::to_string(static_cast<int>(each.kind)) + each.ns + "/" + each.name);
  EXPECT_EQ(selecting, (std::vector<std::string>{"0default/s", "1default/c", "2default/r2", "2default/r1",
                                                 "3default/s"}));
}

TEST(ReadQuestion, NeedsOnlyThePod) {
  const Result<Question> question = question_of(R"({"nodes":null,"pod":)" + object("p") + "}");
  ASSERT_TRUE(question);
  EXPECT_TRUE(question.value().cluster.nodes.empty());
  EXPECT_FALSE(question.value().offset);
  EXPECT_FALSE(question.value().quota);
  EXPECT_FALSE(question.value().start);
  EXPECT_TRUE(question.value().cluster.selecting.empty());
}

TEST(ReadQuestion, KeepsThePreemptorsOwnEntry) {
  const Result<Question> question =
      question_of(R"({"pods":[)" + object("p") + "," + object("p") + R"(],"pod":)" + object("p") + "}");
  ASSERT_TRUE(question);
  EXPECT_EQ(question.value().cluster.pods.size(), 2u);
}

TEST(ReadQuestion, NamesWhatIsWrong) {
  const std::string pod = R"("pod":)" + object("p");
  expect_error("{}", "missing-field", "pod");
  expect_error(R"({"pod":null})", "missing-field", "pod");
  expect_error("[]", "wrong-type", "");
  expect_error(R"({"pod":{"metadata":{"name":"p"},"spec":{"priority":"x"}}})", "wrong-type",
               "pod.spec.priority");
  expect_error("{" + pod + R"(,"nodes":{}})", "wrong-type", "nodes");
  expect_error("{" + pod + R"(,"nodes":[7]})", "wrong-type", "nodes[0]");
  expect_error("{" + pod + R"(,"pods":[)" + object("a") + "," + pod_with_memory("b", "x") + "]}",
               "quantity-malformed", "pods[1].spec.containers[1].resources.requests.memory");
  expect_error("{" + pod + R"(,"offset":-1})", "out-of-range", "offset");
  expect_error("{" + pod + R"(,"quota":1.5})", "wrong-type", "quota");
  expect_error("{" + pod + R"(,"start":-1})", "out-of-range", "start");
  expect_error("{" + pod + R"(,"services":[{}]})", "missing-field", "services[0].metadata");
  expect_error("{" + pod + R"(,"quota":99999999999999999999})", "out-of-range", "quota");
}

TEST(ReadQuestion, RefusesTwoObjectsOfOneName) {
  const std::string pod = R"("pod":)" + object("p");
  const std::string two = "[" + object("a") + "," + object("b") + "," + object("a") + "]";
  expect_error("{" + pod + R"(,"nodes":)" + two + "}", "duplicate-object", "nodes[2]");
  expect_error("{" + pod + R"(,"pods":)" + two + "}", "duplicate-object", "pods[2]");
  expect_error("{" + pod + R"(,"pdbs":)" + two + "}", "duplicate-object", "pdbs[2]");
  expect_error("{" + pod + R"(,"services":)" + two + "}", "duplicate-object", "services[2]");
}

TEST(ReadQuestion, KnowsThePreemptorByUid) {
  const std::string mine = R"({"metadata":{"name":"p","uid":"1"}})";
  const std::string other = R"({"metadata":{"name":"p","uid":"2"}})";
  EXPECT_TRUE(question_of(R"({"pod":)" + mine + R"(,"pods":[)" + mine + "," + other + "]}"));
  expect_error(R"({"pod":)" + mine + R"(,"pods":[)" + other + "," + other + "]}", "duplicate-object",
               "pods[1]");
}

TEST(ReadQuestion, AcceptsSumsOfANodeUpToTheEndOfInt64) {
  const std::string elsewhere =
      R"({"metadata":{"name":"c"},"spec":{"nodeName":"m","overhead":{"memory":"7Ei"}}})";
  const std::string ended =
      R"({"metadata":{"name":"d"},"spec":{"nodeName":"n","overhead":{"memory":"7Ei"}},"status":{"phase":"Failed"}})";
  EXPECT_TRUE(question_of(R"({"nodes":[)" + node_with_memory("n", "7Ei") + R"(],"pods":[)" +
                          pod_with_memory("a", "4Ei") + "," + pod_with_memory("b", "4611686018427387903") +
                          "," + elsewhere + "," + ended + R"(],"pod":{"metadata":{"name":"p"}}})"));
}

TEST(ReadQuestion, RefusesSumsOfANodeBeyondInt64) {
  expect_error(R"({"pod":{"metadata":{"name":"p"}},"pods":[)" + pod_with_memory("a", "4Ei") + "," +
                   pod_with_memory("b", "4Ei") + "]}",
               "quantity-overflow", "pods[1].spec.containers[1].resources.requests.memory");
  expect_error(
      R"({"pod":{"metadata":{"name":"p"},"spec":{"containers":[{"resources":{"requests":{"memory":"7Ei"}}}],)"
      R"("overhead":{"memory":"7Ei"}}}})",
      "quantity-overflow", "pod.spec.overhead.memory");
}

}  // namespace
}  // namespace touchstone::kubernetes::question_test
