#include "kubernetes/write/written.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/quantity.hpp"
#include "kubernetes/text/time.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::kubernetes::written_test {

namespace {

constexpr Quantity k_min = std::numeric_limits<Quantity>::min();
constexpr Quantity k_max = std::numeric_limits<Quantity>::max();

Quantity read_time(Quantity time_ns) {
  const Result<Quantity> read = parse_time(written_time(time_ns));
  EXPECT_TRUE(read) << written_time(time_ns);
  return read ? read.value() : 0;
}

/// A question with a value in each field that a scorer reads, and in `start`.
Question question_with_scores() {
  Question question = tests::QuestionBuilder()
                          .node("n1", 1000)
                          .has(tests::with_app(tests::pod("a", 0, 1000), "x"))
                          .asks(tests::pod("p", 10, 1000));
  Node& node = question.cluster.nodes[0];
  node.images = {{.names = {"r/a@sha256:1", "r/a:2"}, .size = k_max}, {.names = {}, .size = 0}};
  node.avoided = {{.api_version = "", .kind = "ReplicaSet", .name = "", .uid = "\"u\""}, {}};
  Pod& pod = question.pod;
  pod.controller = Controller{.api_version = "apps/v1", .kind = "ReplicaSet", .name = "rs", .uid = "u"};
  pod.containers[0].image = "r/a:2";
  pod.volumes = {{.name = "v", .source = {.kind = "image", .id = "r/b"}}};
  pod.preferred_node_affinity = {
      {.weight = 7, .preference = {.match_expressions = {{"k", "In", {"v"}}}, .match_fields = {}}},
      {.weight = -1, .preference = {}}};
  const PodAffinityTerm term{.label_selector = LabelSelector{{{"app", "x"}}, {}},
                             .namespaces = {"default"},
                             .namespace_selector = LabelSelector{},
                             .topology_key = "zone",
                             .match_label_keys = {"m"},
                             .mismatch_label_keys = {"n"}};
  pod.preferred_pod_affinity = {{.weight = 100, .term = term}, {.weight = 0, .term = {}}};
  pod.preferred_pod_anti_affinity = {{.weight = 1, .term = term}};
  const LabelSelector labels{{{"app", "x"}}, {}};
  const LabelSelector selector{{{"app", "x"}}, {{"k", "Exists", {}}}};
  question.cluster.selecting = {
      {.kind = SelectingKind::service, .ns = "default", .name = "a", .selector = labels},
      {.kind = SelectingKind::service, .ns = "default", .name = "b", .selector = LabelSelector{}},
      {.kind = SelectingKind::service, .ns = "x", .name = "a", .selector = {}},
      {.kind = SelectingKind::replication_controller, .ns = "default", .name = "c", .selector = labels},
      {.kind = SelectingKind::replica_set, .ns = "default", .name = "d", .selector = selector},
      {.kind = SelectingKind::replica_set, .ns = "default", .name = "e", .selector = LabelSelector{}},
      {.kind = SelectingKind::stateful_set, .ns = "default", .name = "d", .selector = {}}};
  question.start = 3;
  return question;
}

void expect_same_scores(const Cluster& cluster, const Pod& pod) {
  const Question question = question_with_scores();
  const Node& node = cluster.nodes.at(0);
  ASSERT_EQ(node.images.size(), 2U);
  EXPECT_EQ(node.images[0].names, question.cluster.nodes[0].images[0].names);
  EXPECT_EQ(node.images[0].size, k_max);
  EXPECT_EQ(node.avoided, question.cluster.nodes[0].avoided);
  EXPECT_EQ(pod.controller, question.pod.controller);
  EXPECT_EQ(pod.containers.at(0).image, "r/a:2");
  EXPECT_EQ(pod.volumes, question.pod.volumes);
  ASSERT_EQ(pod.preferred_node_affinity.size(), 2U);
  EXPECT_EQ(pod.preferred_node_affinity[0].weight, 7);
  EXPECT_EQ(pod.preferred_node_affinity[0].preference.match_expressions,
            question.pod.preferred_node_affinity[0].preference.match_expressions);
  EXPECT_EQ(pod.preferred_node_affinity[1].weight, -1);
  EXPECT_EQ(pod.preferred_pod_affinity, question.pod.preferred_pod_affinity);
  EXPECT_EQ(pod.preferred_pod_anti_affinity, question.pod.preferred_pod_anti_affinity);
  ASSERT_EQ(cluster.selecting.size(), question.cluster.selecting.size());
  for (std::size_t i = 0; i < cluster.selecting.size(); ++i) {
    EXPECT_EQ(cluster.selecting[i].kind, question.cluster.selecting[i].kind);
    EXPECT_EQ(cluster.selecting[i].ns, question.cluster.selecting[i].ns);
    EXPECT_EQ(cluster.selecting[i].name, question.cluster.selecting[i].name);
    EXPECT_EQ(cluster.selecting[i].selector, question.cluster.selecting[i].selector);
  }
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

TEST(WrittenQuestion, HasTheFieldsOfScorers) {
  const std::string text = written(question_with_scores()).dump();
  const Result<Question> read = read_question_text(text, "");
  ASSERT_TRUE(read) << read.error().path << ": " << read.error().message;
  EXPECT_EQ(read.value().start, 3);
  expect_same_scores(read.value().cluster, read.value().pod);
  EXPECT_EQ(written(read.value()).dump(), text);
}

TEST(Written, HasExtendersAndLimits) {
  Question question = question_with_scores();
  question.pod.containers[0].limits = {{"cpu", 2000}, {"example.com/gpu", 1}};
  question.extenders = {tests::filters({{"n1", tests::rejected("no")}}), tests::scores(2, {{"n1", 7}})};
  const Result<Question> read = read_question_text(written(question).dump(), "");
  ASSERT_TRUE(read) << read.error().path << ": " << read.error().message;
  EXPECT_EQ(read.value().extenders, question.extenders);
  EXPECT_EQ(read.value().pod.containers[0].limits, question.pod.containers[0].limits);
}

TEST(WrittenList, HasTheFieldsOfScorers) {
  const Result<Dump> dump = parse_dump(written_list(question_with_scores()).dump(), "list");
  ASSERT_TRUE(dump) << dump.error().path << ": " << dump.error().message;
  expect_same_scores(dump.value().cluster, dump.value().cluster.pods.at(1));
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
