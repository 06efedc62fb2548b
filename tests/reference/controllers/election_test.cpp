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

// LEA-SEEN-1: up to v1.16 what an elector wrote differs from all that it reads later, also from what it read
// before.
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

/// A leader whose renewal waits.
Election renewing(const char* release, LeaseCallKind kind = LeaseCallKind::update) {
  Election election = election_of(release, {"a"});
  start(election, "a");
  hold(election, "a", kind);
  advance(election, "a", 2 * k_second);
  return election;
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

// LEA-DEADLINE-1: a try that fell into another one is forgotten when the round succeeds. The next round waits
// for its own tick.
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

}  // namespace touchstone::tests::election_test
