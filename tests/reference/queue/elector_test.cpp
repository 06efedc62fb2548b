#include "reference/queue/elector.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

/// Leader election: who takes and renews the record.
namespace touchstone::tests::elector_test {

using namespace reference;

constexpr Quantity k_second = 1'000'000'000;

/// Reads the object, and writes if the elector may. Returns whether it holds the record then.
bool tries(Elector& elector, LeaseObject& object, Quantity now_ns, const char* version = "v1.36.3") {
  const std::optional<LeaseWrite> write = attempt(elector, object, now_ns, release(version));
  return write && write_lease(elector, object, *write, now_ns);
}

// LEA-SEEN-1, LEA-EXPIRY-1: another one's record is taken 15 s after it was seen, whatever its times say.
TEST(Elector, WaitsSinceItSawTheRecord) {
  Elector a{"a"};
  Elector b{"b"};
  LeaseObject object;
  EXPECT_TRUE(tries(a, object, 0));
  EXPECT_FALSE(tries(b, object, 100'000 * k_second));
  EXPECT_FALSE(tries(b, object, 100'014 * k_second));
  EXPECT_TRUE(tries(b, object, 100'015 * k_second));
  EXPECT_EQ(object.record->holder, "b");
  EXPECT_EQ(object.record->transitions, 1);
  EXPECT_EQ(object.record->acquired_ns, 100'015 * k_second);
}

// LEA-EXPIRY-1: up to v1.26 the elector's own setting counts; v1.13 waits for a record without a holder.
TEST(Elector, ComparesTheLengthOfTheLease) {
  LeaseObject object{LeaseRecord{"a", 1 * k_second, 0, 0, 0}, 1};
  for (const auto& [version, taken] : {std::pair("v1.26.15", false), std::pair("v1.27.0", true)}) {
    Elector b{"b"};
    LeaseObject copy = object;
    EXPECT_FALSE(tries(b, copy, 0, version));
    EXPECT_EQ(tries(b, copy, 2 * k_second, version), taken) << version;
  }
  object.record->holder.clear();
  for (const auto& [version, taken] : {std::pair("v1.13.0", false), std::pair("v1.14.0", true)}) {
    Elector b{"b"};
    LeaseObject copy = object;
    EXPECT_EQ(tries(b, copy, 0, version), taken) << version;
  }
}

// LEA-WRITE-1: of two that read the same version one writes.
TEST(Elector, FailsIfTheRecordHasChanged) {
  Elector a{"a"};
  Elector b{"b"};
  LeaseObject object;
  const auto first = attempt(a, object, 0, release("v1.36.3"));
  const auto second = attempt(b, object, 0, release("v1.36.3"));
  EXPECT_TRUE(write_lease(a, object, *first, 0));
  EXPECT_FALSE(write_lease(b, object, *second, 0));
  EXPECT_FALSE(b.seen);
}

// LEA-RENEW-1: a holder renews at any time, from v1.30 on without reading.
TEST(Elector, RenewsItsOwnRecord) {
  Elector a{"a"};
  LeaseObject object;
  tries(a, object, 0);
  EXPECT_TRUE(tries(a, object, 2 * k_second));
  EXPECT_EQ(object.record->transitions, 0);
  EXPECT_EQ(object.record->acquired_ns, 0);
  EXPECT_FALSE(attempt_without_reading(a, object.version, 3 * k_second, release("v1.29.6")));
  const auto write = attempt_without_reading(a, object.version, 3 * k_second, release("v1.30.0"));
  ASSERT_TRUE(write);
  EXPECT_TRUE(write_lease(a, object, *write, 3 * k_second));
  EXPECT_FALSE(attempt_without_reading(a, object.version, 18 * k_second, release("v1.30.0")));
  EXPECT_FALSE(attempt_without_reading(Elector{"b"}, object.version, 0, release("v1.30.0")));
}

// LEA-DEADLINE-1: 2 s and 10 s after its last success a leader gives up.
TEST(Elector, GivesUp) {
  Elector a{"a"};
  LeaseObject object;
  tries(a, object, k_second);
  EXPECT_FALSE(gives_up(a, 13 * k_second - 1));
  EXPECT_TRUE(gives_up(a, 13 * k_second));
}

// LEA-RELEASE-1: from v1.22 on a leader that stops leaves a record without a holder.
TEST(Elector, ReleasesItsRecord) {
  Elector a{"a"};
  Elector b{"b"};
  LeaseObject object;
  tries(a, object, 0);
  EXPECT_FALSE(released(a, object.version, k_second, release("v1.21.14")));
  EXPECT_FALSE(released(b, object.version, k_second, release("v1.36.3")));
  const auto write = released(a, object.version, k_second, release("v1.36.3"));
  ASSERT_TRUE(write);
  write_lease(a, object, *write, k_second);
  EXPECT_TRUE(tries(b, object, 2 * k_second));
  EXPECT_EQ(object.record->transitions, 1);
}

}  // namespace touchstone::tests::elector_test
