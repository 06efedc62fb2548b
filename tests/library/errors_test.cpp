#include <gtest/gtest.h>

#include "tests/library/small_cluster.hpp"

/// Errors of libtouchstone: wrong objects, handles, arguments and options.
namespace touchstone {

TEST(LibraryErrors, HaveCodePlaceAndText) {
  const auto cluster = Cluster::load(R"({"release":"v1.37.2","nodes":[{"metadata":{"name":7}}]})");
  EXPECT_EQ(cluster.error().code, "wrong-type");
  EXPECT_EQ(cluster.error().place, "cluster: nodes[0] (Node).metadata.name");
  EXPECT_FALSE(cluster.error().text.empty());
  EXPECT_EQ(Cluster::load("{}").error().code, "missing-field");
  EXPECT_EQ(Cluster::load(R"({"release":"v9"})").error().code, "unknown-release");
  EXPECT_EQ(Cluster::load(R"({"release":"v1.37.2","pod":{}})").error().code, "unknown-field");
  EXPECT_EQ(Cluster::load("").error().code, "json-malformed");
  EXPECT_EQ(Cluster::load("[]").error().code, "wrong-type");
  EXPECT_EQ(Pod::read(std::string(100000, '[')).error().code, "json-malformed");
  EXPECT_EQ(Pod::read("{\"metadata\": \0 }").error().code, "json-malformed");
}

TEST(LibraryErrors, LeaveTheClusterAsItWas) {
  Cluster cluster = loaded(small_cluster());
  const Json question{{"cmd", "schedule"}, {"pod", pod("new", "1", 0)}};
  const Json before = asked(cluster, question, TOUCHSTONE_REFERENCE);
  EXPECT_EQ(cluster.put("Dog", "{}").error().code, "unknown-kind");
  EXPECT_EQ(cluster.put("Node", "{").error().code, "json-malformed");
  EXPECT_EQ(cluster.put("Node", "{}").error().code, "missing-field");
  EXPECT_EQ(cluster.put("Pod", pod("p0", "9223372036854775807", 0, "n0").dump()).error().code,
            "quantity-overflow");
  EXPECT_EQ(cluster.remove("Pod", "a", "none").error().code, "unknown-object");
  EXPECT_EQ(cluster.remove("Node", "", "none").error().code, "unknown-object");
  EXPECT_EQ(cluster.remove("Service", "a", "none").error().code, "unknown-object");
  EXPECT_EQ(cluster.remove("CSINode", "", "none").error().code, "unknown-object");
  EXPECT_EQ(cluster.bind(read(pod("new", "1", 0)), "none").error().code, "unknown-object");
  EXPECT_EQ(asked(cluster, {{"cmd", "dance"}}, TOUCHSTONE_REFERENCE)["error"]["code"], "unknown-command");
  EXPECT_EQ(asked(cluster, {{"cmd", "run"}, {"pod", pod("x", "1", 0)}, {"nodes", Json::array()}},
                  TOUCHSTONE_REFERENCE)["error"]["code"],
            "unknown-field");
  EXPECT_EQ(asked(cluster, question, TOUCHSTONE_REFERENCE), before);
}

TEST(LibraryErrors, NameSumsThatExceed64Bits) {
  Json big = pod("big", "1", 0, "n0");
  big["spec"]["containers"][0]["resources"]["requests"]["memory"] = "5Ei";
  Cluster cluster = loaded(small_cluster());
  cluster.put("Pod", big.dump()).value();
  cluster.put("Pod", big.dump()).value();  // replaces itself
  big["metadata"]["name"] = "bigger";
  big["metadata"]["uid"] = "bigger";
  EXPECT_EQ(cluster.put("Pod", big.dump()).error().code, "quantity-overflow");
  EXPECT_EQ(cluster.pods(), 3U);
  big["spec"]["nodeName"] = "n1";
  cluster.put("Pod", big.dump()).value();
  EXPECT_EQ(cluster.bind(read(big), "n0").error().code, "quantity-overflow");
  cluster.remove("Pod", "a", "big").value();
  cluster.bind(read(big), "n0").value();
}

TEST(LibraryHandles, ThatAreWrongAreErrors) {
  touchstone_decision* decision = nullptr;
  touchstone_pod* made = nullptr;
  const std::string json = pod("p", "1", 0).dump();
  ASSERT_EQ(touchstone_decision_new(&decision), nullptr);
  ASSERT_EQ(touchstone_pod_read(json.data(), json.size(), &made), nullptr);
  int foreign = 0;
  const auto code = [&](touchstone_error* error) { return detail::done(error).error(); };
  for (void* const wrong :
       {static_cast<void*>(nullptr), static_cast<void*>(&foreign), static_cast<void*>(made)}) {
    const auto cluster = static_cast<touchstone_cluster*>(wrong);
    EXPECT_EQ(code(touchstone_schedule(cluster, made, nullptr, decision)).code, "invalid-handle");
    EXPECT_EQ(code(touchstone_schedule(cluster, made, nullptr, decision)).place, "cluster");
    EXPECT_EQ(touchstone_cluster_nodes(cluster), 0U);
    EXPECT_EQ(touchstone_decision_node(static_cast<touchstone_decision*>(wrong)), nullptr);
    EXPECT_EQ(touchstone_error_code(static_cast<touchstone_error*>(wrong)), nullptr);
    touchstone_cluster_free(cluster);
    touchstone_error_free(static_cast<touchstone_error*>(wrong));
    touchstone_text_free(static_cast<char*>(wrong));
  }
  touchstone_pod_free(made);
  touchstone_pod_free(made);
  touchstone_decision_free(decision);
  EXPECT_EQ(touchstone_decision_outcome(decision), TOUCHSTONE_NOTHING);
  EXPECT_EQ(touchstone_decision_victim(decision, 0), nullptr);
}

TEST(LibraryHandles, AreNotNeededWhereAnArgumentIsMissing) {
  char* answer = nullptr;
  const auto code = [](touchstone_error* error) { return detail::done(error).error().code; };
  EXPECT_EQ(code(touchstone_ask(TOUCHSTONE_REFERENCE, "{}", 2, nullptr)), "missing-argument");
  EXPECT_EQ(code(touchstone_ask(TOUCHSTONE_REFERENCE, nullptr, 2, &answer)), "missing-argument");
  EXPECT_EQ(code(touchstone_ask(static_cast<touchstone_engine>(3), "{}", 2, &answer)), "unknown-engine");
  EXPECT_EQ(code(touchstone_cluster_load(nullptr, 7, nullptr)), "missing-argument");
  EXPECT_EQ(code(touchstone_subject_new(TOUCHSTONE_BOTH, nullptr)), "missing-argument");
  EXPECT_EQ(answer, nullptr);
  EXPECT_EQ(touchstone_abi(), TOUCHSTONE_ABI);
}

TEST(LibraryOptions, OfAnUnknownSizeAreAnError) {
  Cluster cluster = loaded(small_cluster());
  Decision decision = Decision::make().value();
  touchstone_options options = TOUCHSTONE_OPTIONS_INIT;
  options.size = 4;
  EXPECT_EQ(cluster.schedule(read(pod("p", "1", 0)), decision, &options).error().place, "options.size");
}

}  // namespace touchstone
