#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "kubernetes/objects/fields.hpp"
#include "oracle/protocol/parts.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/protocol/reading.hpp"

namespace touchstone::oracle {

namespace {

using reference::Elector;
using reference::LeaseRecord;

/// The first numbers of Go's random source with the seeds 9, 31, 12 and 52.
constexpr std::array<double, k_jitters> k_jitter_values = {0.0036470133729337899, 0.33567270092352297,
                                                           0.64187162085495353, 0.98544874451606534};

using kubernetes::Value;

constexpr Quantity k_most_seconds = std::numeric_limits<std::int32_t>::max();

std::optional<LeaseRecord> record_of(const Value& line) {
  const auto lease = line.find("lease");
  if (!lease) return std::nullopt;
  refuse_unknown_keys(
      *lease, {"holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions"});
  return LeaseRecord{std::string(lease->require("holderIdentity").string()),
                     lease->require("leaseDurationSeconds").integer(0, k_most_seconds),
                     lease->require("acquireTime").integer(0, k_latest_ns),
                     lease->require("renewTime").integer(0, k_latest_ns),
                     lease->require("leaseTransitions").integer(0, k_most_seconds)};
}

/// Reads an elector. Errors: throws kubernetes::InvalidInput (out-of-range, also for settings that
/// client-go refuses).
Elector elector_of(const Value& value) {
  refuse_unknown_keys(value, {"name", "now", "leaseDurationSeconds", "renewDeadlineSeconds",
                              "retryPeriodSeconds", "jitter", "releaseOnCancel"});
  Elector elector;
  reference::ElectorSetup& setup = elector.setup;
  setup.name = kubernetes::name_field(value);
  setup.now_ns = value.require("now").integer(0, k_latest_ns);
  setup.lease_seconds = value.require("leaseDurationSeconds").integer(1, k_most_seconds);
  setup.deadline_seconds = value.require("renewDeadlineSeconds").integer(1, setup.lease_seconds - 1);
  setup.retry_seconds = value.require("retryPeriodSeconds").integer(1, (5 * setup.deadline_seconds - 1) / 6);
  setup.jitter = jitter_of(static_cast<std::size_t>(value.require("jitter").integer(0, k_jitters - 1)));
  setup.releases = kubernetes::bool_field(value, "releaseOnCancel");
  elector.now_ns = setup.now_ns;
  return elector;
}

Json json_of(const LeaseRecord& record) {
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

Json json_of(const Elector& elector) {
  Json json{{"phase", reference::k_elector_phase_names[static_cast<std::size_t>(elector.phase)]},
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

Json state_of(const reference::Election& election) {
  Json state{{"lease", nullptr}, {"version", election.lease.writes}, {"electors", Json::object()}};
  if (election.lease.record) state["lease"] = json_of(*election.lease.record);
  for (const auto& [name, elector] : election.electors) state["electors"][name] = json_of(elector);
  return state;
}

/// The name of the elector that a line is about.
std::string elector_named(const reference::Election& election, const Value& line) {
  const Value member = line.require("elector");
  const std::string name(member.string());
  if (!election.electors.contains(name)) member.fail("not-found", "unknown elector \"" + name + "\"");
  return name;
}

std::optional<Error> carry_out(reference::Election& election, const Value& line) {
  static constexpr std::array<std::string_view, 8> k_commands = {"init",    "state", "write", "start",
                                                                 "advance", "stop",  "hold",  "answer"};
  const std::string_view cmd = k_commands[choice_of(line.require("cmd"), k_commands)];
  if (cmd == "init") return std::nullopt;
  if (cmd == "state") return refuse_unknown_keys(line, {"cmd", "seq"}), std::nullopt;
  if (cmd == "write") {
    refuse_unknown_keys(line, {"cmd", "seq", "lease"});
    return write_lease(election, record_of(line)), std::nullopt;
  }
  refuse_unknown_keys(line, {"cmd", "seq", "elector",
                             cmd == "advance"  ? "nanoseconds"
                             : cmd == "hold"   ? "call"
                             : cmd == "answer" ? "result"
                                               : "cmd"});
  const std::string name = elector_named(election, line);
  if (cmd == "start") return start(election, name);
  if (cmd == "stop") return stop(election, name);
  if (cmd == "advance")
    return advance(election, name, step_of(line, election.electors.at(name).now_ns)), std::nullopt;
  if (cmd == "hold") {
    const std::size_t kind = choice_of(line.require("call"), reference::k_lease_call_names);
    return hold(election, name, static_cast<reference::LeaseCallKind>(kind));
  }
  const std::size_t result = choice_of(line.require("result"), reference::k_lease_result_names);
  return reference::answer(election, name, static_cast<reference::LeaseResult>(result));
}

}  // namespace

double jitter_of(std::size_t number) { return k_jitter_values.at(number); }

ElectionPart::ElectionPart(const Value& init) {
  refuse_unknown_keys(init, {"cmd", "seq", "part", "release", "electors", "lease", "trace"});
  election_.release = find_release(init.require("release").string()).value().release;
  reference::write_lease(election_, record_of(init));
  const Value electors = init.require("electors");
  for (const Value each : electors.elements()) {
    const Elector elector = elector_of(each);
    if (!election_.electors.insert({elector.setup.name, elector}).second)
      each.fail("duplicate-name", "there are two electors \"" + elector.setup.name + "\"");
  }
}

Json ElectionPart::answer(const Value& line) {
  election_.calls.clear();
  election_.clauses.clear();
  throw_if(carry_out(election_, line));
  Json calls = Json::array();
  for (const reference::LeaseCall& call : election_.calls) {
    Json json{{"by", call.by}, {"call", reference::k_lease_call_names[static_cast<std::size_t>(call.kind)]}};
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
