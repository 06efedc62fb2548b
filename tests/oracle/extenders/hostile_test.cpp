#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "oracle/extenders/calls.hpp"
#include "oracle/extenders/http.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/raw_server.hpp"

/// Tests hostile extenders: each costs one clear error, and the decision has a result.
namespace touchstone::tests::hostile_test {

using namespace oracle;

namespace {

/// What a hostile extender does after its answer.
enum class Then { closes, hangs, trickles, floods, floods_with_chunks };

struct Hostile {
  std::string name;
  std::string answer;  ///< everything that it sends, with the status line
  Then then;
  std::string error;  ///< a part of the error
  ExtenderVerb verb = ExtenderVerb::filter;
};

/// A good status line, and a header with the size of a body, and the body.
std::string sends(const std::string& body, const std::string& header = "") {
  return "HTTP/1.1 200 OK\r\n" + header + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

std::string status(const std::string& line, const std::string& header = "") {
  return "HTTP/1.1 " + line + "\r\n" + header + "Content-Length: 0\r\n\r\n";
}

std::string times(std::size_t count, const std::string& text) {
  std::string many;
  for (std::size_t i = 0; i < count; ++i) many += text;
  return many;
}

/// A gzip file of 64 MiB of blanks. It has about 64 KiB.
std::string bomb() {
  const std::string blanks(std::size_t(64) << 20U, ' ');
  z_stream stream{};
  constexpr int k_gzip_window = 15 + 16;
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, k_gzip_window, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, blanks.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(blanks.data()));
  stream.avail_in = static_cast<uInt>(blanks.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

const std::string k_ok = "HTTP/1.1 200 OK\r\n";
const std::string k_chunked = k_ok + "Transfer-Encoding: chunked\r\n\r\n";
const std::string k_invalid = "the answer is not valid JSON";
const std::string k_status = "expected the HTTP status 200, found ";
const std::string k_late = "no whole answer within";
const std::string k_none = "no answer: ";

const std::vector<Hostile>& hostile_extenders() {
  using enum Then;
  static const std::vector<Hostile> k_all = {
      {"has an error", status("500 Internal Server Error"), closes, k_status + "500"},
      {"has no such page", status("404 Not Found"), closes, k_status + "404"},
      {"has no content", "HTTP/1.1 204 No Content\r\n\r\n", closes, k_status + "204"},
      {"redirects", status("307 Temporary Redirect", "Location: http://127.0.0.1:1/\r\n"), closes,
       k_status + "307"},
      {"redirects to a file", status("302 Found", "Location: file:///etc/passwd\r\n"), closes,
       k_status + "302"},
      {"closes", "", closes, k_none},
      {"closes in the header", "HTTP/1.1 200 OK\r\nContent-Le", closes, k_none},
      {"closes in the body", k_ok + "Content-Length: 100\r\n\r\n{", closes, k_none},
      {"closes in a chunk", k_chunked + "ff\r\n{", closes, k_none},
      {"has a chunk of no size", k_chunked + "zz\r\n{}\r\n0\r\n\r\n", closes, k_none},
      {"speaks no HTTP", "SSH-2.0-x\r\n", closes, k_none},
      {"hangs", "", hangs, k_late},
      {"hangs in the header", "HTTP/1.1 200 OK\r\nContent-Le", hangs, k_late},
      {"hangs in the body", k_ok + "Content-Length: 100\r\n\r\n{", hangs, k_late},
      {"hangs between chunks", k_chunked + "1\r\n{\r\n", hangs, k_late},
      {"trickles its header", k_ok + "X: ", trickles, k_late},
      {"trickles its body", k_ok + "Content-Length: 1000000\r\n\r\n{", trickles, k_late},
      {"floods", k_ok + "\r\n", floods, "the answer has more than 16 MiB"},
      {"sends chunks without end", k_chunked, floods_with_chunks, "the answer has more than 16 MiB"},
      {"sends a gzip bomb", sends(bomb(), "Content-Encoding: gzip\r\n"), closes,
       "the answer has more than 16 MiB"},
      {"sends what is no gzip", sends("{}", "Content-Encoding: gzip\r\n"), closes, k_none},
      {"has a body that is longer than it says", k_ok + "Content-Length: 1\r\n\r\n{}", closes, k_invalid},
      {"sends nothing", sends(""), closes, k_invalid},
      {"sends a page", sends("<html>hello</html>"), closes, k_invalid},
      {"sends half of it", sends(R"({"nodenames":["n0")"), closes, k_invalid},
      {"sends invalid UTF-8", sends("{\"nodenames\":[\"\xff\xfe\"]}"), closes, k_invalid},
      {"sends not a number", sends(R"([{"host":"n0","score":NaN}])"), closes, k_invalid,
       ExtenderVerb::prioritize},
      {"sends an infinite number", sends(R"([{"host":"n0","score":1e999}])"), closes, k_invalid,
       ExtenderVerb::prioritize},
      {"sends a huge number", sends(R"([{"host":"n0","score":99999999999999999999}])"), closes,
       "expected score as an integer", ExtenderVerb::prioritize},
      {"sends a fraction", sends(R"([{"host":"n0","score":0.5}])"), closes, "expected score as an integer",
       ExtenderVerb::prioritize},
      {"nests without end", sends(times(1'000'000, "[")), closes, k_invalid},
      {"nests deep", sends(times(1'000'000, "[") + times(1'000'000, "]")), closes, "expected an object"},
      {"sends null for a name", sends(R"({"nodenames":[null]})"), closes, "expected a name as a string"},
      {"sends a list", sends("[]"), closes, "expected an object"},
      {"sends an object", sends("{}"), closes, "expected a list of hosts and scores",
       ExtenderVerb::prioritize},
      {"has a member twice, in two spellings", sends(R"({"nodenames":["n0"],"NodeNames":["n1"]})"), closes,
       "member nodenames is there twice"},
      {"names a node twice", sends(R"({"nodenames":["n0","n0"]})"), closes, "node n0 is named twice"},
      {"answers with victims as a list", sends(R"({"nodeNameToMetaVictims":[]})"), closes,
       "expected nodeNameToMetaVictims as an object", ExtenderVerb::preempt},
  };
  return k_all;
}

void behave(int socket, const Hostile& hostile, const std::atomic<bool>& done) {
  read_request(socket);
  send_text(socket, hostile.answer);
  switch (hostile.then) {
    case Then::closes:
      ::shutdown(socket, SHUT_WR);
      return read_some(socket);  // until the client has read it all
    case Then::hangs:
      while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return;
    case Then::trickles:
      return send_for_ever(socket, "x", std::chrono::milliseconds(5), done);
    case Then::floods_with_chunks:
      return send_for_ever(socket, "10000\r\n" + std::string(1 << 16, 'x') + "\r\n", {}, done);
    case Then::floods:
      return send_for_ever(socket, std::string(1 << 16, 'x'), {}, done);
  }
}

/// Two nodes, and an extender at a port. Up to the verb preempt, the pod fits; then it has to evict one.
Question asking(int port, const Hostile& hostile) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 500))
                          .node("n1", 1000)
                          .has(pod("b", 0, 500))
                          .asks(pod("p", 10, hostile.verb == ExtenderVerb::preempt ? 1000 : 100));
  Extender extender;
  extender.url_prefix = "http://127.0.0.1:" + std::to_string(port);
  extender.node_cache_capable = true;
  if (hostile.verb == ExtenderVerb::filter) extender.filter_verb = "verb";
  if (hostile.verb == ExtenderVerb::prioritize) extender.prioritize_verb = "verb";
  if (hostile.verb == ExtenderVerb::preempt) extender.preempt_verb = "verb";
  extender.weight = 1;
  const bool is_late = hostile.then == Then::hangs || hostile.then == Then::trickles;
  extender.http_timeout_ns = is_late ? 200'000'000 : 600'000'000'000;
  question.extenders = {extender};
  return question;
}

/// The placement by an extender over HTTP, and the errors of the calls.
std::pair<Placement, std::vector<std::string>> ask(Question& question) {
  Placement placement;
  std::vector<std::string> notes = ask_until_known(question, ask_over_http, [&](const Question& each) {
    placement = reference::schedule(each, release("v1.36"));
    return placement.decision.unanswered;
  });
  return {placement, notes};
}

}  // namespace

// EXT-ERROR-1, EXT-SCORE-2
TEST(HostileExtender, CostsOneErrorThatNamesItAndItsVerb) {
  for (const Hostile& hostile : hostile_extenders()) {
    SCOPED_TRACE(hostile.name);
    const RawServer server([&](int socket, const std::atomic<bool>& done) { behave(socket, hostile, done); });
    Question question = asking(server.port(), hostile);
    const auto [placement, notes] = ask(question);
    ASSERT_EQ(notes.size(), 1U);
    const std::string who = "extender 0 (" + question.extenders[0].url_prefix + "), verb verb: ";
    EXPECT_TRUE(notes[0].starts_with(who + hostile.error)) << notes[0];
    const Decision& decision = placement.decision;
    if (hostile.verb == ExtenderVerb::prioritize) {
      EXPECT_EQ(decision.outcome, Outcome::fits);  // without the scores of the extender
      EXPECT_EQ(placement.best.size(), 2U);
    } else {
      EXPECT_EQ(decision.outcome, Outcome::error);
      EXPECT_EQ(decision.reason, notes[0]);
    }
  }
}

// As Go does, the client takes the last of two equal members.
TEST(HostileExtender, HasTheLastWordWithAMemberThatIsThereTwice) {
  const Hostile twice = {"twice", sends(R"({"nodenames":["n0"],"nodenames":["n1"]})"), Then::closes, ""};
  const RawServer server([&](int socket, const std::atomic<bool>& done) { behave(socket, twice, done); });
  Question question = asking(server.port(), twice);
  const auto [placement, notes] = ask(question);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(placement.feasible, std::vector<NodeIndex>{1});
}

// EXT-DROP-1, EXT-UNKNOWN-1, EXT-UNKNOWN-3: answers that the scheduler reads, and then does not like.
TEST(HostileExtender, HasNoErrorOfItsCallIfTheReleaseReadsTheAnswer) {
  const Hostile null_lists = {"null lists", sends(R"({"nodenames":null,"failedNodes":null,"error":null})"),
                              Then::closes, "0/2 nodes are available:"};
  const Hostile deep_elsewhere = {
      "deep, in a member that is not read",
      sends("{\"x\":" + times(100'000, "[") + times(100'000, "]") + ",\"nodenames\":[]}"), Then::closes,
      "0/2 nodes are available:"};
  std::string members;
  for (int i = 0; i < 200'000; ++i) members += "\"x" + std::to_string(i) + "\":0,";
  const Hostile many_members = {"many members", sends("{" + members + "\"nodenames\":[]}"), Then::closes,
                                "0/2 nodes are available:"};
  const Hostile another_pod = {"a victim that is another pod",
                               sends(R"({"nodeNameToMetaVictims":{"n0":{"pods":[{"uid":"another"}]}}})"),
                               Then::closes, "claims to preempt pod (UID: &{another}) on node: n0",
                               ExtenderVerb::preempt};
  const Hostile unknown_node = {"an unknown node", sends(R"({"nodenames":["n0","ghost"]})"), Then::closes,
                                "claims a filtered node \"ghost\""};
  for (const Hostile* hostile : {&null_lists, &deep_elsewhere, &many_members, &another_pod, &unknown_node}) {
    SCOPED_TRACE(hostile->name);
    const RawServer server(
        [&](int socket, const std::atomic<bool>& done) { behave(socket, *hostile, done); });
    Question question = asking(server.port(), *hostile);
    const auto [placement, notes] = ask(question);
    EXPECT_TRUE(notes.empty()) << notes[0];
    EXPECT_NE(placement.decision.message.find(hostile->error), std::string::npos)
        << placement.decision.message;
  }
}

}  // namespace touchstone::tests::hostile_test
