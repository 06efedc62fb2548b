#include "reference/queue/permit.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::permit_test {

using Names = std::vector<std::string>;

constexpr const char* k_28 = "v1.28.15";
constexpr const char* k_29 = "v1.29.6";
constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_34 = "v1.34.4";
constexpr const char* k_35 = "v1.35.4";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

namespace {

PodObject waiting(Pod pod, const std::string& seconds = "60") {
  pod.uid = "u-" + pod.name;
  PodObject object;
  object.pod = pod;
  object.annotations = {{"touchstone.dev/permit-seconds", seconds}};
  return object;
}

/// w waits on n1, which it fills.
Play with_waiting(const char* release) {
  Play play(release);
  play.node("n1", 1000);
  reference::create(play.world, waiting(pod("w", 0, 1000)));
  CanonicalChoices choices;
  settle(play.world, choices);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  return play;
}

StepAnswer run(Play& play, const TimelineCommand& command) {
  CanonicalChoices choices;
  return reference::play(play.world, command, choices);
}

Names waiting_in(const Play& play) { return reference::observe(play.world).waiting; }

StepAnswer allows(Play& play) { return run(play, PermitCommand{"default/w", true}); }
StepAnswer rejects(Play& play) { return run(play, PermitCommand{"default/w", false}); }
StepAnswer waits_for(Play& play, Quantity seconds) {
  return run(play, AdvanceCommand{seconds * 1'000'000'000});
}

/// z, and then a, wait in Permit for at most this many seconds.
Play with_two_waiting(const std::string& of_z, const std::string& of_a) {
  Play play(k_36);
  play.node("n1", 4000);
  for (const auto& [name, seconds] : {std::pair("z", of_z), std::pair("a", of_a)}) {
    run(play, WriteCommand{Verb::create, waiting(pod(name, 0, 1000), seconds)});
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  }
  return play;
}

}  // namespace

// QUE-PERMIT-3: the message of the condition is the release's own, or a write of it would change something.
TEST(Permit, TellsForHowLongAPodWaited) {
  for (const auto& [seconds, text] : {std::pair("5", "5s"), {"60", "1m0s"}, {"61", "1m1s"}}) {
    Play play(k_36);
    play.node("n1", 1000);
    reference::create(play.world, waiting(pod("w", 0, 1000), seconds));
    play.flushes_backoff().cycle();
    waits_for(play, 61);
    EXPECT_EQ(play.message("w"),
              "0/1 nodes are available: 1 rejected due to timeout after waiting " + std::string(text) +
                  " at plugin TouchstonePermit.")
        << text;
  }
}

// QUE-PERMIT-3: the message shows minutes and seconds, and no minute before 60 s have passed.
TEST(Permit, ShowsMinutesAndSeconds) {
  Play play = with_two_waiting("59", "119");
  waits_for(play, 200);
  EXPECT_NE(play.message("z").find("after waiting 59s at"), std::string::npos);
  EXPECT_NE(play.message("a").find("after waiting 1m59s at"), std::string::npos);
}

// QUE-PERMIT-1: two pods of one name may wait.
TEST(Permit, ShowsANameOnce) {
  Play play(k_35);
  play.node("n1", 1000).holds(CallKind::patch, "w");
  for (const char* uid : {"u-first", "u-second"}) {
    PodObject object = waiting(pod("w", 0, 1000));
    object.pod.uid = uid;
    reference::create(play.world, object);
    EXPECT_EQ(play.flushes_backoff().cycle().outcome, CycleOutcome::scheduled);
    if (play.world.stored.nodes.size() == 1) play.node("n2", 1000).removes("w");
  }
  EXPECT_EQ(play.world.bindings.size(), 2U);
  EXPECT_EQ(waiting_in(play), Names{"default/w"});
}

// QUE-PERMIT-3, QUE-FAIL-2: two pods of one name wait for the same time. The first one named another
// scheduler when it was deleted, so it waits on. It is rejected first, and put back with its attempts.
TEST(Permit, RejectsTheFirstOfTwoPodsOfOneName) {
  Play play(k_35);
  play.node("n1", 4000);
  run(play, WriteCommand{Verb::create, waiting(pod("w", 0, 1000), "60")});
  play.cycle();
  rejects(play);
  play.advances(301'000).flushes_leftover();
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  PodObject foreign = waiting(pod("w", 0, 1000), "60");
  foreign.pod.scheduler_name = "other";
  run(play, WriteCommand{Verb::update, foreign});
  run(play, WriteCommand{Verb::remove, foreign});
  PodObject second = waiting(pod("w", 0, 1000), "60");
  second.pod.uid = "u-second";
  run(play, WriteCommand{Verb::create, second});
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  EXPECT_EQ(play.world.bindings.size(), 2U);
  const StepAnswer late = waits_for(play, 60);
  EXPECT_TRUE(late.state.waiting.empty());
  EXPECT_EQ(late.state.attempts.at("default/w"), 2);
}

// QUE-PERMIT-1
TEST(Permit, HasAPodWaitInFlight) {
  for (const char* release : {k_32, k_34, k_35, k_37}) {
    Play play = with_waiting(release);
    EXPECT_EQ(waiting_in(play), Names{"default/w"}) << release;
    EXPECT_EQ(play.place("w"), "in flight") << release;
    EXPECT_TRUE(play.world.cache.assumed.contains("u-w")) << release;
    const bool is_nominated = std::string(release) == k_35 || std::string(release) == k_37;
    EXPECT_EQ(play.calls(), is_nominated ? Names{"patch w n1"} : Names{}) << release;
  }
}

// QUE-PERMIT-1
TEST(Permit, DoesNotNominateAPodThatNamesTheNode) {
  Play play(k_36);
  play.node("n1", 1000);
  PodObject object = waiting(pod("w", 0, 1000));
  object.pod.nominated_node_name = "n1";
  reference::create(play.world, object);
  CanonicalChoices choices;
  settle(play.world, choices);
  play.cycle();
  EXPECT_TRUE(play.calls().empty());
  EXPECT_EQ(waiting_in(play), Names{"default/w"});
}

// QUE-PERMIT-1
TEST(Permit, ReadsANumberOfSeconds) {
  for (const auto& [text, seconds] : {std::pair("60", 60),
                                      {"900", 900},
                                      {"1", 1},
                                      {"901", 0},
                                      {"0", 0},
                                      {"", 0},
                                      {"x", 0},
                                      {"6x", 0},
                                      {"-6", 0},
                                      {"99999999999", 0}})
    EXPECT_EQ(reference::permit_wait_ns(waiting(pod("w", 0, 0), text)), Quantity{seconds} * 1'000'000'000)
        << text;
  EXPECT_EQ(reference::permit_wait_ns(PodObject{}), 0);
}

// QUE-PERMIT-2
TEST(Permit, BindsAPodThatIsAllowed) {
  Play play = with_waiting(k_36);
  const StepAnswer answer = allows(play);
  ASSERT_EQ(answer.calls.size(), 1u);
  EXPECT_EQ(answer.calls[0].kind, CallKind::bind);
  EXPECT_EQ(play.stored("w").node_name, "n1");
  EXPECT_TRUE(waiting_in(play).empty());
  EXPECT_EQ(play.place("w"), "");
  EXPECT_EQ(allows(play).error->code, "not-waiting");
}

// QUE-PERMIT-2: a pod that is being bound does not wait, and each pod has its own verdict.
TEST(Permit, AllowsTheOneThatItNames) {
  Play play(k_36);
  play.node("n1", 3000).holds(CallKind::bind, "b");
  for (const char* name : {"b", "v", "w"}) {
    PodObject object =
        waiting(pod(name, name == std::string("b") ? 9 : 0, 1000), name == std::string("b") ? "0" : "60");
    reference::create(play.world, object);
  }
  CanonicalChoices choices;
  settle(play.world, choices);
  for (int i = 0; i < 3; ++i) play.cycle();
  EXPECT_EQ(waiting_in(play), (Names{"default/v", "default/w"}));
  EXPECT_FALSE(allows(play).error);
  EXPECT_EQ(waiting_in(play), Names{"default/v"});
  EXPECT_EQ(run(play, PermitCommand{"default/b", true}).error->code, "not-waiting");
}

// QUE-PERMIT-3
TEST(Permit, RejectsAPod) {
  for (const char* release : {k_29, k_32, k_37}) {
    Play play = with_waiting(release);
    rejects(play);
    EXPECT_EQ(play.place("w"), "unschedulable") << release;
    EXPECT_EQ(play.entry("w").rejectors, std::set<std::string>{"TouchstonePermit"}) << release;
    EXPECT_EQ(play.message("w"), "0/1 nodes are available: 1 rejected.") << release;
    EXPECT_TRUE(play.world.cache.assumed.empty()) << release;
  }
  Play old = with_waiting(k_28);
  rejects(old);
  EXPECT_TRUE(old.entry("w").rejectors.empty());
  EXPECT_EQ(old.message("w"), "rejected");
}

// QUE-PERMIT-3: other pods are woken when the patch is answered.
TEST(Permit, WakesOthersInTheEnd) {
  Play play = with_waiting(k_36);
  play.creates(pod("q", 0, 1000));
  play.cycle();
  play.holds(CallKind::patch, "w");
  rejects(play);
  EXPECT_EQ(play.place("q"), "unschedulable");
  play.answers(CallKind::patch, "w", CallResult::ok);
  EXPECT_EQ(play.place("q"), "backoff");
  EXPECT_EQ(play.place("w"), "unschedulable");
}

// QUE-PERMIT-3: a rejection that changes nothing in the API needs no patch.
TEST(Permit, RejectsAgainWithoutAPatch) {
  Play play = with_waiting(k_34);
  rejects(play);
  waits_for(play, 301);
  play.flushes_leftover();
  play.cycle();
  EXPECT_TRUE(rejects(play).calls.empty());
  EXPECT_EQ(play.place("w"), "unschedulable");
  EXPECT_TRUE(play.world.bindings.empty());
}

// QUE-PERMIT-3: the pods whose waits end first are rejected first.
TEST(Permit, RejectsPodsThatHaveWaitedForLongEnough) {
  Play play(k_36);
  play.node("n1", 3000);
  for (const auto& [name, priority, seconds] :
       {std::tuple("a", 9, "60"), std::tuple("b", 8, "5"), std::tuple("c", 7, "60")})
    reference::create(play.world, waiting(pod(name, priority, 1000), seconds));
  CanonicalChoices choices;
  settle(play.world, choices);
  for (int i = 0; i < 3; ++i) play.cycle();
  EXPECT_EQ(waiting_in(play).size(), 3u);
  EXPECT_TRUE(waits_for(play, 4).calls.empty());
  const StepAnswer answer = waits_for(play, 56);
  Names order;
  for (const Call& call : answer.calls) order.push_back(call.name);
  EXPECT_EQ(order, (Names{"b", "a", "c"}));
  EXPECT_TRUE(waiting_in(play).empty());
}

// QUE-PERMIT-4, QUE-PERMIT-7
TEST(Permit, PreemptsAWaitingPodWithoutACall) {
  for (const char* release : {k_29, k_32, k_34, k_35, k_36, k_37}) {
    Play play = with_waiting(release);
    play.creates(pod("p", 10, 1000));
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::nominated) << release;
    EXPECT_FALSE(play.stored("w").terminating) << release;
    const bool is_error = play.world.release.preempted_wait_is_error;
    EXPECT_EQ(play.place("w"), is_error ? "backoff" : "unschedulable") << release;
    EXPECT_EQ(play.entry("w").rejectors.contains("DefaultPreemption"), !is_error) << release;
    EXPECT_EQ(play.place("p"), std::string(release) == k_37 ? "active" : "backoff") << release;
  }
}

// QUE-PERMIT-4: up to v1.35 the last victim is rejected although a call failed.
TEST(Permit, SparesTheLastVictimAfterAFailureOnlyInLaterReleases) {
  for (const char* release : {k_34, k_36}) {
    Play play(release);
    play.node("n1", 2000).creates(started(placed(pod("v", 1, 1000), "n1"), 1));
    reference::create(play.world, waiting(pod("w", 0, 1000)));
    CanonicalChoices choices;
    settle(play.world, choices);
    play.cycle();
    play.creates(pod("p", 10, 2000)).holds(CallKind::remove, "v");
    play.cycle();
    EXPECT_EQ(waiting_in(play).size(), 1u) << release;
    play.answers(CallKind::remove, "v", CallResult::error);
    EXPECT_EQ(waiting_in(play).size(), std::string(release) == k_36 ? 1u : 0u) << release;
    EXPECT_EQ(play.place("p"), "active") << release;
  }
}

// QUE-PERMIT-5
TEST(Permit, CountsTheFirstVerdict) {
  for (const char* release : {k_35, k_36}) {
    Play play(release);
    play.node("n1", 1000).holds(CallKind::patch, "w");
    reference::create(play.world, waiting(pod("w", 0, 1000)));
    CanonicalChoices choices;
    settle(play.world, choices);
    play.cycle();
    allows(play);
    rejects(play);
    waits_for(play, 60);
    play.creates(pod("p", 10, 1000));
    play.cycle();
    const bool is_evicted = std::string(release) == k_36;
    EXPECT_EQ(reference::find_pod(play.world.stored.pods, "default", "w") == nullptr, is_evicted) << release;
    play.answers(CallKind::patch, "w", CallResult::error);
    if (!is_evicted) {
      EXPECT_EQ(play.stored("w").node_name, "n1") << release;
    }
    EXPECT_TRUE(waiting_in(play).empty()) << release;
  }
}

// QUE-PERMIT-1, QUE-PERMIT-3: w is allowed while its nomination is written, so it is not late. x, which
// waits behind it, is late.
TEST(Permit, IsNotLateOnceAllowed) {
  Play play(k_36);
  play.node("n1", 4000).holds(CallKind::patch, "w");
  run(play, WriteCommand{Verb::create, waiting(pod("w", 0, 1000), "60")});
  play.cycle();
  run(play, WriteCommand{Verb::create, waiting(pod("x", 0, 1000), "70")});
  play.cycle();
  allows(play);
  const StepAnswer late = waits_for(play, 80);
  EXPECT_FALSE(late.clauses.contains("QUE-PERMIT-5"));
  EXPECT_EQ(late.state.waiting, Names{"default/w"});
}

// QUE-PERMIT-6, EVT-POD-4
TEST(Permit, RejectsADeletedPod) {
  for (const char* release : {k_29, k_32, k_34, k_35, k_36, k_37}) {
    Play play = with_waiting(release);
    play.creates(pod("q", 0, 1000));
    play.cycle();
    play.deletes("w");
    EXPECT_EQ(play.place("q"), "backoff") << release;
    EXPECT_EQ(play.place("w"), "") << release;
    EXPECT_TRUE(waiting_in(play).empty()) << release;
    EXPECT_TRUE(play.world.cache.assumed.empty()) << release;
  }
}

// QUE-PERMIT-5, QUE-PERMIT-6: a pod that has a verdict leaves the cache at once from v1.36 on.
TEST(Permit, ForgetsADeletedPodThatHasAVerdict) {
  for (const char* release : {k_35, k_36}) {
    Play play(release);
    play.node("n1", 1000).holds(CallKind::patch, "w");
    reference::create(play.world, waiting(pod("w", 0, 1000)));
    CanonicalChoices choices;
    settle(play.world, choices);
    play.cycle();
    rejects(play);
    play.deletes("w");
    EXPECT_EQ(play.world.cache.assumed.contains("u-w"), std::string(release) == k_35) << release;
    play.answers(CallKind::patch, "w", CallResult::ok);
    EXPECT_TRUE(play.world.bindings.empty()) << release;
    EXPECT_EQ(play.place("w"), "") << release;
  }
}

}  // namespace touchstone::tests::permit_test
