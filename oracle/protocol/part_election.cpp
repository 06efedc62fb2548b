#include <array>

#include "oracle/protocol/parts.hpp"

namespace touchstone::oracle {

namespace {

using reference::Elector;
using reference::LeaseRecord;

/// The first numbers of Go's random source with the seeds 9, 31, 12 and 52.
constexpr std::array<double, k_jitters> k_jitter_values = {0.0036470133729337899, 0.33567270092352297,
                                                           0.64187162085495353, 0.98544874451606534};

template <typename Names>
std::size_t number_in(const Names& names, const std::string& name) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return i;
  }
  throw std::out_of_range("unknown value " + name);
}

std::optional<LeaseRecord> record_of(const PartJson& line) {
  const auto lease = line.find("lease");
  if (lease == line.end() || lease->is_null()) return std::nullopt;
  return LeaseRecord{lease->at("holderIdentity"), lease->at("leaseDurationSeconds"), lease->at("acquireTime"),
                     lease->at("renewTime"), lease->at("leaseTransitions")};
}

PartJson json_of(const LeaseRecord& record) {
  return {{"holderIdentity", record.holder},
          {"leaseDurationSeconds", record.lease_seconds},
          {"acquireTime", record.acquired_ns},
          {"renewTime", record.renewed_ns},
          {"leaseTransitions", record.transitions}};
}

reference::LeaseCallKind kind_of_step(reference::LeaseStep step) {
  if (step == reference::LeaseStep::create) return reference::LeaseCallKind::create;
  const bool reads = step == reference::LeaseStep::read || step == reference::LeaseStep::read_to_release;
  return reads ? reference::LeaseCallKind::get : reference::LeaseCallKind::update;
}

PartJson json_of(const Elector& elector) {
  PartJson json{{"phase", reference::k_elector_phase_names[static_cast<std::size_t>(elector.phase)]},
                {"now", elector.now_ns},
                {"isLeader", reference::is_leader(elector)}};
  if (elector.seen) {
    json["observed"] = json_of(*elector.seen);
    json["observedTime"] = elector.seen_ns;
  }
  if (!elector.reported.empty()) json["reportedLeader"] = elector.reported;
  if (elector.waits_for != reference::LeaseStep::none)
    json["held"] = reference::k_lease_call_names[static_cast<std::size_t>(kind_of_step(elector.waits_for))];
  return json;
}

PartJson state_of(const reference::Election& election) {
  PartJson state{{"lease", nullptr}, {"version", election.lease.writes}, {"electors", PartJson::object()}};
  if (election.lease.record) state["lease"] = json_of(*election.lease.record);
  for (const auto& [name, elector] : election.electors) state["electors"][name] = json_of(elector);
  return state;
}

std::optional<Error> carry_out(reference::Election& election, const PartJson& line) {
  const std::string cmd = line.at("cmd");
  if (cmd == "init" || cmd == "state") return std::nullopt;
  if (cmd == "write") return write_lease(election, record_of(line)), std::nullopt;
  const std::string name = line.at("elector");
  if (cmd == "start") return start(election, name);
  if (cmd == "stop") return stop(election, name);
  if (cmd == "advance") return advance(election, name, line.at("nanoseconds")), std::nullopt;
  if (cmd == "hold") {
    const std::size_t kind = number_in(reference::k_lease_call_names, line.at("call"));
    return hold(election, name, static_cast<reference::LeaseCallKind>(kind));
  }
  const std::size_t result = number_in(reference::k_lease_result_names, line.at("result"));
  return reference::answer(election, name, static_cast<reference::LeaseResult>(result));
}

}  // namespace

double jitter_of(std::size_t number) { return k_jitter_values.at(number); }

ElectionPart::ElectionPart(const PartJson& init) {
  election_.release = find_release(init.at("release").get<std::string>()).value().release;
  reference::write_lease(election_, record_of(init));
  for (const PartJson& each : init.at("electors")) {
    Elector elector;
    elector.setup = {each.at("name"),
                     each.at("now"),
                     each.at("leaseDurationSeconds"),
                     each.at("renewDeadlineSeconds"),
                     each.at("retryPeriodSeconds"),
                     jitter_of(each.at("jitter")),
                     each.value("releaseOnCancel", false)};
    elector.now_ns = elector.setup.now_ns;
    election_.electors[elector.setup.name] = elector;
  }
}

PartJson ElectionPart::answer(const PartJson& line) {
  election_.calls.clear();
  election_.clauses.clear();
  if (const std::optional<Error> error = carry_out(election_, line))
    return {{"error", {{"code", error->code}, {"path", error->path}, {"message", error->message}}}};
  PartJson calls = PartJson::array();
  for (const reference::LeaseCall& call : election_.calls) {
    PartJson json{{"by", call.by},
                  {"call", reference::k_lease_call_names[static_cast<std::size_t>(call.kind)]}};
    if (call.held) json["held"] = true;
    if (!call.result.empty()) json["result"] = call.result;
    calls.push_back(json);
  }
  return {{"calls", calls}, {"state", state_of(election_)}};
}

std::set<std::string> ElectionPart::clauses() const {
  return {election_.clauses.begin(), election_.clauses.end()};
}

}  // namespace touchstone::oracle
