#include "kubernetes/text/yaml_scalar.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "kubernetes/text/yaml.hpp"

namespace touchstone::kubernetes::yaml_scalar_test {
namespace {

using nlohmann::json;

/// JSON that YAMLToJSON of sigs.k8s.io/yaml v1.4.0 (kubectl's library) returns, with the YAML texts that give
/// it.
const std::vector<std::pair<std::string, std::vector<std::string>>> k_answers = {
    {"null", {"~", "null", "Null", "NULL", "!!null ''", "!!null null"}},
    {"true", {"true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "!!bool yes"}},
    {"false", {"false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF"}},
    {"0", {"0", "-0", "+0", "00", "1e-400"}},
    {"1", {"1", "+1", "0x_1", "1."}},
    {"-1", {"-1", "-_1"}},
    {"12345", {"12345"}},
    {"9223372036854775807", {"9223372036854775807"}},
    {"-9223372036854775808", {"-9223372036854775808", "-0x8000000000000000"}},
    {"18446744073709551615", {"18446744073709551615", "0xFFFFFFFFFFFFFFFF"}},
    {"18446744073709552000", {"18446744073709551616"}},
    {"1.2345678901234568e+29", {"123456789012345678901234567890"}},
    {"1000", {"1_000", "1e3", "1E3", "1e+3", "1.e3"}},
    {"10", {"1__0_"}},
    {"31", {"0x1F", "0X1f"}},
    {"-16", {"-0x10"}},
    {"15", {"017", "0o17", "0O17"}},
    {"-15", {"-017"}},
    {"8", {"08"}},
    {"89", {"089"}},
    {"7.777777777777778e+23", {"0777777777777777777777777"}},
    {"5", {"0b101", "0B101", "!!int 5", "!!int '5'", "!!float 5", "!<tag:yaml.org,2002:int> 5"}},
    {"-3", {"-0b11"}},
    {"1.5", {"1.5", "+1.5", "!!float 1.5"}},
    {"-1.5", {"-1.5"}},
    {"0.5", {".5", "+.5", "00.50", ".5_0"}},
    {"-0.5", {"-.5"}},
    {"[null]", {"-"}},
    {"0.001", {"1e-3"}},
    {"500", {".5e3"}},
    {"10.5", {"1_0.5_0"}},
    {R"("5")", {"'5'", R"("5")", "!!str 5", "!foo 5", "! '5'", "!!merge 5"}},
    {R"("null")", {"'null'"}},
    {R"("")", {"''", R"("")", "!!str"}},
    {R"("yes")", {R"("yes")", "!!str yes", "!foo yes"}},
    {R"("5\n")", {"| \n  5\n"}},
    {"16", {"!!int 0x10"}},
    {R"("2026-11-21")", {"!!timestamp 2026-11-21", "!!timestamp '2026-11-21'"}},
    {R"("2026-11-21 10:00:00")", {"2026-11-21 10:00:00"}},
    {R"({"1":0})", {"1: 0", "'1': 0", "!!str 1: 0"}},
    {R"({"0":0})", {"-0: 0"}},
    {R"({"16":0})", {"0x10: 0"}},
    {R"({"8":0})", {"010: 0"}},
    {R"({"true":0})", {"true: 0", "yes: 0"}},
    {R"({"false":0})", {"off: 0"}},
    {R"({"1.5":0})", {"1.5: 0"}},
    {R"({"1.1":0})", {"1.10: 0"}},
    {R"({"1000":0})", {"1e3: 0"}},
    {R"({"1e+06":0})", {"1e6: 0"}},
    {R"({"123456":0})", {"123456.0: 0"}},
    {R"({"1.234567e+06":0})", {"1234567.0: 0"}},
    {R"({"0.0001":0})", {"0.0001: 0"}},
    {R"({"1e-05":0})", {"0.00001: 0"}},
    {R"({"-0":0})", {"-0.0: 0"}},
    {R"({".inf":0})", {"1e39: 0"}},
    {R"({"-.inf":0})", {"-1e39: 0"}},
    {R"({"1e+20":0})", {"99999999999999999999: 0"}},
    {R"({"9223372036854775807":0})", {"9223372036854775807: 0"}},
    {R"({"2026-11-21":0})", {"2026-11-21: 0"}},
    {R"({"1.2345679":0})", {"1.23456789: 0"}},
    {R"({"<<<":0})", {"<<<: 0"}},
};

/// Words that kubectl takes for strings.
const std::string k_strings =
    R"(nULL tRUE yEs oFF _1 0xFFFFFFFFFFFFFFFFF -0x8000000000000001 +0xFFFFFFFFFFFFFFFF 0x 0xg 0o8 0o 0b102
0b . -. +. + -- 1.5.5 1e e1 1e3.5 1e400 -1e400 12e3456 ._5 .5_ 0x1p3 Infinity NaN inf nan 190:20:30
1:30 2026-11-21 2026-11-21T10:00:00Z 2026-1-1 10.0.0.1 1.2.3 v1 500m 1Gi 64Mi 1e3Mi 7e999 << =
12345678901234567890123abc)";

std::string json_of(const std::string& yaml) {
  const Result<std::vector<std::string>> documents = yaml_to_json(yaml, "");
  if (!documents) return documents.error().code;
  return documents.value().size() == 1 ? documents.value()[0] : "no document";
}

TEST(Scalar, MeansWhatItMeansToKubectl) {
  for (const auto& [answer, yamls] : k_answers) {
    for (const std::string& yaml : yamls) {
      const std::string ours = json_of(yaml);
      ASSERT_TRUE(json::accept(ours)) << yaml << " became " << ours;
      // Compared as values, because kubectl converts numbers to double.
      EXPECT_EQ(json::parse(ours), json::parse(answer)) << yaml << " became " << ours;
    }
  }
  std::istringstream words(k_strings);
  for (std::string word; words >> word;) EXPECT_EQ(json_of(word), "\"" + word + "\"");
}

TEST(Scalar, KeepsTheDigitsOfNumbers) {
  const std::vector<std::pair<std::string, std::string>> numbers = {
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"0.30000000000000000000000000001", "0.30000000000000000000000000001"},
      {"2.50", "2.50"},
      {"+007.50", "7.50"},
      {"-.5e+03", "-0.5e+03"},
      {"1.e3", "1e3"},
      {"1_0.2_5", "10.25"},
      {"089", "89"},
      {"1e-400", "1e-400"},
      {"0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"18446744073709551615: 0", R"({"18446744073709551615":0})"},
  };
  for (const auto& [yaml, answer] : numbers) EXPECT_EQ(json_of(yaml), answer) << yaml;

  const std::string nines(308, '9');
  EXPECT_EQ(json_of(nines), nines);
  EXPECT_EQ(json_of("9" + nines), "\"9" + nines + "\"");
}

TEST(Scalar, IsAStringInAnyStyleButPlain) {
  EXPECT_EQ(json_of("|\n  5\n"), R"("5\n")");
  EXPECT_EQ(json_of(">-\n  5\n  6\n"), R"("5 6")");
  EXPECT_EQ(json_of("'yes'"), R"("yes")");
}

TEST(Scalar, ThatIsNotFiniteIsRefused) {
  for (const char* yaml : {".inf", "+.Inf", "-.INF", ".nan", ".NaN", ".NAN", "!!float .inf", ".inf: 0"}) {
    EXPECT_EQ(json_of(yaml), "yaml-unsupported") << yaml;
  }
}

TEST(Scalar, HasToFitItsTag) {
  for (const char* yaml :
       {"!!int 1.5", "!!int yes", "!!int ''", "!!int 18446744073709551616", "!!float x", "!!float 1e400",
        "!!bool 1", "!!bool x", "!!null x", "!!null 0", "!!timestamp 5", "!!timestamp 2026-11"}) {
    EXPECT_EQ(json_of(yaml), "yaml-malformed") << yaml;
  }
  EXPECT_EQ(json_of("!!binary aGk="), "yaml-unsupported");
}

TEST(PlainString, IsWhatEveryReaderTakesForAString) {
  for (const char* text : {"a", "a b", "nul", "10.0.0.1", "500m", "1e999", "-", ".", "v1", "12-34", "2026-11",
                           "a:1", "2026-11-21x", "0xg", "yess"}) {
    EXPECT_TRUE(is_plain_string(text)) << text;
  }
  for (const char* text : {"",
                           "~",
                           "null",
                           "Yes",
                           "n",
                           "5",
                           "-5",
                           "+1.5",
                           ".5",
                           "0x1F",
                           "0o17",
                           "1_000",
                           "1e3",
                           ".inf",
                           "-.INF",
                           ".NaN",
                           "2026-11-21",
                           "2026-1-1",
                           "2026-11-21T10:00:00Z",
                           "2026-11-21 10:00:00",
                           "1:30",
                           "-190:20:30.5",
                           "<<",
                           "="}) {
    EXPECT_FALSE(is_plain_string(text)) << text;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes::yaml_scalar_test
