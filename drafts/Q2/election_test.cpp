// goes into tests/reference/controllers/election_test.cpp
#include "reference/controllers/election.hpp"

#include <gtest/gtest.h>

namespace touchstone::tests::election_test {

using namespace reference;

constexpr Quantity k_second = 1'000'000'000;

Election election_of(const char* release, std::vector<std::string> names) {
  Election election;
  election.release = find_release(release).value().release;
  for (const std::string& name : names) {
    Elector elector;
    elector.setup.name = name;
    elector.setup.releases = true;
    election.electors[name] = elector;
  }
  return election;
}

LeaseRecord record_of(const std::string& holder) { return {holder, 15, 0, 0, 3}; }

// ---- new from here on ----

// LEA-RELEASE-1: a leader that stops waits for its release: without an end, and from v1.34 on for 10 s. It
// renews no more.
TEST(Elections, WaitForTheirReleaseAfterTheyStop) {
  for (const char* release : {"v1.29.6", "v1.34.4"}) {
    const bool reads_first = release == std::string("v1.34.4");
    Election election = election_of(release, {"a"});
    start(election, "a");
    hold(election, "a", reads_first ? LeaseCallKind::get : LeaseCallKind::update);
    stop(election, "a");
    EXPECT_FALSE(stop(election, "a"));  // it ends already
    EXPECT_NE(election.electors["a"].waits_for, LeaseStep::none) << release;
    election.calls.clear();
    advance(election, "a", 10 * k_second - 1);
    EXPECT_EQ(election.electors["a"].phase, ElectorPhase::leading) << release;
    advance(election, "a", k_second);
    EXPECT_EQ(election.electors["a"].phase == ElectorPhase::stopped, reads_first) << release;
    advance(election, "a", 60 * k_second);
    EXPECT_EQ(election.electors["a"].phase == ElectorPhase::stopped, reads_first) << release;
    EXPECT_TRUE(election.calls.empty()) << release;
    EXPECT_EQ(election.lease.record->holder, "a") << release;
  }
}

// LEA-RELEASE-1: without an answer to its read a leader releases nothing.
TEST(Elections, ReleaseNothingThatTheyCannotRead) {
  Election election = election_of("v1.34.4", {"a"});
  start(election, "a");
  hold(election, "a", LeaseCallKind::get);
  stop(election, "a");
  ASSERT_FALSE(answer(election, "a", LeaseResult::error));
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped);
  EXPECT_EQ(election.lease.record->holder, "a");
}

// LEA-DEADLINE-1: a leader that finds another holder tries again in the round, and in the end reports it.
TEST(Elections, ReportTheHolderThatTookTheLease) {
  for (const char* release : {"v1.29.6", "v1.37.2"}) {
    Election election = election_of(release, {"a"});
    start(election, "a");
    EXPECT_EQ(election.electors["a"].reported, "a") << release;
    write_lease(election, record_of("z"));
    advance(election, "a", 2 * k_second);
    election.calls.clear();
    advance(election, "a", 2 * k_second);
    EXPECT_EQ(election.calls.size(), 1U) << release;  // the second try of the round
    advance(election, "a", 10 * k_second);
    EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped) << release;
    EXPECT_EQ(election.electors["a"].reported, "z") << release;
  }
}

// LEA-DEADLINE-1: from v1.18 on a process that is asked to stop gives up the call of its attempt to acquire.
TEST(Elections, GiveUpAnAttemptToAcquire) {
  Election election = election_of("v1.37.2", {"a"});
  write_lease(election, record_of("z"));
  start(election, "a");
  hold(election, "a", LeaseCallKind::get);
  advance(election, "a", 3 * k_second);
  ASSERT_EQ(election.electors["a"].waits_for, LeaseStep::read);
  ASSERT_FALSE(stop(election, "a"));
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped);
}

// LEA-EXPIRY-1: a lease is over when it was seen for its whole length.
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

}  // namespace touchstone::tests::election_test
