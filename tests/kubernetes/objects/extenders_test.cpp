#include "kubernetes/objects/extenders.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kubernetes/write/written_extenders.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::kubernetes::extenders_test {

namespace {

Extender read(const std::string& members) {
  const Result<Document> document = Document::parse("{" + members + "}", "");
  return read_extender(document.value().root());
}

std::vector<Extender> read_all(const std::string& list) {
  const Result<Document> document = Document::parse(R"({"extenders":)" + list + "}", "");
  return read_extenders_of_question(document.value().root());
}

/// Code and path of the error; empty if there is none.
std::string error_of(const std::string& members) {
  try {
    read_all("[{" + members + "}]");
    return "";
  } catch (const InvalidInput& invalid) {
    return invalid.error.code + " " + invalid.error.path;
  }
}

void expect_written(const Extender& extender) {
  const std::vector<Extender> again = read_all("[" + written_extender(extender).dump() + "]");
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0], extender) << written_extender(extender).dump();
}

}  // namespace

TEST(ReadExtender, TakesTheConfiguration) {
  const Extender extender = read(R"("urlPrefix":"https://x","filterVerb":"f","prioritizeVerb":"s",
    "preemptVerb":"p","bindVerb":"b","weight":3,"nodeCacheCapable":true,"ignorable":true,"enableHTTPS":true,
    "httpTimeout":"1m0.5s","managedResources":[{"name":"example.com/gpu","ignoredByScheduler":true},
    {"name":"example.com/nic"}],"tlsConfig":{"insecure":true,"serverName":"n","certFile":"c","keyFile":"k",
    "caFile":"a","certData":"Yw==","keyData":"aw==","caData":"YQ=="})");
  EXPECT_EQ(extender.url_prefix, "https://x");
  EXPECT_EQ(extender.filter_verb + extender.prioritize_verb + extender.preempt_verb + extender.bind_verb,
            "fspb");
  EXPECT_EQ(extender.weight, 3);
  EXPECT_TRUE(extender.node_cache_capable && extender.ignorable && extender.enable_https);
  EXPECT_EQ(extender.http_timeout_ns, 60'500'000'000);
  EXPECT_EQ(extender.managed_resources.size(), 2U);
  EXPECT_TRUE(extender.managed_resources[0].ignored_by_scheduler);
  EXPECT_EQ(extender.tls, (ExtenderTls{true, "n", "c", "k", "a", "Yw==", "aw==", "YQ=="}));
  EXPECT_FALSE(extender.filter || extender.prioritize || extender.preempt);
  expect_written(extender);
}

TEST(ReadExtender, LeavesOutWhatIsMissing) {
  EXPECT_EQ(read(""), Extender{});
  expect_written(Extender{});
}

TEST(ReadExtender, KnowsTheUnitsOfDurations) {
  const auto timeout = [](const std::string& text) {
    return read(R"("httpTimeout":)" + text).http_timeout_ns;
  };
  EXPECT_EQ(timeout(R"("30s")"), 30'000'000'000);
  EXPECT_EQ(timeout(R"("1h2m")"), 3'720'000'000'000);
  EXPECT_EQ(timeout(R"("1ms2us3ns")"), 1'002'003);
  EXPECT_EQ(timeout(R"("0")"), 0);
  EXPECT_EQ(timeout("5000000000"), 5'000'000'000);  // a Policy has nanoseconds
  for (const char* text : {R"("s")", R"("5x")", R"("5s5")", R"("-1s")", R"("1e3s")", R"("99999999999h")"})
    EXPECT_EQ(error_of(std::string(R"("httpTimeout":)") + text),
              "duration-malformed extenders[0].httpTimeout")
        << text;
}

// EXT-ANSWER-1
TEST(ReadExtendersOfQuestion, TakesTables) {
  const std::vector<Extender> extenders =
      read_all(R"([{"filterVerb":"f","prioritizeVerb":"s","preemptVerb":"p",
    "filter":{"a":"ok","b":"failed","c":"failed: no","d":"unresolvable","e":"unresolvable: never","g":null},
    "prioritize":{"a":-3,"b":10},
    "preempt":{"a":"keep","b":null,"c":{"victims":["x/y","x/z"],"numPDBViolations":2},"d":{}}}])");
  ASSERT_EQ(extenders.size(), 1U);
  const Extender& extender = extenders[0];
  EXPECT_EQ(extender.filter->nodes,
            (std::map<std::string, FilterEntry>{{"a", tests::ok()},
                                                {"b", tests::rejected("")},
                                                {"c", tests::rejected("no")},
                                                {"d", tests::unresolvable("")},
                                                {"e", tests::unresolvable("never")}}));
  EXPECT_EQ(extender.prioritize->nodes, (std::map<std::string, Quantity>{{"a", -3}, {"b", 10}}));
  EXPECT_EQ(extender.preempt->nodes,
            (std::map<std::string, VictimsEntry>{
                {"a", tests::keeps()}, {"c", tests::evicts({"x/y", "x/z"}, 2)}, {"d", tests::evicts({})}}));
  expect_written(extender);
}

// EXT-ANSWER-1
TEST(ReadExtendersOfQuestion, TakesErrors) {
  const std::vector<Extender> extenders = read_all(R"([{"filterVerb":"f","filter":"error"},
    {"preemptVerb":"p","preempt":"error: connection refused"}])");
  EXPECT_EQ(extenders[0].filter->error, "");
  EXPECT_EQ(extenders[1].preempt->error, "connection refused");
  for (const Extender& extender : extenders) expect_written(extender);
}

TEST(ReadExtendersOfQuestion, TakesNoneForAMissingList) {
  const Result<Document> document = Document::parse("{}", "");
  EXPECT_TRUE(read_extenders_of_question(document.value().root()).empty());
}

TEST(ReadExtendersOfQuestion, RefusesWhatItCannotRead) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"("filter":{})", "wrong-table extenders[0].filter"},
      {R"("filterVerb":"f","prioritize":{})", "wrong-table extenders[0].prioritize"},
      {R"("filterVerb":"f","filter":"no")", "wrong-table extenders[0].filter"},
      {R"("filterVerb":"f","filter":{"a":"yes"})", "wrong-table extenders[0].filter.a"},
      {R"("filterVerb":"f","filter":{"a":1})", "wrong-type extenders[0].filter.a"},
      {R"("filterVerb":"f","filter":{"a":"ok","a":"ok"})", "duplicate-key extenders[0].filter.a"},
      {R"("filterVerb":"f","filter":[])", "wrong-type extenders[0].filter"},
      {R"("prioritizeVerb":"s","prioritize":{"a":"1"})", "wrong-type extenders[0].prioritize.a"},
      {R"("preemptVerb":"p","preempt":{"a":"ok"})", "wrong-table extenders[0].preempt.a"},
      {R"("preemptVerb":"p","preempt":{"a":{"victim":[]}})", "unknown-field extenders[0].preempt.a.victim"},
      {R"("verb":"p")", "unknown-field extenders[0].verb"},
      {R"("weight":"1")", "wrong-type extenders[0].weight"}};
  for (const auto& [members, expected] : wrong) EXPECT_EQ(error_of(members), expected) << members;
}

}  // namespace touchstone::kubernetes::extenders_test
