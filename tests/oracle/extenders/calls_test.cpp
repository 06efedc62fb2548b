#include "oracle/extenders/calls.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oracle/extenders/asking.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::extender_calls_test {

using namespace oracle;

namespace {

using Strings = std::vector<std::string>;

/// The extender without its answers.
Extender silent(Extender extender) {
  extender.filter.reset();
  extender.prioritize.reset();
  extender.preempt.reset();
  return extender;
}

/// n0 with a pod of priority 0 and n1, full of pods, and a pod to schedule.
Question two_nodes(Extender extender, Quantity cpu = 1000) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n1", 1000)
                          .has(pod("b", 0, 500))
                          .asks(pod("p", 10, cpu));
  question.cluster.pods[1].uid = "uid-b";
  question.extenders = {std::move(extender)};
  return question;
}

const ExtenderCall k_filter = {0, ExtenderVerb::filter, {0, 1}, {}};
const ExtenderCall k_prioritize = {0, ExtenderVerb::prioritize, {0, 1}, {}};
const ExtenderCall k_preempt = {0, ExtenderVerb::preempt, {}, {{0, {0}, 1}, {1, {1}, 0}}};

/// The message of the error about an answer; empty if it is taken.
std::string refusal(const ExtenderCall& call, const std::string& body, Extender extender) {
  Question question = two_nodes(silent(std::move(extender)));
  const Result<bool> added = add_answer(call, body, question);
  return added ? "" : added.error().message;
}

Extender answered(const ExtenderCall& call, const std::string& body, Extender extender) {
  Question question = two_nodes(silent(std::move(extender)));
  const Result<bool> added = add_answer(call, body, question);
  EXPECT_TRUE(added) << added.error().message;
  return question.extenders[0];
}

}  // namespace

TEST(ExtenderRequest, HasNodesAsObjectsOrByName) {
  const ExtenderJson objects = request_of(two_nodes(filters({})), k_filter);
  EXPECT_EQ(objects["pod"]["metadata"]["name"], "p");
  EXPECT_EQ(objects["pod"]["metadata"]["uid"], "default/p");
  ASSERT_EQ(objects["nodes"]["items"].size(), 2U);
  EXPECT_EQ(objects["nodes"]["items"][1]["metadata"]["name"], "n1");
  EXPECT_FALSE(objects.contains("nodenames"));
  const ExtenderJson names = request_of(two_nodes(filters_names({})), k_filter);
  EXPECT_EQ(names["nodenames"], (Strings{"n0", "n1"}));
  EXPECT_FALSE(names.contains("nodes"));
}

TEST(ExtenderRequest, HasVictimsAsObjectsOrByUid) {
  const ExtenderJson objects = request_of(two_nodes(preempts({})), k_preempt);
  EXPECT_EQ(objects["nodeNameToVictims"]["n0"]["numPDBViolations"], 1);
  EXPECT_EQ(objects["nodeNameToVictims"]["n0"]["pods"][0]["metadata"]["name"], "a");
  EXPECT_EQ(objects["nodeNameToVictims"]["n0"]["pods"][0]["metadata"]["uid"], "default/a");
  Extender by_uid = preempts({});
  by_uid.node_cache_capable = true;
  const ExtenderJson uids = request_of(two_nodes(by_uid), k_preempt);
  EXPECT_EQ(uids["nodeNameToMetaVictims"]["n1"]["pods"][0]["uid"], "uid-b");
  EXPECT_FALSE(uids.contains("nodeNameToVictims"));
}

TEST(ExtenderRequest, LeavesOutNodesThatOnlyExtendersKnow) {
  const ExtenderCall call = {0, ExtenderVerb::filter, {0, 7}, {}};
  EXPECT_EQ(request_of(two_nodes(filters({})), call)["nodes"]["items"].size(), 1U);
  EXPECT_EQ(request_of(two_nodes(filters_names({})), call)["nodenames"], (Strings{"n0"}));
}

// EXT-ANSWER-1
TEST(ExtenderAnswer, FillsTheTableOfFilters) {
  const Extender extender =
      answered(k_filter, R"({"nodes":{"items":[{"metadata":{"name":"n0"}},{"metadata":{"name":"ghost"}}]},
                    "FailedNodes":{"n1":"no"},"failedAndUnresolvableNodes":{"n2":"never"}})",
               filters({}));
  EXPECT_EQ(extender.filter->nodes,
            (std::map<std::string, FilterEntry>{
                {"ghost", ok()}, {"n0", ok()}, {"n1", rejected("no")}, {"n2", unresolvable("never")}}));
  EXPECT_EQ(extender.filter->asked, (std::set<std::string>{"n0", "n1"}));
}

// EXT-ANSWER-1
TEST(ExtenderAnswer, ReadsNamesOrObjectsAsTheReleaseDoes) {
  const std::string both = R"({"nodenames":["n0"],"nodes":{"items":[{"metadata":{"name":"n1"}}]}})";
  EXPECT_TRUE(answered(k_filter, both, filters_names({})).filter->nodes.contains("n0"));
  EXPECT_TRUE(answered(k_filter, both, filters({})).filter->nodes.contains("n1"));
  EXPECT_TRUE(answered(k_filter, "{}", filters({})).filter->nodes.empty());
  EXPECT_TRUE(answered(k_filter, R"({"nodes":{"items":null}})", filters({})).filter->nodes.empty());
  EXPECT_EQ(answered(k_filter, R"({"error":"out of paper"})", filters({})).filter->error, "out of paper");
}

// EXT-ANSWER-1
TEST(ExtenderAnswer, AddsToWhatIsKnown) {
  Question question = two_nodes(silent(filters_names({})));
  ASSERT_TRUE(add_answer({0, ExtenderVerb::filter, {0}, {}}, R"({"nodenames":["n0"]})", question));
  EXPECT_FALSE(question.extenders[0].filter->knows("n1"));
  ASSERT_TRUE(add_answer({0, ExtenderVerb::filter, {1}, {}}, R"({"nodenames":[]})", question));
  EXPECT_TRUE(question.extenders[0].filter->knows("n1"));
  EXPECT_EQ(question.extenders[0].filter->nodes, (std::map<std::string, FilterEntry>{{"n0", ok()}}));
}

// EXT-ANSWER-1
TEST(ExtenderAnswer, FillsTheTableOfScores) {
  const std::string body = R"([{"Host":"n0","Score":3},{"host":"n1"},{"host":"n0","score":4}])";
  EXPECT_EQ(answered(k_prioritize, body, scores(1, {})).prioritize->nodes,
            (std::map<std::string, Quantity>{{"n0", 7}, {"n1", 0}}));
  EXPECT_TRUE(answered(k_prioritize, "null", scores(1, {})).prioritize->nodes.empty());
}

// EXT-ANSWER-1
TEST(ExtenderAnswer, FillsTheTableOfVictims) {
  const std::string body = R"({"nodeNameToMetaVictims":{
    "n0":{"pods":[{"uid":"default/a"}],"numPDBViolations":2},"n1":{"pods":[{"uid":"uid-b"},{"uid":"x"}]},"n2":{}}})";
  EXPECT_EQ(answered(k_preempt, body, preempts({})).preempt->nodes,
            (std::map<std::string, VictimsEntry>{
                {"n0", evicts({"default/a"}, 2)}, {"n1", evicts({"default/b", "x"})}, {"n2", evicts({})}}));
  EXPECT_TRUE(answered(k_preempt, "{}", preempts({})).preempt->nodes.empty());
}

TEST(ExtenderAnswer, IsRefusedIfItCannotBeRead) {
  const std::vector<std::pair<std::string, std::string>> filter = {
      {"{", "the answer is not valid JSON"},
      {"", "the answer is not valid JSON"},
      {"[]", "expected an object"},
      {R"({"nodenames":"n0"})", "expected nodenames as a list"},
      {R"({"nodenames":[1]})", "expected a name as a string"},
      {R"({"nodenames":["n0","n0"]})", "node n0 is named twice"},
      {R"({"nodes":[]})", "expected an object"},
      {R"({"nodes":{"items":{}}})", "expected nodes.items as a list"},
      {R"({"failedNodes":["n0"]})", "expected failedNodes as an object"},
      {R"({"failedNodes":{"n0":1}})", "expected a reason as a string"},
      {R"({"error":1})", "expected error as a string"}};
  for (const auto& [body, expected] : filter)
    EXPECT_EQ(refusal(k_filter, body, filters_names({})), expected) << body;
  EXPECT_EQ(refusal(k_prioritize, "{}", scores(1, {})), "expected a list of hosts and scores");
  EXPECT_EQ(refusal(k_prioritize, R"([{"host":"n0","score":"3"}])", scores(1, {})),
            "expected score as an integer");
  EXPECT_EQ(refusal(k_preempt, R"({"nodeNameToMetaVictims":[]})", preempts({})),
            "expected nodeNameToMetaVictims as an object");
  EXPECT_EQ(refusal(k_preempt, R"({"nodeNameToMetaVictims":{"n0":{"pods":{}}}})", preempts({})),
            "expected pods as a list");
  EXPECT_EQ(refusal(k_preempt, R"({"nodeNameToMetaVictims":{"n0":{"numPDBViolations":"1"}}})", preempts({})),
            "expected numPDBViolations as an integer");
}

// EXT-ANSWER-1, EXT-FILTER-1
TEST(AskUntilKnown, AsksForEachAnswerThatTheDecisionNeeds) {
  Question question = two_nodes(silent(filters_names({})), 100);
  question.cluster.pods.clear();
  question.extenders[0].prioritize_verb = "score";
  question.extenders[0].weight = 1;
  Strings verbs;
  Placement placement;
  const Strings notes = ask_until_known(
      question,
      [&](const Extender&, const std::string& verb, const std::string&) -> Result<std::string> {
        verbs.push_back(verb);
        return std::string(verb == "score" ? R"([{"host":"n1","score":1}])" : R"({"nodenames":["n0","n1"]})");
      },
      [&placement](const Question& each) {
        placement = reference::schedule(each, release("v1.36"));
        return placement.decision.unanswered;
      });
  EXPECT_EQ(verbs, (Strings{"filter", "score"}));
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(placement.host, 1U);
}

// EXT-ERROR-1
TEST(AskUntilKnown, NotesAFailureOnceAndNamesExtenderAndVerb) {
  for (const bool is_malformed : {true, false}) {
    Question question = two_nodes(silent(filters({})), 100);
    question.cluster.pods.clear();
    question.extenders[0].url_prefix = "http://x";
    Placement placement;
    const Strings notes = ask_until_known(
        question,
        [&](const Extender&, const std::string&, const std::string&) -> Result<std::string> {
          if (is_malformed) return std::string("no JSON");
          return Error{"extender-timeout", "filter", "no whole answer within 5 ms"};
        },
        [&placement](const Question& each) {
          placement = reference::schedule(each, release("v1.36"));
          return placement.decision.unanswered;
        });
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(notes[0].starts_with("extender 0 (http://x), verb filter: ")) << notes[0];
    EXPECT_EQ(placement.decision.outcome, Outcome::error);
    EXPECT_EQ(placement.decision.reason, notes[0]);
  }
}

// EXT-SCORE-2, EXT-PREEMPT-1
TEST(AskUntilKnown, EndsWithEveryVerbThatFails) {
  const auto fail = [](const Extender&, const std::string&, const std::string&) -> Result<std::string> {
    return Error{"extender-status", "", "expected the HTTP status 200, found 404"};
  };
  Question scored = two_nodes(silent(scores(1, {})), 100);
  scored.cluster.pods.clear();
  const auto schedule = [](const Question& each) {
    return reference::schedule(each, release("v1.36")).decision.unanswered;
  };
  EXPECT_EQ(ask_until_known(scored, fail, schedule).size(), 1U);
  EXPECT_TRUE(scored.extenders[0].prioritize->error.has_value());
  Question preempting = two_nodes(silent(preempts({})));
  EXPECT_EQ(ask_until_known(preempting, fail, schedule).size(), 1U);
  EXPECT_TRUE(preempting.extenders[0].preempt->error.has_value());
}

TEST(AskUntilKnown, StopsIfTheDecisionNeverKnowsEnough) {
  Question question = two_nodes(silent(filters_names({})));
  const Strings notes = ask_until_known(
      question,
      [](const Extender&, const std::string&, const std::string&) -> Result<std::string> {
        return std::string("{}");
      },
      [](const Question&) { return std::optional(k_filter); });
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("more than 1000 calls"), std::string::npos);
}

// EXT-ANSWER-1
TEST(TakeExtenders, LeavesThoseOfTheQuestionAlone) {
  Release configured = release("v1.36");
  configured.extenders = {filters({}), filters({})};
  Question question = two_nodes(preempts({}));
  take_extenders(configured, question);
  EXPECT_EQ(question.extenders.size(), 1U);
  question.extenders.clear();
  take_extenders(configured, question);
  EXPECT_EQ(question.extenders.size(), 2U);
}

}  // namespace touchstone::tests::extender_calls_test
