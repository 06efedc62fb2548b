#include "kubernetes/objects/selecting.hpp"

#include <gtest/gtest.h>

#include <string>

namespace touchstone::kubernetes::selecting_test {
namespace {

/// Reads an object of this kind with the members of a spec.
SelectingObject read(std::string_view kind, const std::string& spec) {
  const Result<Document> document =
      Document::parse(R"({"metadata":{"name":"a","namespace":"x"},"spec":{)" + spec + "}}", "");
  return read_selecting(document.value().root(), *selecting_kind(kind));
}

/// Code and path of the error; empty if there is none.
std::string error_of(std::string_view kind, const std::string& json) {
  const Result<Document> document = Document::parse(json, "");
  try {
    read_selecting(document.value().root(), *selecting_kind(kind));
    return "";
  } catch (const InvalidInput& invalid) {
    return invalid.error.code + " " + invalid.error.path;
  }
}

}  // namespace

TEST(SelectingKinds, AreInTheOrderOfTheirValues) {
  for (std::size_t i = 0; i < k_selecting_kinds.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(k_selecting_kinds.at(i).kind), i);
  EXPECT_EQ(selecting_kind("Deployment"), nullptr);
}

TEST(ReadSelecting, TakesTheLabelsOfAServiceAndOfAReplicationController) {
  for (const std::string_view kind : {"Service", "ReplicationController"}) {
    const SelectingObject object = read(kind, R"("selector":{"app":"web","tier":"a"},"ports":[{"port":80}])");
    EXPECT_EQ(object.kind, selecting_kind(kind)->kind);
    EXPECT_EQ(object.ns, "x");
    EXPECT_EQ(object.name, "a");
    EXPECT_EQ(object.selector, (LabelSelector{{{"app", "web"}, {"tier", "a"}}, {}}));
  }
}

TEST(ReadSelecting, TakesTheSelectorOfAReplicaSetAndOfAStatefulSet) {
  for (const std::string_view kind : {"ReplicaSet", "StatefulSet"}) {
    const SelectingObject object = read(kind, R"("selector":{"matchLabels":{"app":"web"},
      "matchExpressions":[{"key":"k","operator":"In","values":["v"]}]},"template":{})");
    EXPECT_EQ(object.kind, selecting_kind(kind)->kind);
    EXPECT_EQ(object.selector, (LabelSelector{{{"app", "web"}}, {{"k", "In", {"v"}}}}));
  }
}

TEST(ReadSelecting, TellsAMissingSelectorFromAnEmptyOne) {
  for (const SelectingNames& kind : k_selecting_kinds) {
    EXPECT_FALSE(read(kind.name, "").selector);
    EXPECT_FALSE(read(kind.name, R"("selector":null)").selector);
    EXPECT_EQ(read(kind.name, R"("selector":{})").selector, LabelSelector{});
    EXPECT_EQ(error_of(kind.name, R"({"metadata":{"name":"a"}})"), "");
  }
}

TEST(ReadSelecting, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(error_of("Service", R"({"spec":{}})"), "missing-field metadata");
  EXPECT_EQ(error_of("Service", R"({"metadata":{"name":"a"},"spec":{"selector":{"k":1}}})"),
            "wrong-type spec.selector.k");
  EXPECT_EQ(error_of("ReplicationController", R"({"metadata":{"name":"a"},"spec":{"selector":[]}})"),
            "wrong-type spec.selector");
  EXPECT_EQ(error_of("ReplicaSet", R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":[]}}})"),
            "wrong-type spec.selector.matchLabels");
}

}  // namespace touchstone::kubernetes::selecting_test
