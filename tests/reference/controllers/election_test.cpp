#include "reference/controllers/election.hpp"

#include <gtest/gtest.h>

#include "tests/reference/controllers/elections.hpp"

/// How processes acquire and renew a lease.
namespace touchstone::tests::election_test {

using namespace elections;

// LEA-SEEN-1, LEA-EXPIRY-1: the record is as old as the time since it was seen, whatever its own times are.
TEST(Elections, TakeARecordOnceItWasSeenForALease) {
  Election election = election_of("v1.37.2", {"a"});
  write_lease(election, record_of("z"));
  ASSERT_FALSE(start(election, "a"));
  advance(election, "a", 14 * k_second);
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::acquiring);
  advance(election, "a", 2 * k_second);
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::leading);
  EXPECT_EQ(election.lease.record->transitions, 4);
  EXPECT_TRUE(start(election, "a"));
}

// LEA-EXPIRY-1: a lease is over once the elector has seen it for its whole length. The elector tries every
// 5 s, so that one try comes exactly after the 15 s of the lease.
TEST(Elections, TakeARecordAtTheEndOfItsLease) {
  Election election = election_of("v1.37.2", {"a"});
  election.electors["a"].setup.retry_seconds = 5;
  write_lease(election, record_of("z"));
  start(election, "a");
  advance(election, "a", 10 * k_second);
  EXPECT_FALSE(is_leader(election.electors["a"]));
  advance(election, "a", 5 * k_second);
  EXPECT_TRUE(is_leader(election.electors["a"]));
}

// LEA-SEEN-1: parts of seconds are not compared.
TEST(Elections, DoNotNoticeThatARecordMovedOnWithinItsSecond) {
  Election election = election_of("v1.37.2", {"a"});
  write_lease(election, record_of("z"));
  start(election, "a");
  LeaseRecord moved = record_of("z");
  moved.renewed_ns = k_second / 2;
  write_lease(election, moved);
  advance(election, "a", 4 * k_second);
  EXPECT_EQ(election.electors["a"].seen_ns, 0);
  moved.renewed_ns = k_second;
  write_lease(election, moved);
  advance(election, "a", 2 * k_second);
  EXPECT_EQ(election.electors["a"].seen_ns, 6 * k_second);
}

// LEA-SEEN-1, LEA-WRITE-1: the API keeps microseconds, and an elector compares the seconds of both times.
TEST(Elections, DoNotNoticeAnAcquisitionWithinTheSecond) {
  Election election = election_of("v1.37.2", {"a"});
  write_lease(election, record_of("z"));
  start(election, "a");
  LeaseRecord moved = record_of("z");
  moved.acquired_ns = k_second / 2 + 700;
  write_lease(election, moved);
  EXPECT_EQ(election.lease.record->acquired_ns, k_second / 2);
  advance(election, "a", 4 * k_second);
  EXPECT_EQ(election.electors["a"].seen_ns, 0);
}

// LEA-EXPIRY-1: a record without a holder is taken at once, but in v1.13.
TEST(Elections, TakeARecordWithoutAHolder) {
  for (const char* release : {"v1.13.0", "v1.14.10"}) {
    Election election = election_of(release, {"a"});
    write_lease(election, record_of(""));
    start(election, "a");
    EXPECT_EQ(is_leader(election.electors["a"]), std::string(release) != "v1.13.0") << release;
  }
}

// LEA-WRITE-1: two processes read the same version, and one write fails.
TEST(Elections, LetOneOfTwoWritesOfAVersionFail) {
  Election election = election_of("v1.37.2", {"a", "b"});
  write_lease(election, record_of(""));
  for (const char* name : {"a", "b"}) {
    election.electors[name].has_run = true;
    start(election, name);
  }
  EXPECT_TRUE(is_leader(election.electors["a"]));
  EXPECT_FALSE(is_leader(election.electors["b"]));
}

// LEA-RENEW-1: from v1.30 on a holder does not read before it writes.
TEST(Elections, RenewWithoutReading) {
  for (const char* release : {"v1.29.6", "v1.34.4"}) {
    Election election = election_of(release, {"a"});
    start(election, "a");
    election.calls.clear();
    advance(election, "a", 2 * k_second);
    EXPECT_EQ(election.calls.front().kind,
              std::string(release) == "v1.29.6" ? LeaseCallKind::get : LeaseCallKind::update);
  }
}

// LEA-WRITE-1: up to v1.19 the record has whole seconds.
TEST(Elections, KeepWholeSecondsInEarlyReleases) {
  for (const char* release : {"v1.19.16", "v1.20.15"}) {
    Election election = election_of(release, {"a"});
    election.electors["a"].now_ns = 1'500'000'700;
    start(election, "a");
    EXPECT_EQ(election.lease.record->renewed_ns,
              std::string(release) == "v1.20.15" ? 1'500'000'000 : k_second);
  }
}

// LEA-SEEN-1: up to v1.16 what an elector wrote differs from all that it reads later, also from what it
// read before.
TEST(Elections, CompareWithWhatTheyWroteInEarlyReleases) {
  for (const char* release : {"v1.16.15", "v1.17.17"}) {
    Election election = election_of(release, {"a"});
    write_lease(election, record_of("z"));
    start(election, "a");
    advance(election, "a", 15 * k_second);
    for (int i = 0; i < 2; ++i) hold(election, "a", LeaseCallKind::get);
    advance(election, "a", k_second);
    answer(election, "a", LeaseResult::ok);
    ASSERT_EQ(election.electors["a"].phase, ElectorPhase::leading);
    write_lease(election, record_of("z"));
    answer(election, "a", LeaseResult::ok);
    EXPECT_EQ(election.lease.record->holder, std::string(release) == "v1.17.17" ? "a" : "z");
  }
}

// LEA-ACQUIRE-1: the time between attempts grows by chance.
TEST(Elections, WaitLongerByChance) {
  Election election = election_of("v1.37.2", {"a"});
  election.electors["a"].setup.jitter = 0.5;
  write_lease(election, record_of("z"));
  start(election, "a");
  election.calls.clear();
  advance(election, "a", 3'199'999'999);
  EXPECT_TRUE(election.calls.empty());
  advance(election, "a", 1);
  EXPECT_EQ(election.calls.size(), 1u);
  stop(election, "a");
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped);
}

// LEA-WRITE-1: calls that fail. After a failed creation there is no object that could be written.
TEST(Elections, TryAgainAfterCallsThatFail) {
  Election election = election_of("v1.37.2", {"a"});
  start(election, "a");
  write_lease(election, std::nullopt);
  hold(election, "a", LeaseCallKind::create);
  advance(election, "a", 2 * k_second);
  ASSERT_EQ(election.electors["a"].waits_for, LeaseStep::create);
  write_lease(election, record_of("z"));
  answer(election, "a", LeaseResult::ok);
  EXPECT_EQ(election.lease.record->holder, "z");
  election.calls.clear();
  advance(election, "a", 2 * k_second);
  EXPECT_EQ(election.calls.front().kind, LeaseCallKind::get);

  Election misled = election_of("v1.37.2", {"a"});  // told that there is no lease
  write_lease(misled, record_of("z"));
  start(misled, "a");
  hold(misled, "a", LeaseCallKind::get);
  advance(misled, "a", 3 * k_second);
  answer(misled, "a", LeaseResult::not_found);
  EXPECT_EQ(misled.calls.back().result, "AlreadyExists");

  Election gone = renewing("v1.37.2");
  write_lease(gone, std::nullopt);
  answer(gone, "a", LeaseResult::ok);
  EXPECT_EQ(gone.lease.record->holder, "a");
}

// LEA-RENEW-1: a holder whose lease is over reads before it writes.
TEST(Elections, ReadWhenTheirLeaseIsOver) {
  Election election = election_of("v1.37.2", {"a"});
  election.electors["a"].setup.lease_seconds = 1;
  start(election, "a");
  election.calls.clear();
  advance(election, "a", 2 * k_second);
  EXPECT_EQ(election.calls.front().kind, LeaseCallKind::get);
}

TEST(Elections, RefuseToHoldCallsOfAProcessThatNeverRan) {
  Election election = election_of("v1.37.2", {"a"});
  EXPECT_TRUE(hold(election, "a", LeaseCallKind::get));
}

}  // namespace touchstone::tests::election_test
