#include "reference/scores/own_selectors.hpp"

#include <gtest/gtest.h>

#include "tests/support/topology.hpp"

/// Tests which selectors of Services and controllers are the preemptor's own.
namespace touchstone::tests::score_own_selectors_test {

namespace {

using Selectors = std::vector<LabelSelector>;

SelectingObject object(SelectingKind kind, std::optional<LabelSelector> selector) {
  return {kind, "default", "owner", std::move(selector)};
}
SelectingObject service(std::optional<LabelSelector> selector) {
  return object(SelectingKind::service, std::move(selector));
}
SelectingObject replication_controller(std::optional<LabelSelector> selector) {
  return object(SelectingKind::replication_controller, std::move(selector));
}
SelectingObject replica_set(std::optional<LabelSelector> selector) {
  return object(SelectingKind::replica_set, std::move(selector));
}
SelectingObject stateful_set(std::optional<LabelSelector> selector) {
  return object(SelectingKind::stateful_set, std::move(selector));
}

LabelSelector is(const std::string& key, const std::string& value) { return {{{key, value}}, {}}; }
LabelSelector is_in(const std::string& key, std::vector<std::string> values) {
  return {{}, {{key, "In", std::move(values)}}};
}
LabelSelector lacks(const std::string& key) { return {{}, {{key, "DoesNotExist", {}}}}; }

/// A pod with the labels app=x and tier=web.
Pod p() {
  Pod p = with_app(pod("p", 10, 100), "x");
  p.labels["tier"] = "web";
  return p;
}

Pod controlled_by(const std::string& api_version, const std::string& kind,
                  const std::string& name = "owner") {
  Pod owned = p();
  owned.controller = Controller{api_version, kind, name, "uid"};
  return owned;
}

Selectors selectors_of(const Pod& preemptor, std::vector<SelectingObject> selecting, const char* name) {
  Question question = QuestionBuilder().node("n1", 1000).asks(preemptor);
  question.cluster.selecting = std::move(selecting);
  const Release of = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, of, trace);
  return reference::own_selectors(cycle);
}

}  // namespace

// SCORE-SELECTOR-1
TEST(OwnSelectors, AreThoseThatSelectThePod) {
  const std::vector<SelectingObject> all = {
      service(is("app", "x")), service(is("app", "y")), replication_controller(is("tier", "web")),
      replica_set(is_in("app", {"x", "y"})), stateful_set(is_in("app", {"y"}))};
  const Selectors expected = {is("app", "x"), is("tier", "web"), is_in("app", {"x", "y"})};
  EXPECT_EQ(selectors_of(p(), all, "v1.13"), expected);
  EXPECT_EQ(selectors_of(p(), all, "v1.16"), expected);
  EXPECT_EQ(selectors_of(p(), {}, "v1.13"), Selectors{});
}

// SCORE-SELECTOR-1
TEST(OwnSelectors, AreOfTheNamespaceOfThePod) {
  SelectingObject foreign = service(is("app", "x"));
  foreign.ns = "other";
  EXPECT_EQ(selectors_of(p(), {foreign}, "v1.13"), Selectors{});
  EXPECT_EQ(selectors_of(p(), {foreign}, "v1.34"), Selectors{});
}

// SCORE-SELECTOR-1
TEST(OwnSelectors, OfAServiceMayBeEmptyButNotMissing) {
  EXPECT_EQ(selectors_of(p(), {service(LabelSelector{})}, "v1.13"), Selectors{LabelSelector{}});
  EXPECT_EQ(selectors_of(p(), {service(std::nullopt)}, "v1.13"), Selectors{});
  EXPECT_EQ(selectors_of(p(), {replica_set(LabelSelector{})}, "v1.13"), Selectors{});
  EXPECT_EQ(selectors_of(p(), {replication_controller(LabelSelector{})}, "v1.13"), Selectors{});
}

// SCORE-SELECTOR-1
TEST(OwnSelectors, OfControllersSelectNoPodWithoutLabels) {
  Pod bare = p();
  bare.labels.clear();
  EXPECT_EQ(selectors_of(bare, {stateful_set(lacks("app"))}, "v1.13"), Selectors{});
  EXPECT_EQ(selectors_of(bare, {service(LabelSelector{})}, "v1.13"), Selectors{LabelSelector{}});
  bare.labels["tier"] = "db";
  EXPECT_EQ(selectors_of(bare, {stateful_set(lacks("app"))}, "v1.13"), Selectors{lacks("app")});
}

// SCORE-SELECTOR-1
TEST(OwnSelectors, AreMergedFrom117) {
  LabelSelector both = is("app", "x");
  both.match_expressions = {{"tier", "Exists", {}}};
  const std::vector<SelectingObject> all = {service(is("app", "x")),
                                            replication_controller(is("tier", "web")), replica_set(both)};
  const LabelSelector merged{{{"app", "x"}, {"tier", "web"}}, {{"app", "In", {"x"}}, {"tier", "Exists", {}}}};
  EXPECT_EQ(selectors_of(p(), all, "v1.17"), Selectors{merged});
  EXPECT_EQ(selectors_of(p(), all, "v1.21"), Selectors{merged});
  EXPECT_EQ(selectors_of(p(), {service(LabelSelector{})}, "v1.17"), Selectors{});
  EXPECT_EQ(selectors_of(p(), {service(is("app", "y"))}, "v1.17"), Selectors{});
}

// SCORE-SELECTOR-2
TEST(OwnSelectors, CountTheControllerAloneFrom122) {
  const std::vector<SelectingObject> all = {service(is("tier", "web")), replica_set(is("app", "x"))};
  const LabelSelector merged{{{"tier", "web"}}, {{"app", "In", {"x"}}}};
  EXPECT_EQ(selectors_of(p(), all, "v1.21"), Selectors{merged});
  EXPECT_EQ(selectors_of(p(), all, "v1.22"), Selectors{is("tier", "web")});
  EXPECT_EQ(selectors_of(controlled_by("apps/v1", "ReplicaSet"), all, "v1.22"), Selectors{merged});
}

// SCORE-SELECTOR-2: without a controller, the pod has no selector of one.
TEST(OwnSelectors, AreOfNoControllerIfThePodHasNone) {
  Question question = QuestionBuilder().node("n1", 1000).asks(controlled_by("apps/v1", "ReplicaSet"));
  question.cluster.selecting = {replica_set(is("app", "x"))};
  const Release of = release("v1.34");
  const auto count = [&question, &of] {
    Trace trace = Trace::none();
    return reference::own_selectors(reference::Cycle(question, of, trace)).size();
  };
  EXPECT_EQ(count(), 1U);
  question.pod.controller.reset();
  EXPECT_EQ(count(), 0U);
}

// SCORE-SELECTOR-2
TEST(OwnSelectors, FindTheControllerByItsTypeAndName) {
  const std::vector<SelectingObject> sets = {replica_set(is_in("app", {"x"}))};
  const Selectors found = {is_in("app", {"x"})};
  const Selectors by_label = {is("app", "x")};
  EXPECT_EQ(selectors_of(controlled_by("apps/v1", "ReplicaSet"), sets, "v1.34"), found);
  EXPECT_EQ(selectors_of(controlled_by("extensions/v1beta1", "ReplicaSet"), sets, "v1.34"), Selectors{});
  EXPECT_EQ(selectors_of(controlled_by("apps/v1", "StatefulSet"), sets, "v1.34"), Selectors{});
  EXPECT_EQ(selectors_of(controlled_by("apps/v1", "ReplicaSet", "other"), sets, "v1.34"), Selectors{});
  EXPECT_EQ(
      selectors_of(controlled_by("apps/v1", "StatefulSet"), {stateful_set(is_in("app", {"x"}))}, "v1.34"),
      found);
  const std::vector<SelectingObject> older = {replication_controller(is("app", "x"))};
  EXPECT_EQ(selectors_of(controlled_by("v1", "ReplicationController"), older, "v1.34"), by_label);
  EXPECT_EQ(selectors_of(controlled_by("apps/v1", "ReplicationController"), older, "v1.34"), Selectors{});
}

// SCORE-SELECTOR-2
TEST(OwnSelectors, OfTheControllerNeedNotSelectThePod) {
  const std::vector<SelectingObject> all = {service(is("app", "x")), replication_controller(is("app", "y"))};
  EXPECT_EQ(selectors_of(controlled_by("v1", "ReplicationController"), all, "v1.34"),
            Selectors{is("app", "y")});
  EXPECT_EQ(selectors_of(controlled_by("v1", "ReplicationController"), all, "v1.21"),
            Selectors{is("app", "x")});
}

// SCORE-SELECTOR-2
TEST(OwnSelectors, AddNothingIfTheControllersSelectorIsInvalidOrMissing) {
  const Pod owned = controlled_by("apps/v1", "ReplicaSet");
  LabelSelector invalid = is("app", "x");
  invalid.match_expressions = {{"app", "Gt", {"1"}}};
  EXPECT_EQ(selectors_of(owned, {service(is("app", "x")), replica_set(invalid)}, "v1.34"),
            Selectors{is("app", "x")});
  EXPECT_EQ(selectors_of(owned, {replica_set(std::nullopt)}, "v1.34"), Selectors{});
  EXPECT_EQ(selectors_of(owned, {replica_set(LabelSelector{})}, "v1.34"), Selectors{});
}

}  // namespace touchstone::tests::score_own_selectors_test
