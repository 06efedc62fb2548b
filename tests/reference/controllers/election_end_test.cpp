#include <gtest/gtest.h>

#include "tests/reference/controllers/elections.hpp"

/// How leaders lose or release a lease, and how processes stop.
namespace touchstone::tests::election_end_test {

using namespace elections;

// LEA-DEADLINE-1: a call that hangs is given up after 10 s, and the leader stops.
TEST(Elections, EndWhenACallHangsTooLong) {
  for (const char* release : {"v1.29.6", "v1.34.4", "v1.37.2"}) {
    Election election = election_of(release, {"a"});
    start(election, "a");
    ASSERT_FALSE(hold(election, "a", LeaseCallKind::update));
    advance(election, "a", 11 * k_second);
    EXPECT_EQ(election.electors["a"].phase, ElectorPhase::leading) << release;
    advance(election, "a", k_second);
    EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped) << release;
    EXPECT_TRUE(election.lease.record->holder.empty()) << release;  // LEA-RELEASE-1
  }
}

// LEA-DEADLINE-1: a try that falls into another one is left out; from v1.32 on it follows at once.
TEST(Elections, TryAgainAfterALateFailure) {
  for (const char* release : {"v1.29.6", "v1.34.4"}) {
    Election election = election_of(release, {"a"});
    start(election, "a");
    hold(election, "a", LeaseCallKind::update);
    hold(election, "a", LeaseCallKind::update);
    advance(election, "a", 5 * k_second);
    election.calls.clear();
    answer(election, "a", LeaseResult::error);
    if (std::string(release) == "v1.34.4") answer(election, "a", LeaseResult::error);
    EXPECT_EQ(election.calls.size(), std::string(release) == "v1.34.4" ? 3u : 0u) << release;
  }
}

// LEA-DEADLINE-1: a leader that finds another holder tries again in the round. When it stops, it reports
// that holder.
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

// LEA-RELEASE-1: a leader that stops; from v1.34 on it reads first, from v1.37 on it repeats after a
// conflict.
TEST(Elections, ReleaseTheLeaseWhenAskedToStop) {
  for (const char* release : {"v1.29.6", "v1.34.4", "v1.37.2"}) {
    Election election = election_of(release, {"a"});
    start(election, "a");
    hold(election, "a", LeaseCallKind::update);
    ASSERT_FALSE(stop(election, "a"));
    EXPECT_FALSE(stop(election, "a"));  // it ends already
    answer(election, "a", LeaseResult::conflict);
    const bool repeats = std::string(release) == "v1.37.2";
    EXPECT_EQ(election.lease.record->holder.empty(), repeats) << release;
    EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped);
    EXPECT_TRUE(stop(election, "a"));
    EXPECT_TRUE(answer(election, "a", LeaseResult::ok));
  }
}

// LEA-RELEASE-1: a leader that stops waits for its release: without a limit, and from v1.34 on for 10 s.
// It renews no more.
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

// LEA-RELEASE-1: before v1.22 the record stays.
TEST(Elections, LeaveTheRecordInEarlyReleases) {
  Election election = election_of("v1.21.14", {"a"});
  start(election, "a");
  stop(election, "a");
  EXPECT_EQ(election.lease.record->holder, "a");
}

// LEA-DEADLINE-1: up to v1.17 a call that waits goes on, and a process that has stopped writes its name.
TEST(Elections, LetCallsGoOnInEarlyReleases) {
  Election election = election_of("v1.13.0", {"a"});
  start(election, "a");
  hold(election, "a", LeaseCallKind::update);
  advance(election, "a", 13 * k_second);
  const Elector& elector = election.electors["a"];
  EXPECT_EQ(elector.phase, ElectorPhase::stopped);
  EXPECT_TRUE(start(election, "a"));
  write_lease(election, record_of("z"));
  answer(election, "a", LeaseResult::lost);  // the version has changed
  EXPECT_EQ(election.lease.record->holder, "z");

  Election other = election_of("v1.13.0", {"a"});
  start(other, "a");
  hold(other, "a", LeaseCallKind::get);
  advance(other, "a", 13 * k_second);
  ASSERT_EQ(other.electors["a"].phase, ElectorPhase::stopped);
  const Quantity writes = other.lease.writes;
  answer(other, "a", LeaseResult::ok);
  EXPECT_EQ(other.lease.writes, writes + 1);
  EXPECT_EQ(other.electors["a"].phase, ElectorPhase::stopped);
}

// LEA-DEADLINE-1: in v1.13 a leader tries once more after it has given up, and may write its name.
TEST(Elections, TryOnceMoreInEarlyReleases) {
  for (const char* release : {"v1.13.0", "v1.14.10"}) {
    Election election = election_of(release, {"a"});
    election.electors["a"].setup.deadline_seconds = 9;
    start(election, "a");
    advance(election, "a", 2 * k_second);
    write_lease(election, record_of("z"));  // the renewals of this round fail
    advance(election, "a", k_second);
    election.calls.clear();
    stop(election, "a");
    EXPECT_EQ(election.calls.size(), 0u) << release;  // between two rounds
    start(election, "a");
    advance(election, "a", 20 * k_second);
    ASSERT_EQ(election.electors["a"].phase, ElectorPhase::leading);
    write_lease(election, record_of("z"));
    advance(election, "a", 4 * k_second);
    election.calls.clear();
    stop(election, "a");
    EXPECT_EQ(election.calls.size(), std::string(release) == "v1.13.0" ? 1u : 0u) << release;
  }
}

// LEA-DEADLINE-1: up to v1.17 a process that is asked to stop waits for its attempt to acquire.
TEST(Elections, EndAfterTheirAttemptInEarlyReleases) {
  Election election = election_of("v1.13.0", {"a", "b"});
  for (const char* name : {"a", "b"}) {
    start(election, name);
    stop(election, name);
  }
  write_lease(election, record_of("z"));
  start(election, "b");
  stop(election, "b");
  EXPECT_EQ(election.electors["b"].phase, ElectorPhase::stopped);
  start(election, "a");
  hold(election, "a", LeaseCallKind::update);
  advance(election, "a", 16 * k_second);
  ASSERT_EQ(election.electors["a"].waits_for, LeaseStep::write);
  ASSERT_FALSE(stop(election, "a"));
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::acquiring);
  answer(election, "a", LeaseResult::ok);
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped);
  EXPECT_EQ(election.lease.record->holder, "a");
}

// LEA-DEADLINE-1: a process that is asked to stop makes no more calls for its attempt.
TEST(Elections, GiveUpTheirAttemptWhenAskedToStop) {
  Election election = renewing("v1.29.6", LeaseCallKind::get);
  stop(election, "a");
  EXPECT_EQ(election.electors["a"].phase, ElectorPhase::stopped);
  Election later = renewing("v1.37.2");
  later.calls.clear();
  stop(later, "a");
  EXPECT_EQ(later.calls.size(), 2u);  // those of the release
  EXPECT_TRUE(later.lease.record->holder.empty());
}

// LEA-DEADLINE-1: from v1.18 on a process that is asked to stop gives up the call of its attempt to
// acquire.
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

// LEA-RELEASE-1: a record of another holder, or none, is left alone.
TEST(Elections, ReleaseNothingThatIsNotTheirs) {
  Election lost = election_of("v1.37.2", {"a"});
  start(lost, "a");
  write_lease(lost, record_of("z"));
  advance(lost, "a", 13 * k_second);
  EXPECT_EQ(lost.electors["a"].phase, ElectorPhase::stopped);
  EXPECT_EQ(lost.lease.record->holder, "z");
  Election gone = election_of("v1.34.4", {"a"});
  start(gone, "a");
  write_lease(gone, std::nullopt);
  hold(gone, "a", LeaseCallKind::get);
  stop(gone, "a");
  EXPECT_FALSE(stop(gone, "a"));  // it ends already
  answer(gone, "a", LeaseResult::ok);
  EXPECT_FALSE(gone.lease.record);
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

// LEA-DEADLINE-1: a try that fell into another one is forgotten when the round succeeds. The next round
// waits for its own tick.
TEST(Elections, ForgetALateTryWhenTheRoundSucceeds) {
  Election election = election_of("v1.34.4", {"a"});
  start(election, "a");
  hold(election, "a", LeaseCallKind::update);
  advance(election, "a", 5 * k_second);
  ASSERT_FALSE(answer(election, "a", LeaseResult::ok));
  hold(election, "a", LeaseCallKind::update);
  hold(election, "a", LeaseCallKind::update);
  advance(election, "a", 3 * k_second);
  ASSERT_FALSE(answer(election, "a", LeaseResult::error));
  election.calls.clear();
  ASSERT_FALSE(answer(election, "a", LeaseResult::error));
  EXPECT_TRUE(election.calls.empty());
  advance(election, "a", k_second);
  EXPECT_FALSE(election.calls.empty());
}

}  // namespace touchstone::tests::election_end_test
