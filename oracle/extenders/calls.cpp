#include "oracle/extenders/calls.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "kubernetes/write/written.hpp"

namespace touchstone::oracle {

namespace {

using Json = ExtenderJson;

/// What an extender answers. Not an ordered_json: building one copies members, so it takes time quadratic in
/// their number, and it is recursive, so that an answer that nests deep would exhaust the stack.
using Answer = nlohmann::json;

/// Why an answer is refused.
struct WrongAnswer {
  std::string what;
};

std::string uid_of(const Pod& pod) { return pod.uid.empty() ? pod.full_name() : pod.uid; }

/// The pod as JSON, with its UID.
Json pod_json(const Pod& pod, Json json) {
  json["metadata"]["uid"] = uid_of(pod);
  return json;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// The member of this name, in any case; null if there is none. Errors: it is there twice, in two spellings.
const Answer& member(const Answer& object, const std::string& name) {
  static const Answer k_null;
  if (!object.is_object()) throw WrongAnswer{"expected an object"};
  const Answer* found = &k_null;
  for (const auto& [key, value] : object.items()) {
    if (lower(key) != lower(name)) continue;
    if (found != &k_null) throw WrongAnswer{"member " + name + " is there twice"};
    found = &value;
  }
  return *found;
}

std::string text_of(const Answer& value, const std::string& what) {
  if (!value.is_string()) throw WrongAnswer{"expected " + what + " as a string"};
  return value.get<std::string>();
}

/// The text of a member; empty if it is missing.
std::string text_member(const Answer& object, const std::string& name) {
  const Answer& value = member(object, name);
  return value.is_null() ? "" : text_of(value, name);
}

/// The nodes that pass, by name.
std::vector<std::string> passing_nodes(const Extender& extender, const Answer& answer) {
  std::vector<std::string> names;
  const Answer& listed = member(answer, "nodenames");
  if (extender.node_cache_capable && !listed.is_null()) {
    if (!listed.is_array()) throw WrongAnswer{"expected nodenames as a list"};
    for (const Answer& name : listed) names.push_back(text_of(name, "a name"));
    return names;
  }
  const Answer& nodes = member(answer, "nodes");
  if (nodes.is_null()) return names;
  const Answer& items = member(nodes, "items");
  if (items.is_null()) return names;
  if (!items.is_array()) throw WrongAnswer{"expected nodes.items as a list"};
  for (const Answer& node : items) names.push_back(text_member(member(node, "metadata"), "name"));
  return names;
}

void add_rejected(const Answer& answer, const std::string& list, ExtenderVerdict verdict,
                  AnswerTable<FilterEntry>& table) {
  const Answer& rejected = member(answer, list);
  if (rejected.is_null()) return;
  if (!rejected.is_object()) throw WrongAnswer{"expected " + list + " as an object"};
  for (const auto& [name, reason] : rejected.items())
    table.nodes[name] = {verdict, text_of(reason, "a reason")};
}

AnswerTable<FilterEntry> filter_table(const Extender& extender, const Answer& answer) {
  AnswerTable<FilterEntry> table;
  if (const std::string error = text_member(answer, "error"); !error.empty()) {
    table.error = error;
    return table;
  }
  add_rejected(answer, "failedNodes", ExtenderVerdict::failed, table);
  add_rejected(answer, "failedAndUnresolvableNodes", ExtenderVerdict::unresolvable, table);
  std::set<std::string> seen;
  for (const std::string& name : passing_nodes(extender, answer)) {
    if (!seen.insert(name).second) throw WrongAnswer{"node " + name + " is named twice"};
    table.nodes[name] = {};
  }
  return table;
}

AnswerTable<Quantity> score_table(const Answer& answer) {
  AnswerTable<Quantity> table;
  if (answer.is_null()) return table;
  if (!answer.is_array()) throw WrongAnswer{"expected a list of hosts and scores"};
  for (const Answer& entry : answer) {
    const Answer& score = member(entry, "score");
    if (!score.is_null() && !score.is_number_integer()) throw WrongAnswer{"expected score as an integer"};
    table.nodes[text_member(entry, "host")] += score.is_null() ? 0 : score.get<Quantity>();
  }
  return table;
}

/// The full name of the pod with a UID; the UID itself, if no pod has it.
std::string name_of_uid(const Question& question, const std::string& uid) {
  for (const Pod& pod : question.cluster.pods) {
    if (uid_of(pod) == uid) return pod.full_name();
  }
  return uid;
}

AnswerTable<VictimsEntry> victims_table(const Question& question, const Answer& answer) {
  AnswerTable<VictimsEntry> table;
  const Answer& nodes = member(answer, "nodeNameToMetaVictims");
  if (nodes.is_null()) return table;
  if (!nodes.is_object()) throw WrongAnswer{"expected nodeNameToMetaVictims as an object"};
  for (const auto& [name, victims] : nodes.items()) {
    VictimsEntry entry;
    const Answer& violations = member(victims, "numPDBViolations");
    if (!violations.is_null() && !violations.is_number_integer())
      throw WrongAnswer{"expected numPDBViolations as an integer"};
    entry.pdb_violations = violations.is_null() ? 0 : violations.get<Quantity>();
    const Answer& pods = member(victims, "pods");
    if (!pods.is_null() && !pods.is_array()) throw WrongAnswer{"expected pods as a list"};
    for (const Answer& pod : pods) entry.victims.push_back(name_of_uid(question, text_member(pod, "uid")));
    table.nodes[name] = entry;
  }
  return table;
}

/// The names of the nodes that a call is about.
std::vector<std::string> names_asked(const Question& question, const ExtenderCall& call) {
  std::vector<std::string> names;
  for (const NodeIndex node : call.nodes) {
    if (node < question.cluster.nodes.size()) names.push_back(question.cluster.nodes[node].name);
  }
  for (const Candidate& candidate : call.candidates)
    names.push_back(question.cluster.nodes[candidate.node].name);
  return names;
}

/// Adds entries to what is known. The table then knows the nodes that were asked about.
template <typename Entry>
void merge(AnswerTable<Entry> answer, const std::vector<std::string>& asked,
           std::optional<AnswerTable<Entry>>& known) {
  std::set<std::string> all(asked.begin(), asked.end());
  if (known && known->asked) {
    all.insert(known->asked->begin(), known->asked->end());
    for (const auto& [name, entry] : known->nodes) answer.nodes.emplace(name, entry);
  }
  answer.asked = std::move(all);
  known = std::move(answer);
}

Json victims_json(const Question& question, const Candidate& candidate, const Json& pods, bool by_uid) {
  Json json{{"pods", Json::array()}, {"numPDBViolations", candidate.pdb_violations}};
  for (const PodIndex pod : candidate.victims) {
    const Pod& victim = question.cluster.pods[pod];
    json["pods"].push_back(by_uid ? Json{{"uid", uid_of(victim)}} : pod_json(victim, pods[pod]));
  }
  return json;
}

}  // namespace

std::string verb_of(const Question& question, const ExtenderCall& call) {
  const Extender& extender = question.extenders[call.extender];
  if (call.verb == ExtenderVerb::filter) return extender.filter_verb;
  return call.verb == ExtenderVerb::prioritize ? extender.prioritize_verb : extender.preempt_verb;
}

ExtenderJson request_of(const Question& question, const ExtenderCall& call) {
  const Extender& extender = question.extenders[call.extender];
  const Json objects = kubernetes::written(question);
  Json request{{"pod", pod_json(question.pod, objects["pod"])}};
  if (call.verb == ExtenderVerb::preempt) {
    const char* key = extender.node_cache_capable ? "nodeNameToMetaVictims" : "nodeNameToVictims";
    for (const Candidate& candidate : call.candidates)
      request[key][question.cluster.nodes[candidate.node].name] =
          victims_json(question, candidate, objects["pods"], extender.node_cache_capable);
    return request;
  }
  if (extender.node_cache_capable) {
    request["nodenames"] = names_asked(question, call);
    return request;
  }
  request["nodes"]["items"] = Json::array();
  for (const NodeIndex node : call.nodes) {
    if (node < question.cluster.nodes.size()) request["nodes"]["items"].push_back(objects["nodes"][node]);
  }
  return request;
}

Result<bool> add_answer(const ExtenderCall& call, const std::string& body, Question& question) {
  Extender& extender = question.extenders[call.extender];
  const std::vector<std::string> asked = names_asked(question, call);
  try {
    const Answer answer = Answer::parse(body);
    if (call.verb == ExtenderVerb::filter) {
      merge(filter_table(extender, answer), asked, extender.filter);
    } else if (call.verb == ExtenderVerb::prioritize) {
      merge(score_table(answer), asked, extender.prioritize);
    } else {
      merge(victims_table(question, answer), asked, extender.preempt);
    }
    return true;
  } catch (const WrongAnswer& wrong) {
    return Error{"extender-answer", verb_of(question, call), wrong.what};
  } catch (const Answer::exception&) {
    return Error{"extender-answer", verb_of(question, call), "the answer is not valid JSON"};
  }
}

void add_failure(const ExtenderCall& call, const std::string& error, Question& question) {
  Extender& extender = question.extenders[call.extender];
  const auto fail = [&error](auto& table) {
    table.emplace();
    table->error = error;
  };
  if (call.verb == ExtenderVerb::filter) fail(extender.filter);
  if (call.verb == ExtenderVerb::prioritize) fail(extender.prioritize);
  if (call.verb == ExtenderVerb::preempt) fail(extender.preempt);
}

}  // namespace touchstone::oracle
