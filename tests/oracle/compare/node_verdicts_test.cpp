#include "oracle/compare/node_verdicts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

/// Verdicts on nodes: each node is counted once, and what is not claimed is never read as agreement.
namespace touchstone::oracle {

namespace {

/// The pod fits on n0; n1 is rejected by its ports, n2 by its taint, and n3 without a plug-in.
Json reference_answer() {
  return Json::parse(R"({"outcome": "fits", "feasible": ["n0"], "filter": {
    "n1": {"code": "Unschedulable", "plugin": "NodePorts", "reasons": ["no free port"]},
    "n2": {"code": "UnschedulableAndUnresolvable", "plugin": "TaintToleration", "reasons": ["a taint"]},
    "n3": {"code": "UnschedulableAndUnresolvable", "reasons": ["excluded"]}}})");
}

NodeVerdicts compared(const char* fits, const std::set<std::string>& features = {"fits.NodePorts"}) {
  return compare_verdicts(Json::parse(fits), reference_answer(), features,
                          find_release("v1.34.4").value().release);
}

}  // namespace

TEST(NodeVerdicts, CountEachNodeOnce) {
  const NodeVerdicts found =
      compared(R"({"n0": true, "n1": {"reasons": []}, "n2": true, "n3": true, "n9": true})");
  EXPECT_EQ(found.agree, 2u);
  EXPECT_TRUE(found.differences.empty());
  const std::map<std::string, std::uint64_t> skipped = {
      {"rejected by TaintToleration, which is not claimed", 1},
      {"rejected without a plug-in", 1},
      {"the reference has no verdict", 1}};
  EXPECT_EQ(found.skipped, skipped);
}

TEST(NodeVerdicts, DifferWhereANodeIsWronglyAcceptedOrRejected) {
  const NodeVerdicts found = compared(R"({"n0": {"plugin": "NodePorts", "reasons": ["x"]}, "n1": true})");
  ASSERT_EQ(found.differences.size(), 2u);
  EXPECT_EQ(found.differences[0].key, "filter.n0");
  EXPECT_EQ(found.differences[0].given, R"({"plugin":"NodePorts","reasons":["x"]})");
  EXPECT_EQ(found.differences[0].ours, "null");
  EXPECT_EQ(found.differences[1].key, "filter.n1");
  EXPECT_EQ(found.differences[1].given, "null");
  EXPECT_EQ(found.skipped.at("the subject gives no verdict"), 2u);
}

TEST(NodeVerdicts, SkipWhatTheSubjectDoesNotClaim) {
  const NodeVerdicts found = compared(R"({"n0": "volumes: v", "n1": "volumes: w", "n2": {}, "n3": {}})");
  EXPECT_EQ(found.agree, 0u);
  EXPECT_EQ(found.skipped.at("by the subject: volumes"), 2u);
  const NodeVerdicts none = compared(R"({"n0": true, "n1": {}, "n2": {}, "n3": {}})", {});
  EXPECT_EQ(none.agree, 1u);  // n0
  EXPECT_EQ(none.skipped.at("rejected by NodePorts, which is not claimed"), 1u);
}

// The filters before NodePorts let n1 pass, since NodePorts rejects it first.
TEST(NodeVerdicts, KnowWhatEarlierFiltersSay) {
  const NodeVerdicts earlier = compared(R"({"n1": true})", {"fits.TaintToleration", "fits.NodeName"});
  EXPECT_EQ(earlier.agree, 1u);
  EXPECT_EQ(compared(R"({"n1": {}})", {"fits.TaintToleration"}).differences.size(), 1u);
  const NodeVerdicts later = compared(R"({"n1": true})", {"fits.NodeResourcesFit"});
  EXPECT_EQ(later.agree, 0u);
  EXPECT_EQ(later.skipped.at("rejected by NodePorts, which is not claimed"), 1u);
}

TEST(NodeVerdicts, HaveTheTypesOfTheProtocol) {
  for (const char* good : {"{}", R"({"n": true})", R"({"n": "why"})", R"({"n": {}})",
                           R"({"n": {"plugin": "p", "reasons": ["r"]}})"})
    EXPECT_TRUE(are_verdicts(Json::parse(good))) << good;
  for (const char* bad :
       {"[]", "7", "null", R"({"n": false})", R"({"n": 1})", R"({"n": null})", R"({"n": []})",
        R"({"n": {"plugin": 1}})", R"({"n": {"reasons": "r"}})", R"({"n": {"reasons": [1]}})"})
    EXPECT_FALSE(are_verdicts(Json::parse(bad))) << bad;
}

}  // namespace touchstone::oracle
