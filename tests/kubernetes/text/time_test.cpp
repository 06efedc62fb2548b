#include "kubernetes/text/time.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace touchstone::kubernetes::time_test {
namespace {

std::string shown(std::string_view text) {
  const Result<Quantity> time = parse_time(text);
  return time ? std::to_string(time.value()) : time.error().code;
}

struct Case {
  std::string text;
  std::string shown;
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(shown(c.text), c.shown) << c.text;
}

TEST(Time, CountsNanosecondsSince1970) {
  expect_all({{"1970-01-01T00:00:00Z", "0"},
              {"1970-01-01T00:00:01Z", "1000000000"},
              {"1969-12-31T23:59:59Z", "-1000000000"},
              {"2026-11-21T10:00:00Z", "1795255200000000000"},
              {"2024-02-29T23:59:59Z", "1709251199000000000"}});
}

TEST(Time, ReadsFractions) {
  expect_all({{"1970-01-01T00:00:00.5Z", "500000000"},
              {"1970-01-01T00:00:00.000000001Z", "1"},
              {"1970-01-01T00:00:00.0000000019Z", "1"},
              {"1969-12-31T23:59:59.999999999Z", "-1"}});
}

TEST(Time, AppliesOffsets) {
  expect_all({{"1970-01-01T01:00:00+01:00", "0"},
              {"1970-01-01T00:00:00-00:30", "1800000000000"},
              {"1969-12-31T23:00:00-01:00", "0"},
              {"1970-01-01T00:00:00+00:00", "0"}});
}

TEST(Time, ReachesBothEndsOfInt64) {
  expect_all({{"2262-04-11T23:47:16.854775807Z", std::to_string(std::numeric_limits<Quantity>::max())},
              {"1677-09-21T00:12:43.145224192Z", std::to_string(std::numeric_limits<Quantity>::min())}});
}

TEST(Time, OverflowsBeyondInt64) {
  expect_all({{"2262-04-11T23:47:16.854775808Z", "time-overflow"},
              {"1677-09-21T00:12:43.145224191Z", "time-overflow"},
              {"9999-12-31T23:59:59Z", "time-overflow"},
              {"0001-01-01T00:00:00Z", "time-overflow"}});
}

TEST(Time, RefusesWhatIsNoTime) {
  for (const char* text : {"",
                           "now",
                           "2026-11-21",
                           "2026-11-21T10:00:00",
                           "2026-11-21 10:00:00Z",
                           "2026-11-21t10:00:00Z",
                           "2026-11-21T10:00:00z",
                           "2026-11-21T10:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-02-29T00:00:00Z",
                           "2026-11-31T00:00:00Z",
                           "2026-11-00T00:00:00Z",
                           "2026-11-21T24:00:00Z",
                           "2026-11-21T10:60:00Z",
                           "2026-12-31T23:59:60Z",
                           "2026-11-21T10:00:00.Z",
                           "2026-11-21T10:00:00+1:00",
                           "2026-11-21T10:00:00+0100",
                           "2026-11-21T10:00:00+24:00",
                           "2026-11-21T10:00:00Z ",
                           " 2026-11-21T10:00:00Z",
                           "12026-11-21T10:00:00Z",
                           "-026-11-21T10:00:00Z",
                           "2026-11-21T10:00:00ZZ",
                           "1795255200"}) {
    EXPECT_EQ(shown(text), "time-malformed") << text;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes::time_test
