#include "reference/filters/labels.hpp"

#include <gtest/gtest.h>

namespace touchstone::reference::labels_test {

namespace {

const Labels k_labels = {{"app", "web"}, {"gen", "12"}, {"example.com/tier", "gold"}, {"empty", ""}};

bool holds(const std::string& key, const std::string& op, std::vector<std::string> values = {}) {
  return matches(std::vector<Requirement>{{key, op, std::move(values)}}, k_labels);
}

}  // namespace

// PRE-NODEAFFINITY-3
TEST(Matches, KnowsEveryOperator) {
  EXPECT_TRUE(holds("app", "In", {"db", "web"}));
  EXPECT_FALSE(holds("app", "In", {"db"}));
  EXPECT_FALSE(holds("none", "In", {"web"}));
  EXPECT_TRUE(holds("app", "NotIn", {"db"}));
  EXPECT_FALSE(holds("app", "NotIn", {"web"}));
  EXPECT_TRUE(holds("none", "NotIn", {"web"}));
  EXPECT_TRUE(holds("app", "Exists"));
  EXPECT_FALSE(holds("none", "Exists"));
  EXPECT_TRUE(holds("none", "DoesNotExist"));
  EXPECT_FALSE(holds("app", "DoesNotExist"));
  EXPECT_TRUE(holds("gen", "Gt", {"11"}));
  EXPECT_FALSE(holds("gen", "Gt", {"12"}));
  EXPECT_TRUE(holds("gen", "Lt", {"13"}));
  EXPECT_FALSE(holds("gen", "Lt", {"12"}));
  EXPECT_FALSE(holds("none", "Gt", {"1"}));
  EXPECT_FALSE(holds("app", "Gt", {"1"}));
  EXPECT_TRUE(holds("empty", "In", {""}));
  EXPECT_FALSE(holds("empty", "Lt", {"1"}));
}

// PRE-NODEAFFINITY-3
TEST(Matches, LetsAnInvalidRequirementMatchNothing) {
  EXPECT_FALSE(holds("app", "In"));
  EXPECT_FALSE(holds("none", "NotIn"));
  EXPECT_FALSE(holds("app", "Exists", {"web"}));
  EXPECT_FALSE(holds("none", "DoesNotExist", {"web"}));
  EXPECT_FALSE(holds("gen", "Gt", {"1", "2"}));
  EXPECT_FALSE(holds("gen", "Gt", {"one"}));
  EXPECT_FALSE(holds("gen", "Gt", {"1x"}));
  EXPECT_FALSE(holds("gen", "Gt", {"99999999999999999999"}));
  EXPECT_FALSE(holds("gen", "Gt", {""}));
  EXPECT_FALSE(holds("app", "Is", {"web"}));
  EXPECT_FALSE(holds("app", "", {"web"}));
}

// PRE-NODEAFFINITY-3: a key or value that no label can have makes the selector invalid, even with NotIn.
TEST(Matches, LetsWhatIsNoLabelMatchNothing) {
  for (const char* key : {"", "-app", "app-", "a b", "a/b/c", "/app", "Example.com/x", "example..com/x",
                          "example-.com/x", ".com/x", "-a/x", "a-/x", "a./x", "example.com/", "ex_ample/x"}) {
    EXPECT_FALSE(holds(key, "DoesNotExist")) << key;
  }
  EXPECT_FALSE(holds(std::string(64, 'k'), "DoesNotExist"));
  EXPECT_TRUE(holds(std::string(63, 'k'), "DoesNotExist"));
  EXPECT_FALSE(holds(std::string(254, 'd') + "/k", "DoesNotExist"));
  EXPECT_TRUE(holds(std::string(253, 'd') + "/k", "DoesNotExist"));
  EXPECT_TRUE(holds("a-1.b-2/K_x.y", "DoesNotExist"));
  EXPECT_TRUE(holds("example.com/tier", "In", {"gold"}));
  EXPECT_TRUE(holds("app", "NotIn", {"we-b_1.x"}));
  // A name may have capital letters, the domain before the slash may not.
  for (const char* character : {"A", "Z", "a", "z", "0", "9"})
    EXPECT_TRUE(holds(character, "DoesNotExist")) << character;
  for (const char* letter : {"A", "Z"})
    EXPECT_FALSE(holds(letter + std::string("/x"), "DoesNotExist")) << letter;
  for (const char* letter : {"a", "z"})
    EXPECT_TRUE(holds(letter + std::string("/x"), "DoesNotExist")) << letter;
  for (const char* value : {"-web", "web-", "we b", "w/b", "w{b", "w[b", "w@b"})
    EXPECT_FALSE(holds("app", "NotIn", {value})) << value;
}

// PRE-PDB-2: an invalid selector matches nothing, not even a pod with that label.
TEST(Matches, LetsASelectorThatCannotBeConvertedMatchNothing) {
  const Labels odd = {{"a b", "x"}, {"app", "a b"}, {"gen", "12"}};
  EXPECT_FALSE(matches(LabelSelector{{{"a b", "x"}}, {}}, odd));
  EXPECT_FALSE(matches(LabelSelector{{{"app", "a b"}}, {}}, odd));
  for (const char* op : {"Gt", "Lt"}) {
    EXPECT_FALSE(matches(LabelSelector{{}, {{"gen", op, {"12"}}}}, odd)) << op;
    EXPECT_FALSE(is_valid(LabelSelector{{}, {{"gen", op, {"12"}}}})) << op;
  }
  EXPECT_TRUE(matches(LabelSelector{{{"gen", "12"}}, {}}, odd));
}

// PRE-PDB-2
TEST(Matches, AndsLabelsAndExpressions) {
  EXPECT_TRUE(matches(LabelSelector{{{"app", "web"}}, {{"gen", "Exists", {}}}}, k_labels));
  EXPECT_FALSE(matches(LabelSelector{{{"app", "web"}}, {{"gen", "DoesNotExist", {}}}}, k_labels));
  EXPECT_FALSE(matches(LabelSelector{{{"app", "db"}}, {}}, k_labels));
  EXPECT_TRUE(matches(LabelSelector{}, k_labels));
  EXPECT_FALSE(matches(LabelSelector{{}, {{"gen", "Gt", {"1"}}}}, k_labels));
  EXPECT_FALSE(matches(LabelSelector{{}, {{"gen", "Lt", {"99"}}}}, k_labels));
  EXPECT_TRUE(is_empty(LabelSelector{}));
  EXPECT_FALSE(is_empty(LabelSelector{{{"app", "web"}}, {}}));
  EXPECT_FALSE(is_empty(LabelSelector{{}, {{"app", "Exists", {}}}}));
}

}  // namespace touchstone::reference::labels_test
