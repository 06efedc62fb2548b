#include "oracle/extenders/table_server.hpp"

#include <httplib.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

using Json = ExtenderJson;

bool is_same_name(const std::string& a, const std::string& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
         });
}

/// The member of this name, in any case; null if there is none.
Json member(const Json& object, const std::string& name) {
  if (!object.is_object()) return nullptr;
  for (const auto& [key, value] : object.items()) {
    if (is_same_name(key, name)) return value;
  }
  return nullptr;
}

std::string name_of_node(const Json& node) {
  return member(member(node, "metadata"), "name").get<std::string>();
}

/// The nodes of a call, as they were sent: names, or objects.
struct SentNodes {
  bool by_name = false;
  std::vector<std::pair<std::string, Json>> nodes;
};

SentNodes sent_nodes(const Json& call) {
  SentNodes sent;
  const Json names = member(call, "nodenames");
  sent.by_name = names.is_array();
  if (sent.by_name) {
    for (const Json& name : names) sent.nodes.emplace_back(name.get<std::string>(), name);
    return sent;
  }
  for (const Json& node : member(member(call, "nodes"), "items"))
    sent.nodes.emplace_back(name_of_node(node), node);
  return sent;
}

Json filter_answer(const AnswerTable<FilterEntry>& table, const Json& call) {
  const SentNodes sent = sent_nodes(call);
  Json answer{{"failedNodes", Json::object()}, {"failedAndUnresolvableNodes", Json::object()}};
  Json passing = Json::array();
  for (const auto& [name, node] : sent.nodes) {
    const auto entry = table.nodes.find(name);
    if (entry == table.nodes.end()) continue;
    const FilterEntry& said = entry->second;
    if (said.verdict == ExtenderVerdict::passes) passing.push_back(node);
    if (said.verdict == ExtenderVerdict::failed) answer["failedNodes"][name] = said.reason;
    if (said.verdict == ExtenderVerdict::unresolvable)
      answer["failedAndUnresolvableNodes"][name] = said.reason;
  }
  if (sent.by_name) {
    answer["nodenames"] = passing;
  } else {
    answer["nodes"]["items"] = passing;
  }
  return answer;
}

Json score_answer(const AnswerTable<Quantity>& table, const Json& call) {
  Json answer = Json::array();
  for (const auto& [name, node] : sent_nodes(call).nodes) {
    const auto entry = table.nodes.find(name);
    if (entry != table.nodes.end()) answer.push_back({{"host", name}, {"score", entry->second}});
  }
  return answer;
}

/// The UID of the pod that a table names, among the victims that were sent; the name itself if there is none.
std::string uid_of_victim(const Json& victims, const std::string& name) {
  for (const Json& pod : member(victims, "pods")) {
    const Json metadata = member(pod, "metadata");
    if (!metadata.is_object()) continue;
    const std::string full = metadata.value("namespace", "default") + "/" + metadata.value("name", "");
    if (full == name) return metadata.value("uid", name);
  }
  return name;
}

Json kept_victims(const Json& victims) {
  Json kept{{"pods", Json::array()}, {"numPDBViolations", member(victims, "numPDBViolations")}};
  for (const Json& pod : member(victims, "pods")) {
    const Json uid = member(pod, "uid");
    kept["pods"].push_back({{"uid", uid.is_null() ? member(member(pod, "metadata"), "uid") : uid}});
  }
  return kept;
}

Json victims_answer(const AnswerTable<VictimsEntry>& table, const Json& call) {
  Json nodes = member(call, "nodeNameToVictims");
  if (!nodes.is_object() || nodes.empty()) nodes = member(call, "nodeNameToMetaVictims");
  Json answer = Json::object();
  if (!nodes.is_object()) return {{"nodeNameToMetaVictims", answer}};
  for (const auto& [name, victims] : nodes.items()) {
    const auto entry = table.nodes.find(name);
    if (entry == table.nodes.end()) continue;
    if (entry->second.kept) {
      answer[name] = kept_victims(victims);
      continue;
    }
    Json& changed =
        answer[name] = {{"pods", Json::array()}, {"numPDBViolations", entry->second.pdb_violations}};
    for (const std::string& victim : entry->second.victims)
      changed["pods"].push_back({{"uid", uid_of_victim(victims, victim)}});
  }
  return {{"nodeNameToMetaVictims", answer}};
}

/// The answer of one table; 500 if it is an error.
template <typename Entry>
ServedAnswer answer_by(const std::optional<AnswerTable<Entry>>& table, const Json& call,
                       Json (*of)(const AnswerTable<Entry>&, const Json&)) {
  if (!table) return {404, ""};
  if (table->error) return {500, *table->error};
  return {200, of(*table, call).dump()};
}

}  // namespace

ServedAnswer served_answer(const Extender& extender, const std::string& verb, const std::string& body) {
  try {
    const Json call = Json::parse(body);
    if (verb.empty()) return {404, ""};
    if (verb == extender.filter_verb) return answer_by(extender.filter, call, filter_answer);
    if (verb == extender.prioritize_verb) return answer_by(extender.prioritize, call, score_answer);
    if (verb == extender.preempt_verb) return answer_by(extender.preempt, call, victims_answer);
    return {404, ""};
  } catch (const Json::exception&) {
    return {400, "the body is not a call of a scheduler"};
  }
}

struct TableServer::Server {
  Extender extender;
  httplib::Server http;
};

TableServer::TableServer(Extender extender) : server_(std::make_unique<Server>()) {
  server_->extender = std::move(extender);
  server_->http.Post(R"(/(.*))", [this](const httplib::Request& request, httplib::Response& response) {
    const ServedAnswer answer = served_answer(server_->extender, request.matches[1], request.body);
    response.status = answer.status;
    response.set_content(answer.body, "application/json");
  });
}

TableServer::~TableServer() { stop(); }

int TableServer::bind(const std::string& host, int port) {
  if (port == 0) return server_->http.bind_to_any_port(host);
  return server_->http.bind_to_port(host, port) ? port : -1;
}

void TableServer::serve() { server_->http.listen_after_bind(); }

void TableServer::stop() { server_->http.stop(); }

}  // namespace touchstone::oracle
