#include "oracle/compare/comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/builder.hpp"

namespace touchstone::tests::comparison_test {

using oracle::Json;

namespace {

constexpr const char* k_text = " CSI driver is not installed on the node";

std::string text(const std::string& driver) { return driver + k_text; }

Json status(const std::string& driver, const std::vector<std::string>& any = {}) {
  Json status{{"code", "Unschedulable"}, {"plugin", "NodeVolumeLimits"}, {"reasons", {text(driver)}}};
  for (const std::string& each : any) status["anyReasonOf"].push_back(text(each));
  return status;
}

/// The reference's answer: drivers d and e are missing on n1, driver d on n2.
Json ours(const std::string& message) {
  return {{"outcome", "none"},
          {"filter", {{"n1", status("d", {"d", "e"})}, {"n2", status("d")}}},
          {"dryRun", Json::object()},
          {"message", message}};
}

std::vector<std::string> keys(const Json& given, const Json& ours) {
  std::vector<std::string> keys;
  for (const oracle::Difference& each : oracle::compare({given}, ours, release("v1.37")).differences)
    keys.push_back(each.key);
  return keys;
}

using Keys = std::vector<std::string>;

}  // namespace

// PRE-ATTACH-7
TEST(Comparison, TakesAnyReasonThatAReleaseNamesByTheOrderOfAMap) {
  const std::string of_d = "0/2 nodes are available: 1 Insufficient cpu, 2 " + text("d") + ".";
  const std::string of_both =
      "0/2 nodes are available: 1 " + text("d") + ", 1 " + text("e") + ", 1 Insufficient cpu.";
  Json given = ours(of_both);
  given["filter"]["n1"] = status("e");
  EXPECT_EQ(keys(given, ours(of_d)), Keys{});
  EXPECT_EQ(keys(ours(of_d), ours(of_d)), Keys{});
}

// PRE-ATTACH-7
TEST(Comparison, TakesNoOtherReason) {
  const std::string message = "0/2 nodes are available: 2 " + text("d") + ".";
  Json given = ours(message);
  given["filter"]["n1"] = status("f");
  EXPECT_EQ(keys(given, ours(message)), Keys{"filter.n1"});
  given["filter"]["n1"] = status("e");
  given["filter"]["n2"] = status("e");  // only d is missing on n2
  EXPECT_EQ(keys(given, ours(message)), Keys{"filter.n2"});
}

// EXT-UNKNOWN-3, EXT-PREEMPT-3
TEST(Comparison, TakesAnyErrorThatAReleaseReportsByTheOrderOfAMap) {
  const auto errs = [](const std::string& reason) {
    return Json{{"outcome", "error"}, {"reason", reason}, {"message", "1 full. preemption: " + reason}};
  };
  Json right = errs("a");
  right["otherReasons"] = {"b", "c"};
  EXPECT_EQ(keys(errs("a"), right), Keys{});
  EXPECT_EQ(keys(errs("c"), right), Keys{});
  EXPECT_EQ(keys(errs("d"), right), Keys{"message"});
  EXPECT_EQ(keys(errs("c"), errs("a")), Keys{"message"});
}

// PRE-ATTACH-7
TEST(Comparison, CountsTheNodesOfReasonsByChanceInAMessage) {
  const std::string message = "0/2 nodes are available: 2 " + text("d") + ".";
  EXPECT_EQ(keys(ours("0/2 nodes are available: 1 " + text("d") + "."), ours(message)), Keys{"message"});
  EXPECT_EQ(keys(ours("0/2 nodes are available: 1 " + text("d") + ", 1 " + text("f") + "."), ours(message)),
            Keys{"message"});
  const std::string again = " preemption: 0/2 nodes are available: 1 " + text("d") + ", 1 other.";
  const std::string swapped = " preemption: 0/2 nodes are available: 1 " + text("e") + ", 1 other.";
  EXPECT_EQ(keys(ours(message + again), ours(message + swapped)), Keys{});
  EXPECT_EQ(keys(ours(message + again), ours(message)), Keys{"message"});
}

// The first difference is at the step where the two differ first. A message follows from the filters'
// statuses.
TEST(Comparison, GoesInTheOrderOfADecision) {
  const std::string message = "0/2 nodes are available: 2 " + text("d") + ".";
  Json given = ours("0/2 nodes are available: 1 " + text("d") + ", 1 " + text("f") + ".");
  given["filter"]["n1"] = status("f");
  EXPECT_EQ(keys(given, ours(message)), (Keys{"filter.n1", "message"}));
  given["outcome"] = "ineligible";
  EXPECT_EQ(keys(given, ours(message)), (Keys{"filter.n1", "outcome", "message"}));
}

TEST(Comparison, LooksAtTheVictimsOfANodeBeforeItsChoice) {
  const auto victims = [](const char* name) { return Json{{"victims", {name}}, {"numPDBViolations", 0}}; };
  Json right{{"outcome", "nominated"}, {"node", "n2"}, {"victims", {"default/b"}}};
  right["candidates"] = {{"n1", victims("default/a")}, {"n2", victims("default/b")}};
  right["admissible"] = Json::array({{{"node", "n2"}, {"victims", {"default/b"}}}});
  const auto nominated = [](const char* name) {
    return Json{{"outcome", "nominated"}, {"node", "n1"}, {"victims", {name}}};
  };
  EXPECT_EQ(keys(nominated("default/a"), right), Keys{"node"});
  EXPECT_EQ(keys(nominated("default/c"), right), (Keys{"victims", "node"}));
}

}  // namespace touchstone::tests::comparison_test
