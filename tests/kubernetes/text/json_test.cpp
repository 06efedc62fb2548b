#include "kubernetes/text/json.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace touchstone::kubernetes::json_test {
namespace {

constexpr Quantity k_min = std::numeric_limits<Quantity>::min();
constexpr Quantity k_max = std::numeric_limits<Quantity>::max();

std::string parse_code(std::string_view json) {
  const Result<Document> document = Document::parse(json, "");
  return document ? "value" : document.error().code;
}

/// "code path" of the error that reading throws; empty if it throws none.
std::string failure(std::string_view json, const std::function<void(const Value&)>& read,
                    const std::string& source_name = "") {
  const Result<Document> document = Document::parse(json, source_name);
  if (!document) return document.error().code;
  const Value root = document.value().root();
  try {
    read(root);
    return "";
  } catch (const InvalidInput& invalid) {
    return invalid.error.code + " " + invalid.error.path;
  }
}

std::string number_text(std::string_view json) {
  const Result<Document> document = Document::parse(json, "");
  return document ? document.value().root().number_or_string() : document.error().code;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Document, TakesAnyJsonValue) {
  for (const char* json : {"{}", "[]", "null", "\"a\"", "1", "-1.5e3", " {} \n", "[1, 2.5, true]"}) {
    EXPECT_EQ(parse_code(json), "value") << json;
  }
}

TEST(Document, RefusesWhatIsNotOneJsonValue) {
  const std::vector<std::string> texts = {"",
                                          " ",
                                          "{",
                                          "{\"a\":1",
                                          "[1,",
                                          "\"a",
                                          "{}{}",
                                          "{} x",
                                          "{'a':1}",
                                          "[1,]",
                                          "{\"a\"}",
                                          "tru",
                                          "01",
                                          "1.",
                                          ".5",
                                          "1e",
                                          "+1",
                                          "--1.5",
                                          "1.5.5",
                                          "[1.5abc]",
                                          "nan",
                                          "\"\x01\"",
                                          "\"\\x\"",
                                          "\"\xff\"",
                                          "\"\\",
                                          "-",
                                          "{\"a\":00.5}",
                                          "\x1f\x8b",
                                          "1.5\"a\"",
                                          "[-]",
                                          "\xef\xbb\xbf{}",
                                          std::string("{}\0", 3),
                                          "\"\xed\xa0\x80\"",
                                          "0x1.8p1"};
  for (const std::string& text : texts) EXPECT_EQ(parse_code(text), "json-malformed") << text;
}

TEST(Document, LimitsDepth) {
  EXPECT_EQ(parse_code(nested(1000)), "value");
  EXPECT_EQ(parse_code(nested(1100)), "json-malformed");
  EXPECT_EQ(parse_code(nested(1000000)), "json-malformed");
  EXPECT_EQ(parse_code(std::string(1000000, '[')), "json-malformed");
}

TEST(Document, TellsLineAndColumnOfWhatIsWrong) {
  struct Case {
    std::string json;
    std::string place;
  };
  const std::vector<Case> cases = {
      {"{\"a\":1,}", "line 1, column 8: unexpected '}'"},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: unexpected '\"'"},
      {"{\"a\": 1.25,\n \"b\": [1.5, 1.5, tru]}", "line 2, column 21: unexpected ']'"},
      {"[1,\n", "line 2, column 1: the text ends too early"},
      {"{\"a\": \"x", "line 1, column 9: the text ends too early"},
      {"{}\n{}", "line 2, column 1: unexpected '{'"},
      {"[\"\xff\"]", "line 1, column 3: unexpected byte 0xff"},
      {std::string("[\0]", 3), "line 1, column 2: unexpected byte 0x00"},
      {"[1e999, 1", "improper structure"},
      {std::string(100000, '[') + std::string(100000, ']'), "deep"},
  };
  for (const Case& c : cases) {
    const Result<Document> document = Document::parse(c.json, "");
    ASSERT_FALSE(document) << c.json;
    EXPECT_NE(document.error().message.find(c.place), std::string::npos) << c.json.substr(0, 40) << "\n"
                                                                         << document.error().message;
  }
}

TEST(Document, NamesItsSourceWhenMalformed) {
  const Result<Document> document = Document::parse("{", "cluster.json");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().path, "cluster.json");
}

TEST(Value, KeepsTheTextOfNumbers) {
  for (const char* text :
       {"0", "-1", "0.1", "1e3", "0.30000000000000000000000000001", "123456789012345678901234567890",
        "9223372036854775807", "18446744073709551616", "1E+400", "-0.5", "2.50"}) {
    EXPECT_EQ(number_text(text), text);
  }
  EXPECT_EQ(number_text("\"1.50\""), "1.50");
}

TEST(Value, KeepsNumbersApartFromTextThatLooksLikeThem) {
  const Result<Document> document = Document::parse(R"(["1.5", 1.5, 2.5, 1.5, "\"2.5", "\\", 3.5])", "");
  ASSERT_TRUE(document);
  const Value root = document.value().root();
  std::vector<std::string> texts;
  for (const Value element : root.elements()) texts.push_back(element.number_or_string());
  EXPECT_EQ(texts, (std::vector<std::string>{"1.5", "1.5", "2.5", "1.5", "\"2.5", "\\", "3.5"}));
}

TEST(Value, TreatsNullAsMissing) {
  EXPECT_EQ(failure(R"({"a":null})", [](const Value& v) { EXPECT_FALSE(v.find("a")); }), "");
  EXPECT_EQ(failure(R"({})", [](const Value& v) { EXPECT_FALSE(v.find("a")); }), "");
  EXPECT_EQ(failure(R"({"a":0})", [](const Value& v) { EXPECT_TRUE(v.find("a")); }), "");
}

TEST(Value, RefusesAKeyThatOccursTwice) {
  const auto find_a = [](const Value& v) { v.find("a"); };
  EXPECT_EQ(failure(R"({"a":1,"a":1})", find_a), "duplicate-key a");
  EXPECT_EQ(failure(R"({"a":null,"\u0061":1})", find_a), "duplicate-key a");
  EXPECT_EQ(failure(R"({"b":1,"b":1})", find_a), "");
}

TEST(Value, RefusesOtherTypes) {
  EXPECT_EQ(failure("1", [](const Value& v) { v.find("a"); }), "wrong-type ");
  EXPECT_EQ(failure("1", [](const Value& v) { v.string(); }), "wrong-type ");
  EXPECT_EQ(failure("1", [](const Value& v) { v.boolean(); }), "wrong-type ");
  EXPECT_EQ(failure("{}", [](const Value& v) { v.elements(); }), "wrong-type ");
  EXPECT_EQ(failure("[]", [](const Value& v) { v.members(); }), "wrong-type ");
  EXPECT_EQ(failure("true", [](const Value& v) { v.number_or_string(); }), "wrong-type ");
  EXPECT_EQ(failure("{}", [](const Value& v) { v.require("a"); }), "missing-field a");
}

TEST(Value, ReadsIntegersWithinBounds) {
  const auto integer = [](Quantity min, Quantity max) {
    return [=](const Value& v) { v.integer(min, max); };
  };
  for (const char* json : {"\"1\"", "1.0", "1e3", "true", "{}", "[1]"}) {
    EXPECT_EQ(failure(json, integer(k_min, k_max)), "wrong-type ") << json;
  }
  EXPECT_EQ(failure("5", integer(0, 5)), "");
  EXPECT_EQ(failure("6", integer(0, 5)), "out-of-range ");
  EXPECT_EQ(failure("-1", integer(0, 5)), "out-of-range ");
  EXPECT_EQ(failure("9223372036854775807", integer(0, k_max)), "");
  EXPECT_EQ(failure("-9223372036854775808", integer(k_min, 0)), "");
  EXPECT_EQ(failure("9223372036854775808", integer(0, k_max)), "out-of-range ");
  EXPECT_EQ(failure("99999999999999999999999", integer(0, k_max)), "out-of-range ");
}

TEST(Value, NamesItsPath) {
  const auto read = [](const Value& root) {
    const Value pods = root.require("pods");
    for (const Value pod : pods.elements()) {
      const Value requests = pod.require("requests");
      for (const Value member : requests.members()) member.boolean();
    }
  };
  const std::string plain = R"({"pods":[{"requests":{}},{"requests":{"ephemeral-storage":1}}]})";
  EXPECT_EQ(failure(plain, read), "wrong-type pods[1].requests.ephemeral-storage");
  EXPECT_EQ(failure(plain, read, "a.json"), "wrong-type a.json: pods[1].requests.ephemeral-storage");
  EXPECT_EQ(failure(R"({"pods":[{"requests":{"nvidia.com/gpu":1}}]})", read),
            "wrong-type pods[0].requests[nvidia.com/gpu]");
  EXPECT_EQ(failure(R"({"pods":[{"requests":{"":1}}]})", read), "wrong-type pods[0].requests[]");
}

TEST(Value, NamesTheObjectAroundIt) {
  const auto read = [](const Value& root) {
    const Value pod = root.as_object("Pod");
    const Value spec = pod.require("spec");
    spec.string();
  };
  const std::string json = R"({"metadata":{"name":"a"},"spec":1})";
  EXPECT_EQ(failure(json, read), "wrong-type spec");
  EXPECT_EQ(failure(json, read, "a.json"), "wrong-type a.json: (Pod default/a).spec");

  const Result<Document> document = Document::parse(json, "");
  ASSERT_TRUE(document);
  const Value root = document.value().root();
  EXPECT_EQ(root.object_name(), "");
  EXPECT_EQ(root.as_object("Pod").object_name(), "Pod default/a");
  EXPECT_EQ(root.as_object("Node").object_name(), "Node a");
}

TEST(Value, ComparesContentAtAnyDepth) {
  const std::string deep = nested(500);
  const Result<Document> document =
      Document::parse("[{\"a\":[1.5,\"x\"]},{\"a\": [1.5, \"x\"]},{\"a\":[1.50,\"x\"]}," + deep + "," + deep +
                          "," + nested(501) + "]",
                      "");
  ASSERT_TRUE(document);
  const Value root = document.value().root();
  std::vector<Value> values;
  for (const Value element : root.elements()) values.push_back(element);
  EXPECT_TRUE(values[0].same_content(values[1]));
  EXPECT_FALSE(values[0].same_content(values[2]));
  EXPECT_FALSE(values[1].same_content(values[2]));
  EXPECT_TRUE(values[3].same_content(values[4]));
  EXPECT_FALSE(values[3].same_content(values[5]));
}

TEST(Value, ComparesContentOfTwoDocuments) {
  struct Case {
    std::string a;
    std::string b;
    bool is_same;
  };
  // Only the last elements are compared. The elements before them give equal numbers different indexes in
  // their documents.
  const std::vector<Case> cases = {
      {R"([1.5, {"a":2.5,"b":[null,true,"x"]}])", R"([9.5, {"b":[null,true,"x"],"a":2.5}])", true},
      {"[1.5, 2.5]", "[9.5, 2.50]", false},
      {"[1.5, 2.5]", "[2.5, 1.5]", false},
      {"[1.5, 1]", "[1.5, 1.0]", false},
      {"[0, 123456789012345678901234567890]", "[0.5, 123456789012345678901234567890]", true},
      {"[0, 1]", "[0, \"1\"]", false},
      {"[0, true]", "[0, false]", false},
      {"[0, null]", "[0, false]", false},
      {"[0, \"a\"]", "[0, \"b\"]", false},
      {"[0, [1,2]]", "[0, [2,1]]", false},
      {"[0, [1]]", "[0, [1,1]]", false},
      {R"([0, {"a":1}])", R"([0, {"a":1,"b":1}])", false},
      {R"([0, {"a":1}])", R"([0, {"b":1}])", false},
      {R"([0, {"a":{"kind":1}}])", R"([0, {"a":{}}])", false},
      {R"([0, {"a":1,"kind":1}])", R"([0, {"a":1}])", true},
      {"[0, {}]", "[0, []]", false},
  };
  for (const Case& c : cases) {
    const Result<Document> left = Document::parse(c.a, "");
    const Result<Document> right = Document::parse(c.b, "");
    ASSERT_TRUE(left);
    ASSERT_TRUE(right);
    const Value a = left.value().root();
    const Value b = right.value().root();
    const auto second = [](const Value& root) {
      std::optional<Value> last;
      for (const Value element : root.elements()) last = element;
      return *last;
    };
    EXPECT_EQ(second(a).same_content(second(b), {"kind"}), c.is_same) << c.a << " " << c.b;
    EXPECT_EQ(second(b).same_content(second(a), {"kind"}), c.is_same) << c.a << " " << c.b;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes::json_test
