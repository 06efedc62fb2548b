#include "kubernetes/write/yaml_written.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "kubernetes/text/yaml.hpp"

namespace touchstone::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

/// Converts YAML to JSON. After an error, returns its code.
Json read_back(const std::string& yaml) {
  const Result<std::vector<std::string>> documents = yaml_to_json(yaml, "");
  if (!documents) return documents.error().code;
  return documents.value().size() == 1 ? Json::parse(documents.value()[0]) : Json("not one document");
}

TEST(YamlOf, LooksLikeKubectl) {
  const Json json = Json::parse(R"({"kind":"Pod","apiVersion":"v1",
    "metadata":{"name":"a","labels":{"on":"yes","1":"5","empty":""},"creationTimestamp":"2026-11-21T10:00:00Z"},
    "spec":{"priority":-5,"ratio":0.5,"ready":true,"nodeName":null,"containers":[{"name":"c: d","ports":[80,443],
    "args":["run","- x","#y"]},{}],"volumes":[],"nested":[["a"],[]],"script":"a\n  b\n","note":"über 日本"}})");
  EXPECT_EQ(yaml_of(json), R"(kind: Pod
apiVersion: v1
metadata:
  name: a
  labels:
    "on": "yes"
    "1": "5"
    empty: ""
  creationTimestamp: "2026-11-21T10:00:00Z"
spec:
  priority: -5
  ratio: 0.5
  ready: true
  nodeName: null
  containers:
  - name: 'c: d'
    ports:
    - 80
    - 443
    args:
    - run
    - '- x'
    - '#y'
  - {}
  volumes: []
  nested:
  - - a
  - []
  script: |
    a
      b
  note: über 日本
)");
}

TEST(YamlOf, DoesNotFoldLongLines) {
  std::string text = "word";
  for (int i = 0; i < 100; ++i) text += " word";
  EXPECT_EQ(yaml_of(Json{{"a", text}}), "a: " + text + "\n");
  EXPECT_EQ(yaml_of(Json{{"a", "\t" + text}}), "a: \"\\t" + text + "\"\n");
}

TEST(YamlOf, EscapesWhatOnlySomeReadersTakeForALineBreak) {
  EXPECT_EQ(yaml_of("a\u2028b"), "\"a\\Lb\"\n");
  EXPECT_EQ(yaml_of("a\nb\u2029c"), "\"a\\nb\\Pc\"\n");
}

TEST(YamlOf, KeepsTheOrderOfMembers) { EXPECT_EQ(yaml_of(Json::parse(R"({"b":1,"a":2})")), "b: 1\na: 2\n"); }

TEST(YamlOf, WritesAnyDepth) {
  Json json = Json::array();
  for (int i = 0; i < 900; ++i)
    json = i % 2 == 0 ? Json{{"a", std::move(json)}} : Json::array({std::move(json)});
  EXPECT_EQ(read_back(yaml_of(json)), json);
}

TEST(YamlOf, IsReadBackAsTheSameText) {
  for (const char* text :
       {"",       " ",        "\n",     "\n\n",       " a",         "a ",        "a\n",    "a\n\n",
        "\na",    "\n a",     "a\nb",   "a \nb",      " a\nb",      "a\n b",     "\ta\nb", "a\tb",
        "a\r\nb", "\r",       "a\n \n", "#a",         "a #b",       "a: b",      "a:",     ": a",
        "- a",    "-",        "? a",    "[a]",        "{a",         "&a",        "*a",     "!a",
        "|",      "> a",      "%a",     "@a",         "`a",         "'",         "\"",     "\\",
        "---",    "...",      "--- a",  "~",          "null",       "yes",       "5",      "0x1F",
        "1e3",    ".inf",     "<<",     "=",          "1:30",       "é",         "日本",   "😀",
        "\u0085", "a\u0085b", "\u2028", "a\n\u2029b", "\ufeff",     "a\n\ufeff", "\x7f",   "\x01",
        "\u00a0", "a\n# b\n", "---\n",  "a\n...\nb",  "2026-11-21", "  a\n b\n", "\n  a\n"}) {
    EXPECT_EQ(read_back(yaml_of(text)), text) << yaml_of(text);
    EXPECT_EQ(read_back(yaml_of(Json{{text, {text, {{"a", text}}}}})), (Json{{text, {text, {{"a", text}}}}}))
        << text;
  }
  const std::string nul("a\0b", 3);
  EXPECT_EQ(read_back(yaml_of(nul)), nul);
  const std::string long_key(3000, 'k');
  EXPECT_EQ(read_back(yaml_of(Json{{long_key, 1}, {"a", 2}})), (Json{{long_key, 1}, {"a", 2}}));
}

/// ByteSource of random texts. YAML might interpret them as syntax, or as another type.
const std::vector<std::string> k_pieces = {"a", "b c", "\n", " ",      ":",  ": ",  "- ",   "#",  " #",
                                           "5", "0x",  "e",  ".",      "'",  "\"",  "\\",   "\t", "{",
                                           "]", ",",   "é",  "\u2028", "😀", "yes", "~",    "&",  "*",
                                           "!", "|",   "%",  "\r",     "?",  "<<",  "\x01", "-",  "\u0085"};

std::string random_text(std::mt19937_64& random) {
  std::string text;
  for (std::size_t n = random() % 6; n > 0; --n) text += k_pieces[random() % k_pieces.size()];
  return text;
}

Json random_scalar(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<std::int64_t>(random()) >> (random() % 64);
    case 3:
      return random();
    case 4:
      return static_cast<double>(static_cast<std::int64_t>(random())) * 1e-20;
    default:
      return random_text(random);
  }
}

/// A random list or object. It grows by `members` values; each is added to a list or object that exists
/// already.
Json random_json(std::mt19937_64& random, std::size_t members) {
  Json root = random() % 2 == 0 ? Json::array() : Json::object();
  for (; members > 0; --members) {
    Json* at = &root;
    while (!at->empty() && random() % 4 != 0) {
      Json& next = *std::next(at->begin(), static_cast<std::ptrdiff_t>(random() % at->size()));
      if (!next.is_structured()) break;
      at = &next;
    }
    Json value = random_scalar(random);
    if (random() % 3 == 0) value = random() % 2 == 0 ? Json::array() : Json::object();
    if (at->is_array()) {
      at->push_back(std::move(value));
    } else {
      (*at)[random_text(random)] = std::move(value);
    }
  }
  return root;
}

TEST(YamlOf, IsReadBackAsTheSameJson) {
  std::mt19937_64 random(1);
  for (int run = 0; run < 2000; ++run) {
    const Json json = random_json(random, random() % 20);
    const std::string yaml = yaml_of(json);
    ASSERT_EQ(read_back(yaml).dump(), json.dump()) << yaml;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes
