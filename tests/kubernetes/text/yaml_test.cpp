#include "kubernetes/text/yaml.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"

namespace touchstone::kubernetes::yaml_test {
namespace {

using Texts = std::vector<std::string>;

/// The documents, or "code path" of the error.
Texts read(const std::string& yaml, const std::string& name = "a.yaml") {
  const Result<Texts> documents = yaml_to_json(yaml, name);
  if (documents) return documents.value();
  EXPECT_FALSE(documents.error().message.empty()) << yaml;
  return {documents.error().code + " " + documents.error().path};
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

struct Case {
  std::string yaml;
  std::string answer;
};

void expect_each(const std::vector<Case>& cases) {
  for (const auto& [yaml, answer] : cases) EXPECT_EQ(read(yaml), Texts{answer}) << yaml;
}

TEST(Yaml, BecomesJson) {
  expect_each({
      {"a: 1\nb:\n- x\n- v: z\n  w: [1, {}]\nc: {}\nd: []\n",
       R"({"a":1,"b":["x",{"v":"z","w":[1,{}]}],"c":{},"d":[]})"},
      {"- - a\n  - b\n- []\n-\n", R"([["a","b"],[],null])"},
      {"a:\nb: ~\n", R"({"a":null,"b":null})"},
      {"{a, b: 1}", R"({"a":null,"b":1})"},
      {R"({"a": [1, "x", true, null, {"b": -1.5e3}]})", R"({"a":[1,"x",true,null,{"b":-1.5e3}]})"},
      {"# comment\na: x # comment\n", R"({"a":"x"})"},
      {"a: 1\nb: 2\na: 3\n", R"({"a":1,"b":2,"a":3})"},
      {"x: !!set {a, b}\nz: !!omap [a: 1]\n", R"({"x":{"a":null,"b":null},"z":[{"a":1}]})"},
  });
}

TEST(Yaml, MakesStringsOfKeys) {
  expect_each({
      {"{1: a, 0x10: b, true: c, off: d, 1.50: e, 'x': f, 2026-11-21: g, ? h : 1}",
       R"({"1":"a","16":"b","true":"c","false":"d","1.5":"e","x":"f","2026-11-21":"g","h":1})"},
      {"a: &x 5\n*x : 1\n", R"({"a":5,"5":1})"},
      {"&k 5: x\nb: *k\n", R"({"5":"x","b":5})"},
  });
}

TEST(Yaml, KeepsTextThatJsonHasToEscape) {
  expect_each({
      {R"("\0\a\t\n\e\"\\\/\x41\u00e9\U0001F600\x7f")", R"("\u0000\u0007\u0009\n\u001b\"\\/Aé😀)"
                                                        "\x7f\""},
      {"'it''s \"\\ \xc3\xa9'", "\"it's \\\"\\\\ \xc3\xa9\""},
      {"a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\n",
       R"({"a":"x\n y\n","b":"x y\nz","c":"x\n\n"})"},
      {"a: x\n  y\n\n  z\nb: 'x\n  y'\n", R"({"a":"x y\nz","b":"x y"})"},
  });
}

TEST(Yaml, LeavesEmptyDocumentsOut) {
  EXPECT_EQ(read(""), Texts{});
  EXPECT_EQ(Result<Texts>(yaml_to_json({}, "")).value(), Texts{});
  EXPECT_EQ(read("# nothing\n\n"), Texts{});
  EXPECT_EQ(read("---\n---\n# nothing\n---\n"), Texts{});
  EXPECT_EQ(read("---\na: 1\n---\n---\nb: 2\n...\n---\n- c\n"),
            (Texts{R"({"a":1})", R"({"b":2})", R"(["c"])"}));
  EXPECT_EQ(read("--- ~\n--- ''\n--- !!str\n"), (Texts{"null", "\"\"", "\"\""}));
}

TEST(Yaml, MayBeUtf16) {
  using namespace std::string_literals;
  EXPECT_EQ(read("\xff\xfe"
                 "a\0:\0 \0\xe9\0"s),
            Texts{"{\"a\":\"\xc3\xa9\"}"});
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a: 1"s),
            Texts{R"({"a":1})"});
}

TEST(Alias, IsACopy) {
  expect_each({
      {"a: &x {b: [1, 'c']}\nd: *x\ne: [*x, *x]\n",
       R"({"a":{"b":[1,"c"]},"d":{"b":[1,"c"]},"e":[{"b":[1,"c"]},{"b":[1,"c"]}]})"},
      {"[&x 1, *x, &x two, *x]", R"([1,1,"two","two"])"},
      {"[&x [&y a, *y], *x, *y]", R"([["a","a"],["a","a"],"a"])"},
      {"[&x , *x]", "[null,null]"},
      {"[&x [&x 1, *x], *x]", "[[1,1],1]"},
  });
}

TEST(Alias, HasToStandBehindItsAnchorInTheSameDocument) {
  EXPECT_EQ(read("a: 1\nb: *x\n"), Texts{"yaml-malformed a.yaml: line 2, column 4"});
  EXPECT_EQ(read("--- &x 1\n--- *x\n"), Texts{"yaml-malformed a.yaml: line 2, column 5"});
  EXPECT_EQ(read("&x [1, *x]"), Texts{"yaml-unsupported a.yaml: line 1, column 8"});
  EXPECT_EQ(read("- &x 1\n- &x {a: *x}\n"), Texts{"yaml-unsupported a.yaml: line 2, column 10"});
}

TEST(Alias, MayNotMultiplyWithoutBound) {
  std::string laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated(alias + ",", 9) + "]\n";
  }
  EXPECT_EQ(read(laughs), Texts{"input-too-large a.yaml: line 7, column 46"});

  const std::string mebibyte = "- &x " + std::string(std::size_t{1} << 20, 'a') + "\n";
  EXPECT_EQ(read(mebibyte + repeated("- *x\n", 62))[0].front(), '[');
  EXPECT_EQ(read(mebibyte + repeated("- *x\n", 64)), Texts{"input-too-large a.yaml: line 64, column 3"});
  // The content of anchors counts, too.
  std::string nested;
  for (int i = 0; i < 64; ++i) nested += "[&x" + std::to_string(i) + " ";
  EXPECT_EQ(read(nested + mebibyte.substr(5) + repeated("]", 64)),
            Texts{"input-too-large a.yaml: line 2, column 63"});
  const std::string merged = repeated("{<<: ", 70) + "{a: " + mebibyte.substr(5) + repeated("}", 71);
  EXPECT_EQ(read(merged), Texts{"input-too-large a.yaml: line 2, column 64"});
}

TEST(MergeKey, AddsMembersThatTheMappingHasNot) {
  expect_each({
      {"<<: {a: 1, b: 2}\nb: 3\nc: 4\n", R"({"b":3,"c":4,"a":1})"},
      {"b: 3\n<<: {a: 1, b: 2}\n", R"({"b":3,"a":1})"},
      {"x: &x {a: 1}\nz:\n  <<: *x\n  c: [{}]\n", R"({"x":{"a":1},"z":{"c":[{}],"a":1}})"},
      {"<<: [{a: 1}, {a: 2, b: 3}, {b: 4, c: 5}]\n", R"({"a":1,"b":3,"c":5})"},
      {"- &x {a: 1}\n- &y {b: '},\"{'}\n- {<<: [*x, *y], c: {a: 9}}\n",
       R"([{"a":1},{"b":"},\"{"},{"c":{"a":9},"a":1,"b":"},\"{"}])"},
      {"<<: {<<: {a: 1, b: 2}, a: 3}\nb: 4\n", R"({"b":4,"a":3})"},
      {"{<<: {}, a: 1}", R"({"a":1})"},
      {"{<<: [], a: 1}", R"({"a":1})"},
      {"{a: {<<: &x {b: [1]}}, c: *x}", R"({"a":{"b":[1]},"c":{"b":[1]}})"},
      {"!!merge <<: {a: 1}", R"({"a":1})"},
      {"<<: {a: 1, a: 2}", R"({"a":1,"a":2})"},
  });
}

TEST(MergeKey, IsAPlainKeyOnly) {
  expect_each({
      {"'<<': 1", R"({"<<":1})"},
      {"!!str <<: 1", R"({"<<":1})"},
      {"[<<]", R"(["<<"])"},
      {"a: <<", R"({"a":"<<"})"},
  });
}

TEST(MergeKey, MergesMappingsOnceAMapping) {
  expect_each({
      {"a:\n  <<: 5\n", "yaml-malformed a.yaml: line 2, column 7"},
      {"<<:\n", "yaml-malformed a.yaml: line 1, column 4"},
      {"<<: [{a: 1}, 5]", "yaml-malformed a.yaml: line 1, column 15"},
      {"<<: {a: 1}\n<<: {b: 1}\n", "yaml-unsupported a.yaml: line 2, column 1"},
  });
}

TEST(Yaml, RefusesKeysThatAreNoScalars) {
  expect_each({
      {"? [a]\n: 1\n", "yaml-unsupported a.yaml: line 1, column 3"},
      {"a: 1\n{b: c}: 1\n", "yaml-unsupported a.yaml: line 2, column 1"},
      {"~: 1", "yaml-unsupported a.yaml: line 1, column 1"},
      {"a: &x []\n*x : 1\n", "yaml-unsupported a.yaml: line 2, column 1"},
  });
}

TEST(Yaml, SaysWhereItIsMalformed) {
  using namespace std::string_literals;
  expect_each({
      {"a: 1\nb: c: d\n", "yaml-malformed a.yaml: line 2, column 5"},
      {"a:\n\t- b\n", "yaml-malformed a.yaml: line 2, column 1"},
      {"a: [1, 2\n", "yaml-malformed a.yaml: line 2, column 1"},
      {"a: 'x\n", "yaml-malformed a.yaml: line 2, column 1"},
      {"a: \"\\q\"\n", "yaml-malformed a.yaml: line 1, column 5"},
      {"a: x\0y"s, "yaml-malformed a.yaml: byte 5"},
      {"a: \xff\n", "yaml-malformed a.yaml: byte 4"},
      {"\x1f\x8b\x08\0\0"s, "yaml-malformed a.yaml: byte 1"},
      {"\x7f"
       "ELF",
       "yaml-malformed a.yaml: byte 1"},
      {"\xed\xa0\x80", "yaml-malformed a.yaml: byte 1"},
  });
  EXPECT_EQ(read("a: ]", ""), Texts{"yaml-malformed line 1, column 4"});
}

TEST(Yaml, LimitsDepth) {
  EXPECT_EQ(read(repeated("[", 1000) + repeated("]", 1000)),
            Texts{repeated("[", 1000) + repeated("]", 1000)});
  for (const char* step : {"[", "- ", "[\n", "{a: "}) {
    const std::string error = read(repeated(step, 100000))[0];
    EXPECT_TRUE(error.starts_with("yaml-malformed a.yaml: line ")) << step << error;
  }
  std::string block;
  for (std::size_t i = 0; i < 1001; ++i) block += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(read(block), Texts{"yaml-malformed a.yaml: line 1001, column 1001"});
}

}  // namespace
}  // namespace touchstone::kubernetes::yaml_test
