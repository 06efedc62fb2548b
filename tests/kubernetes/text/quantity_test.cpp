#include "kubernetes/text/quantity.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "tests/kubernetes/text/quantity_row.hpp"

namespace touchstone::kubernetes::quantity_test {
namespace {

constexpr Quantity k_max = std::numeric_limits<Quantity>::max();

struct Case {
  std::string text;
  Quantity value;
};

std::string code_of(std::string_view text, Unit unit) {
  const Result<Quantity> quantity = parse_quantity(text, unit);
  return quantity ? "value " + std::to_string(quantity.value()) : quantity.error().code;
}

void expect_all(const std::vector<Case>& cases, Unit unit) {
  for (const Case& c : cases) EXPECT_EQ(code_of(c.text, unit), "value " + std::to_string(c.value)) << c.text;
}

void expect_code(const std::string& code, const std::vector<std::string>& texts, Unit unit) {
  for (const std::string& text : texts) EXPECT_EQ(code_of(text, unit), code) << '"' << text << '"';
}

TEST(Quantity, ReadsPlainNumbers) {
  expect_all({{"0", 0}, {"7", 7}, {"+7", 7}, {"007", 7}, {"-0", 0}, {"0.0", 0}, {"12345678", 12345678}},
             Unit::whole);
}

TEST(Quantity, TakesAPointWithoutDigitsOnOneSide) {
  expect_all({{".5", 500}, {"5.", 5000}, {"5.Ki", 5120000}, {".5Ki", 512000}, {"0.1", 100}}, Unit::milli);
}

TEST(Quantity, KnowsEverySuffix) {
  expect_all({{"1000000000n", 1},
              {"1000000u", 1},
              {"1000m", 1},
              {"1k", 1000},
              {"1M", 1000000},
              {"1G", 1000000000},
              {"1T", 1000000000000},
              {"1P", 1000000000000000},
              {"1E", 1000000000000000000},
              {"1Ki", 1024},
              {"1Mi", 1048576},
              {"1Gi", 1073741824},
              {"1Ti", 1099511627776},
              {"1Pi", 1125899906842624},
              {"1Ei", 1152921504606846976}},
             Unit::whole);
}

TEST(Quantity, ReadsAnEAndDigitsAsExponent) {
  expect_all(
      {{"1e3", 1000}, {"1E3", 1000}, {"1e+3", 1000}, {"5E-1", 1}, {"1.5e1", 15}, {"1e0", 1}, {"1e-0", 1}},
      Unit::whole);
}

TEST(Quantity, CountsInMilliForCpu) {
  expect_all({{"100m", 100}, {"2", 2000}, {"0.5", 500}, {"1.5", 1500}, {"1Ki", 1024000}, {"1e3", 1000000}},
             Unit::milli);
}

TEST(Quantity, RoundsUp) {
  expect_all({{"100m", 1}, {"1n", 1}, {"1.0000000000000000000000000001", 2}, {"1.5", 2}, {"1e-99", 1}},
             Unit::whole);
  expect_all({{"1u", 1}, {"0.0001", 1}, {"100.1m", 101}, {"0.1Ki", 102400}, {"0.0001Ki", 103}}, Unit::milli);
  expect_all({{"1.5Gi", 1610612736}, {"0.1Ki", 103}, {"0.0009765625Ki", 1}, {"0.00097656250000000001Ki", 2}},
             Unit::whole);
}

TEST(Quantity, IsExactForAnyNumberOfDigits) {
  const std::string zeros(1000, '0');
  expect_all({{zeros + "3", 3},
              {"3." + zeros, 3},
              {"3." + zeros + "1", 4},
              {"0." + zeros + "1e1001", 1},
              {"5" + zeros + "e-1000", 5},
              {"0." + zeros + "1Ei", 1}},
             Unit::whole);
}

TEST(Quantity, ReachesTheEndOfInt64) {
  expect_all({{"9223372036854775807", k_max},
              {"9223372036854775806.1", k_max},
              {"9223372036854775.807k", k_max},
              {"7.999999999999999999Ei", k_max}},
             Unit::whole);
  expect_all({{"9223372036854775.807", k_max}, {"9223372036854775807m", k_max}}, Unit::milli);
}

TEST(Quantity, OverflowsBeyondInt64) {
  expect_code(
      "quantity-overflow",
      {"9223372036854775808", "9223372036854775807.1", "8Ei", "10E", "1e19", "1e99", "99999999999999999999",
       "7.9999999999999999999Ei", "18446744073709551616", std::string(100000, '9')},
      Unit::whole);
  expect_code("quantity-overflow", {"9223372036854775808m", "9223372036854776", "9Pi", "10P"}, Unit::milli);
}

TEST(Quantity, RefusesWhatKubernetesRefuses) {
  expect_code("quantity-malformed",
              {"",     " ",    "1 ",  " 1", "1ee", "1e",  "1e+", "1e+-3", "1e3.5", "1E+", "0x1",  "1.1.M",
               "1+1M", "1mi",  "1ki", "1K", "1i",  ".5i", "1am", "aoeu",  "1,5",   "1mm", "1Mi2", "--1",
               "+-1",  "1e 3", "١",   "1٣", "1m1", "inf", "nan", "1e3k",  "1e-",   "1\n"},
              Unit::whole);
}

TEST(Quantity, RefusesANegativeAmount) {
  expect_code("quantity-negative", {"-7", "-1n", "-0.1Ki", "-1e-99", "-9223372036854775808", "-1e99"},
              Unit::whole);
}

TEST(Quantity, KeepsTheLower32BitsOfAnExponent) {
  expect_all({{"1e4294967299", 1000}, {"5e9223372036854775807", 1}, {"5e-9223372036854775808", 5}},
             Unit::whole);
  expect_code("quantity-overflow", {"7e2147483647", "1.5e-2147483648"}, Unit::whole);
  expect_code("quantity-malformed",
              {"1e9223372036854775808", "0e9223372036854775808", "e-9223372036854775809"}, Unit::whole);
}

TEST(Quantity, TakesATextWithoutDigitsForZero) {
  expect_all({{"-", 0},
              {"+", 0},
              {".", 0},
              {"-.", 0},
              {"m", 0},
              {"Ki", 0},
              {"Ti", 0},
              {"e3", 0},
              {".e-9", 0},
              {"E", 0}},
             Unit::whole);
  expect_code("quantity-malformed", {"Pi", "Ei", "-.Pi", "e-10", ".E-10", "e", "+-", ".."}, Unit::whole);
}

/// Kubernetes itself has written the table: upstream/quantity/table > tests/kubernetes/text/quantities.tsv
TEST(Quantity, AgreesWithTheTableOfKubernetes) {
  std::ifstream table("tests/kubernetes/text/quantities.tsv");
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    ++rows;
    EXPECT_EQ(difference(read_quantity_row(line)), "");
  }
  EXPECT_GE(rows, 300);
}

}  // namespace
}  // namespace touchstone::kubernetes::quantity_test
