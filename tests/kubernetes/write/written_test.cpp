#include "kubernetes/write/written.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/text/quantity.hpp"
#include "kubernetes/text/time.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::kubernetes::written_test {

namespace {

constexpr Quantity k_min = std::numeric_limits<Quantity>::min();
constexpr Quantity k_max = std::numeric_limits<Quantity>::max();

Quantity read_time(Quantity time_ns) {
  const Result<Quantity> read = parse_time(written_time(time_ns));
  EXPECT_TRUE(read) << written_time(time_ns);
  return read ? read.value() : 0;
}

}  // namespace

TEST(WrittenTime, HasNoMoreDigitsThanItTakes) {
  EXPECT_EQ(written_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(written_time(1'700'000'000'000'000'000), "2023-11-14T22:13:20Z");
  EXPECT_EQ(written_time(500'000'000), "1970-01-01T00:00:00.5Z");
  EXPECT_EQ(written_time(1), "1970-01-01T00:00:00.000000001Z");
}

TEST(WrittenTime, CountsBackBefore1970) {
  EXPECT_EQ(written_time(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(written_time(-1'000'000'000), "1969-12-31T23:59:59Z");
  EXPECT_EQ(written_time(-1'500'000'000), "1969-12-31T23:59:58.5Z");
  EXPECT_EQ(written_time(-86'400'000'000'000), "1969-12-31T00:00:00Z");
}

TEST(WrittenTime, ReachesBothEndsOfInt64) {
  for (const Quantity time : {k_min, k_min + 1, k_max - 1, k_max}) EXPECT_EQ(read_time(time), time);
}

RC_GTEST_PROP(WrittenTime, IsReadBack, (Quantity time_ns)) { RC_ASSERT(read_time(time_ns) == time_ns); }

RC_GTEST_PROP(WrittenTime, IsReadBackAnywhereInInt64, ()) {
  const Quantity time_ns = *rc::gen::inRange(k_min, k_max);
  RC_ASSERT(read_time(time_ns) == time_ns);
  RC_ASSERT(read_time(time_ns / 1'000'000'000 * 1'000'000'000) == time_ns / 1'000'000'000 * 1'000'000'000);
}

TEST(WrittenAmount, IsInWholeCoresWhereItCan) {
  EXPECT_EQ(written_amount("cpu", 0), "0");
  EXPECT_EQ(written_amount("cpu", 2000), "2");
  EXPECT_EQ(written_amount("cpu", 1500), "1500m");
  EXPECT_EQ(written_amount("cpu", 1), "1m");
  EXPECT_EQ(written_amount("cpu", -500), "-500m");
  EXPECT_EQ(written_amount("memory", 1500), "1500");
}

RC_GTEST_PROP(WrittenAmount, IsReadBack, ()) {
  const Quantity amount =
      *rc::gen::oneOf(rc::gen::inRange<Quantity>(0, 5000), rc::gen::inRange<Quantity>(0, k_max));
  RC_ASSERT(parse_quantity(written_amount("cpu", amount), Unit::milli).value() == amount);
  RC_ASSERT(parse_quantity(written_amount("memory", amount), Unit::whole).value() == amount);
}

TEST(WrittenList, IsReadAsADump) {
  const Question question = tests::QuestionBuilder()
                                .pdb("x", 1)
                                .node("n1", 1000)
                                .has(tests::with_app(tests::pod("a", 0, 1000), "x"))
                                .asks(tests::pod("p", 10, 1000));
  const Result<Dump> dump = parse_dump(written_list(question).dump(), "list");
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
  EXPECT_EQ(dump.value().cluster.pdbs.size(), 1u);
  ASSERT_EQ(dump.value().cluster.pods.size(), 2u);
  EXPECT_EQ(dump.value().cluster.pods[1].name, "p");
  // If the cluster has the preemptor already, it is listed once.
  Question listed = question;
  listed.cluster.pods.push_back(listed.pod);
  EXPECT_EQ(written_list(listed), written_list(question));
}

}  // namespace touchstone::kubernetes::written_test
