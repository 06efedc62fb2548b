#include "reference/controllers/election.hpp"

#include <algorithm>

#include "reference/controllers/election_attempt.hpp"

namespace touchstone::reference {

namespace {

constexpr Quantity k_timer_second_ns = 1'000'000'000;
constexpr double k_most_jitter = 1.2;

Quantity retry_ns(const Elector& elector) { return elector.setup.retry_seconds * k_timer_second_ns; }
Quantity deadline_in_ns(const Elector& elector) { return elector.setup.deadline_seconds * k_timer_second_ns; }

void end_process(Elector& elector) {
  elector.phase = ElectorPhase::stopped;
  elector.next_ns = elector.deadline_ns = elector.tick_ns = std::nullopt;
}

/// LEA-RELEASE-1
Progress end_leading(Election& election, Elector& elector) {
  elector.next_ns = elector.deadline_ns = elector.tick_ns = std::nullopt;
  if (!elector.setup.releases || !election.release.releases_lease) return Progress::released;
  election.clauses.push_back("LEA-RELEASE-1");
  if (election.release.release_reads_first) elector.deadline_ns = elector.now_ns + deadline_in_ns(elector);
  return begin_release(election, elector);
}

/// A round of renewal begins. Clauses: LEA-RENEW-1, LEA-DEADLINE-1.
Progress begin_round(Election& election, Elector& elector) {
  election.clauses.push_back("LEA-RENEW-1");
  elector.deadline_ns = elector.now_ns + deadline_in_ns(elector);
  elector.tick_waits = false;
  if (election.release.ticks_from_round) elector.tick_ns = elector.now_ns + retry_ns(elector);
  return begin_attempt(election, elector);
}

/// An attempt to acquire has ended. Clauses: LEA-ACQUIRE-1.
Progress end_acquiring(Election& election, Elector& elector, bool succeeded) {
  election.clauses.push_back("LEA-ACQUIRE-1");
  elector.reported = elector.seen->holder;  // its first call was not held
  if (elector.asked_to_stop) return Progress::released;
  if (succeeded) {
    elector.phase = ElectorPhase::leading;
    return begin_round(election, elector);
  }
  const double more = elector.setup.jitter * k_most_jitter * static_cast<double>(retry_ns(elector));
  elector.next_ns = elector.now_ns + retry_ns(elector) + static_cast<Quantity>(more);
  return Progress::waits;
}

/// An attempt to renew has ended. Clauses: LEA-RENEW-1, LEA-DEADLINE-1.
Progress end_renewal(Election& election, Elector& elector, bool succeeded) {
  if (succeeded) {
    elector.deadline_ns = elector.tick_ns = std::nullopt;
    elector.next_ns = elector.now_ns + retry_ns(elector);
    return Progress::waits;
  }
  if (elector.asked_to_stop || elector.now_ns >= *elector.deadline_ns) {
    election.clauses.push_back("LEA-DEADLINE-1");
    elector.reported = elector.seen->holder;
    return end_leading(election, elector);
  }
  if (!elector.tick_ns) elector.tick_ns = elector.now_ns + retry_ns(elector);
  if (!std::exchange(elector.tick_waits, false)) return Progress::waits;
  return begin_attempt(election, elector);
}

/// Goes on until a call or a timer is waited for.
void settle(Election& election, Elector& elector, Progress progress) {
  while (progress == Progress::succeeded || progress == Progress::failed) {
    const auto end = elector.phase == ElectorPhase::acquiring ? end_acquiring : end_renewal;
    progress = end(election, elector, progress == Progress::succeeded);
  }
  if (progress == Progress::released) end_process(elector);
}

/// The next moment at which an elector does something by itself.
std::optional<Quantity> next_moment(const Elector& elector) {
  std::optional<Quantity> next;
  for (const std::optional<Quantity>& at : {elector.next_ns, elector.tick_ns, elector.deadline_ns}) {
    if (at && (!next || *at < *next)) next = at;
  }
  return next;
}

/// LEA-DEADLINE-1: an elector gives up. A call that waits is given up, too, or goes on by itself. In a round
/// in which none waits, early releases try once more, and do not wait for the result.
void give_up(Election& election, Elector& elector) {
  const bool waits = elector.waits_for != LeaseStep::none;
  const bool once_more = !waits && elector.deadline_ns && election.release.tries_once_more;
  const bool with_call = waits && election.release.calls_are_given_up;
  settle(election, elector, with_call ? given_up(election, elector) : Progress::failed);
  if (once_more) begin_attempt(election, elector);
}

/// What happens at the elector's own time.
void happen(Election& election, Elector& elector) {
  if (elector.deadline_ns == elector.now_ns) return give_up(election, elector);
  if (elector.tick_ns == elector.now_ns) {
    *elector.tick_ns += retry_ns(elector);
    if (elector.waits_for == LeaseStep::none)
      return settle(election, elector, begin_attempt(election, elector));
    elector.tick_waits = election.release.ticks_from_round;
    return;
  }
  elector.next_ns.reset();
  const bool acquires = elector.phase == ElectorPhase::acquiring;
  settle(election, elector, acquires ? begin_attempt(election, elector) : begin_round(election, elector));
}

std::optional<Error> not_running(const Elector& elector) {
  if (elector.has_run) return std::nullopt;
  return Error{"not-running", "elector", "it does not run"};
}

}  // namespace

void write_lease(Election& election, const std::optional<LeaseRecord>& record) {
  election.lease.record = record;
  if (!record) return;
  election.lease.record = as_stored(*record, election.release);
  election.lease.version = ++election.lease.writes;
}

std::optional<Error> start(Election& election, const std::string& name) {
  Elector& elector = election.electors.at(name);
  if (elector.phase != ElectorPhase::stopped) return Error{"running", "elector", "it runs"};
  if (elector.waits_for != LeaseStep::none) return Error{"running", "elector", "a call of it waits"};
  Elector fresh;
  fresh.setup = elector.setup;
  fresh.now_ns = elector.now_ns;
  fresh.has_run = true;
  fresh.phase = ElectorPhase::acquiring;
  elector = fresh;
  settle(election, elector, begin_attempt(election, elector));
  return std::nullopt;
}

std::optional<Error> stop(Election& election, const std::string& name) {
  Elector& elector = election.electors.at(name);
  if (elector.phase == ElectorPhase::stopped) return Error{"not-running", "elector", "it does not run"};
  const bool ends_already =
      elector.waits_for == LeaseStep::read_to_release || elector.waits_for == LeaseStep::write_release;
  if (ends_already) return std::nullopt;
  elector.asked_to_stop = true;
  if (elector.phase == ElectorPhase::leading || election.release.calls_are_given_up) {
    give_up(election, elector);
  } else if (elector.waits_for == LeaseStep::none) {
    end_process(elector);
  }
  return std::nullopt;
}

void advance(Election& election, const std::string& name, Quantity ns) {
  Elector& elector = election.electors.at(name);
  const Quantity end_ns = elector.now_ns + ns;
  for (auto next = next_moment(elector); next && *next <= end_ns; next = next_moment(elector)) {
    elector.now_ns = *next;
    happen(election, elector);
  }
  elector.now_ns = end_ns;
}

std::optional<Error> hold(Election& election, const std::string& name, LeaseCallKind kind) {
  Elector& elector = election.electors.at(name);
  if (const std::optional<Error> error = not_running(elector)) return error;
  ++elector.armed[kind];
  return std::nullopt;
}

std::optional<Error> answer(Election& election, const std::string& name, LeaseResult result) {
  Elector& elector = election.electors.at(name);
  if (elector.waits_for == LeaseStep::none) return Error{"not-waiting", "call", "no call waits"};
  const Progress progress = answered(election, elector, result);
  if (elector.phase != ElectorPhase::stopped) settle(election, elector, progress);
  return std::nullopt;
}

}  // namespace touchstone::reference
