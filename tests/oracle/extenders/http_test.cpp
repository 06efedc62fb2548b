#include "oracle/extenders/http.hpp"

#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "oracle/extenders/table_server.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/raw_server.hpp"

/// Tests extenders over HTTP: good ones, and hostile ones. Each hostile one costs one clear error.
namespace touchstone::tests::http_test {

using namespace oracle;

namespace {

constexpr Quantity k_soon_ns = 200'000'000;

Extender extender_at(int port, Quantity timeout_ns = 0) {
  Extender extender;
  extender.url_prefix = "http://127.0.0.1:" + std::to_string(port) + "/";
  extender.filter_verb = "filter";
  extender.http_timeout_ns = timeout_ns;
  return extender;
}

std::string error_of(int port, Quantity timeout_ns = k_soon_ns) {
  const Result<std::string> asked = ask_over_http(extender_at(port, timeout_ns), "filter", "{}");
  return asked ? "" : asked.error().code;
}

/// A server that answers every call with a status, a body and a header.
class FixedServer {
 public:
  FixedServer(int status, std::string body, const std::string& location = "") {
    server_.Post("/filter", [=](const httplib::Request&, httplib::Response& response) {
      response.status = status;
      if (!location.empty()) response.set_header("Location", location);
      response.set_content(body, "application/json");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~FixedServer() {
    server_.stop();
    thread_.join();
  }
  int port() const { return port_; }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace

TEST(AskOverHttp, ReturnsTheBodyOfTheAnswer) {
  const FixedServer server(200, "{\"nodenames\":[]}");
  const Result<std::string> body = ask_over_http(extender_at(server.port()), "filter", "{}");
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_EQ(body.value(), "{\"nodenames\":[]}");
}

TEST(AskOverHttp, TakesTheStatus200Alone) {
  for (const int status : {404, 500, 201})
    EXPECT_EQ(error_of(FixedServer(status, "{}").port()), "extender-status");
}

TEST(AskOverHttp, DoesNotFollowRedirections) {
  const FixedServer target(200, "{}");
  const FixedServer server(307, "", "http://127.0.0.1:" + std::to_string(target.port()) + "/filter");
  EXPECT_EQ(error_of(server.port()), "extender-status");
}

TEST(AskOverHttp, RefusesALargeAnswer) {
  const FixedServer server(200, std::string(k_largest_answer + 1, ' '));
  EXPECT_EQ(error_of(server.port(), 60'000'000'000), "extender-too-large");
}

TEST(AskOverHttp, StopsAFlood) {
  const RawServer server([](int socket, const std::atomic<bool>& done) {
    read_some(socket);
    send_text(socket, "HTTP/1.1 200 OK\r\n\r\n");
    send_for_ever(socket, std::string(1 << 16, 'x'), {}, done);
  });
  EXPECT_EQ(error_of(server.port(), 60'000'000'000), "extender-too-large");
}

TEST(AskOverHttp, StopsAFloodOfHeaders) {
  const RawServer server([](int socket, const std::atomic<bool>& done) {
    read_some(socket);
    send_text(socket, "HTTP/1.1 200 OK\r\n");
    send_for_ever(socket, "X: " + std::string(1000, 'x') + "\r\n", std::chrono::milliseconds(1), done);
  });
  EXPECT_EQ(error_of(server.port()), "extender-timeout");
}

TEST(AskOverHttp, DoesNotWaitForAnExtenderThatHangs) {
  const RawServer silent([](int socket, const std::atomic<bool>& done) {
    read_some(socket);
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_EQ(error_of(silent.port()), "extender-timeout");
}

TEST(AskOverHttp, DoesNotWaitForAnExtenderThatTrickles) {
  const RawServer slow([](int socket, const std::atomic<bool>& done) {
    read_some(socket);
    send_text(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    send_for_ever(socket, " ", std::chrono::milliseconds(5), done);
  });
  EXPECT_EQ(error_of(slow.port()), "extender-timeout");
}

TEST(AskOverHttp, SaysThatThereIsNoAnswer) {
  const RawServer closes([](int socket, const std::atomic<bool>&) { read_some(socket); });
  EXPECT_EQ(error_of(closes.port(), 0), "extender-unreachable");
  const RawServer half([](int socket, const std::atomic<bool>&) {
    read_some(socket);
    send_text(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
  });
  EXPECT_EQ(error_of(half.port(), 0), "extender-unreachable");
  const RawServer garbage([](int socket, const std::atomic<bool>&) {
    read_some(socket);
    send_text(socket, "SSH-2.0-x\r\n");
  });
  EXPECT_EQ(error_of(garbage.port(), 0), "extender-unreachable");
  int free_port = 0;
  {
    const FixedServer gone(200, "{}");
    free_port = gone.port();
  }
  EXPECT_EQ(error_of(free_port, 0), "extender-unreachable");
}

TEST(AskOverHttp, NamesAUrlThatItCannotUse) {
  Extender extender = extender_at(1);
  for (const char* url : {"", "ftp://x", "http://"}) {
    extender.url_prefix = url;
    const Result<std::string> asked = ask_over_http(extender, "filter", "{}");
    ASSERT_FALSE(asked) << url;
    EXPECT_EQ(asked.error().code, "extender-unreachable") << url;
  }
}

TEST(AskOverHttp, SaysWhichTlsOptionsItLacks) {
  for (std::string ExtenderTls::* member :
       {&ExtenderTls::cert_data, &ExtenderTls::key_data, &ExtenderTls::ca_data, &ExtenderTls::server_name}) {
    Extender extender = extender_at(1);
    extender.url_prefix = "https://127.0.0.1:1";
    extender.tls.emplace();
    (*extender.tls).*member = "x";
    const Result<std::string> asked = ask_over_http(extender, "filter", "{}");
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, "not-supported");
  }
}

TEST(AskOverHttp, DoesNotTrustPlainHttpBehindHttps) {
  const FixedServer plain(200, "{}");
  Extender extender = extender_at(plain.port());
  extender.url_prefix = "https://127.0.0.1:" + std::to_string(plain.port());
  extender.enable_https = true;
  EXPECT_FALSE(ask_over_http(extender, "filter", "{}"));
  extender.tls.emplace();
  extender.tls->ca_file = "/no/such/file";
  extender.tls->cert_file = "/no/such/file";
  extender.tls->key_file = "/no/such/file";
  EXPECT_FALSE(ask_over_http(extender, "filter", "{}"));
}

// EXT-ANSWER-1
TEST(TableServer, GivesTheAnswersThatTheTablesHave) {
  const std::map<std::string, FilterEntry> table = {{"n0", ok()}, {"n1", ok()}, {"n2", rejected("no")}};
  Extender by_table = filters(table);
  by_table.prioritize_verb = "score";
  by_table.weight = 1;
  by_table.prioritize = AnswerTable<Quantity>{{}, {{"n1", 7}}};
  TableServer server(by_table);
  const int port = server.bind("127.0.0.1", 0);
  std::thread serving([&server] { server.serve(); });
  Question question =
      QuestionBuilder().node("n0", 4000).node("n1", 4000).node("n2", 4000).asks(pod("p", 10, 1000));
  question.extenders = {by_table};
  const Placement expected = reference::schedule(question, release("v1.36"));
  Extender live = extender_at(port);
  live.prioritize_verb = "score";
  live.weight = 1;
  question.extenders = {live};
  Placement placement;
  const std::vector<std::string> notes =
      ask_until_known(question, ask_over_http, [&placement](const Question& each) {
        placement = reference::schedule(each, release("v1.36"));
        return placement.decision.unanswered;
      });
  server.stop();
  serving.join();
  EXPECT_TRUE(notes.empty()) << notes[0];
  EXPECT_EQ(placement, expected);
  EXPECT_EQ(placement.host, 1U);
}

TEST(TableServer, CannotListenWhereAnotherProgramDoes) {
  TableServer first(filters({}));
  const int port = first.bind("127.0.0.1", 0);
  ASSERT_GT(port, 0);
  TableServer second(filters({}));
  EXPECT_EQ(second.bind("192.0.2.1", port), -1);  // no address of this host
}

// EXT-ANSWER-1
TEST(ServedAnswer, IsAsTheTableSays) {
  const Extender extender = filters({{"n0", ok()}, {"n1", rejected("no")}, {"n2", unresolvable("never")}});
  const auto body = [&extender](const std::string& call) {
    const ServedAnswer answer = served_answer(extender, "filter", call);
    EXPECT_EQ(answer.status, 200);
    return ExtenderJson::parse(answer.body);
  };
  const ExtenderJson names = body(R"({"NodeNames":["n0","n1","n2","n3"]})");
  EXPECT_EQ(names["nodenames"], (std::vector<std::string>{"n0"}));
  EXPECT_EQ(names["failedNodes"], (std::map<std::string, std::string>{{"n1", "no"}}));
  EXPECT_EQ(names["failedAndUnresolvableNodes"], (std::map<std::string, std::string>{{"n2", "never"}}));
  const ExtenderJson objects = body(R"({"nodes":{"items":[{"metadata":{"name":"n0","labels":{"a":"b"}}}]}})");
  EXPECT_EQ(objects["nodes"]["items"][0]["metadata"]["labels"]["a"], "b");
}

// EXT-ANSWER-1
TEST(ServedAnswer, HasVictimsByTheirUids) {
  const Extender extender = preempts({{"n0", keeps()}, {"n1", evicts({"x/a", "x/b"}, 3)}});
  const auto body = [&extender](const std::string& call) {
    return ExtenderJson::parse(served_answer(extender, "preempt", call).body)["nodeNameToMetaVictims"];
  };
  const ExtenderJson objects = body(R"({"nodeNameToVictims":{
    "n0":{"pods":[{"metadata":{"name":"a","uid":"u"}}],"numPDBViolations":1},
    "n1":{"pods":[{"metadata":{"namespace":"x","name":"a","uid":"ua"}}]},"n2":{"pods":[]}}})");
  EXPECT_EQ(objects.dump(), R"({"n0":{"pods":[{"uid":"u"}],"numPDBViolations":1},)"
                            R"("n1":{"pods":[{"uid":"ua"},{"uid":"x/b"}],"numPDBViolations":3}})");
  const ExtenderJson uids =
      body(R"({"nodeNameToMetaVictims":{"n0":{"pods":[{"uid":"u"}],"numPDBViolations":1},
    "n1":{"pods":[{"uid":"w"}]}}})");
  EXPECT_EQ(uids["n0"]["pods"][0]["uid"], "u");
  EXPECT_EQ(uids["n1"]["pods"][0]["uid"], "x/a");
  EXPECT_TRUE(body("{}").empty());
}

TEST(ServedAnswer, HasAStatusForWhatItCannotAnswer) {
  const Extender extender = failing(filters({}), "broken");
  EXPECT_EQ(served_answer(extender, "filter", "{}").status, 500);
  EXPECT_EQ(served_answer(extender, "filter", "{}").body, "broken");
  EXPECT_EQ(served_answer(extender, "filter", "{").status, 400);
  EXPECT_EQ(served_answer(filters({}), "filter", R"({"nodenames":[1]})").status, 400);
  EXPECT_EQ(served_answer(extender, "prioritize", "{}").status, 404);
  EXPECT_EQ(served_answer(extender, "", "{}").status, 404);
  Extender without_table = filters({});
  without_table.filter.reset();
  EXPECT_EQ(served_answer(without_table, "filter", "{}").status, 404);
  EXPECT_EQ(served_answer(scores(1, {{"n0", 3}}), "prioritize", R"({"nodenames":["n0","n1"]})").body,
            R"([{"host":"n0","score":3}])");
}

}  // namespace touchstone::tests::http_test
