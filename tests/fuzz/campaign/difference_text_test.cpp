#include "fuzz/campaign/difference_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/yaml.hpp"

namespace touchstone::fuzz {

TEST(DifferenceText, KeepsTables) {
  const oracle::Section section{"Node n1",
                                {{{"without evictions"}, "PRE-FIT-2"},
                                 {{"default/a", "priority 5", "stays"}, "PRE-VICTIM-6"},
                                 {{"default/longer", "priority 1000", "is a victim"}, "PRE-VICTIM-6"}}};
  EXPECT_EQ(text_of(section),
            "  Node n1\n"
            "    without evictions  [PRE-FIT-2]\n"
            "    default/a       priority 5     stays  [PRE-VICTIM-6]\n"
            "    default/longer  priority 1000  is a victim  [PRE-VICTIM-6]\n");
}

TEST(DifferenceText, IsYamlOfTheCluster) {
  const Result<Question> question = kubernetes::read_question_text(
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"1"}}}],"pod":{"metadata":)"
      R"({"name":"p","namespace":"default"},"spec":{"priority":1,"containers":[{"name":"c"}]}}})",
      "question");
  const std::string text = as_comment("a: differs\n\n  from b\n") + cluster_as_yaml(question.value());
  EXPECT_TRUE(text.starts_with("# a: differs\n#\n#   from b\napiVersion: v1\nkind: List\n")) << text;
  const Result<std::vector<std::string>> documents = kubernetes::yaml_to_json(text, "");
  ASSERT_TRUE(documents);
  ASSERT_EQ(documents.value().size(), 1u);
  const oracle::Json list = oracle::Json::parse(documents.value()[0]);
  EXPECT_EQ(list["items"].size(), 2u);
  EXPECT_EQ(list["items"][1]["kind"], "Pod");
  EXPECT_EQ(list["items"][1]["spec"]["containers"][0]["name"], "c");
}

TEST(DifferenceText, NamesFilesAsAnotherMachineDoes) {
  EXPECT_EQ(portable("build/./out/a.json"), "build/out/a.json");
  EXPECT_EQ(portable(std::filesystem::current_path() / "out" / "a.json"), "out/a.json");
  EXPECT_EQ(portable("/nowhere/out/a.json"), "a.json");
}

}  // namespace touchstone::fuzz
