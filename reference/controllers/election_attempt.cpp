#include "reference/controllers/election_attempt.hpp"

#include <utility>

namespace touchstone::reference {

namespace {

constexpr Quantity k_lease_second_ns = 1'000'000'000;
constexpr Quantity k_lease_micro_ns = 1'000;

LeaseCallKind kind_of(LeaseStep step) {
  if (step == LeaseStep::create) return LeaseCallKind::create;
  const bool reads = step == LeaseStep::read || step == LeaseStep::read_to_release;
  return reads ? LeaseCallKind::get : LeaseCallKind::update;
}

/// LEA-SEEN-1: what an elector compares has whole seconds.
LeaseRecord as_compared(LeaseRecord record) {
  record.acquired_ns -= record.acquired_ns % k_lease_second_ns;
  record.renewed_ns -= record.renewed_ns % k_lease_second_ns;
  return record;
}

/// LEA-WRITE-1: what the API server does with a call.
LeaseResult perform(Election& election, const Elector& elector, LeaseCallKind kind) {
  Lease& lease = election.lease;
  if (kind == LeaseCallKind::get) return lease.record ? LeaseResult::ok : LeaseResult::not_found;
  const bool creates = kind == LeaseCallKind::create;
  if (creates && lease.record) return LeaseResult::conflict;
  if (!creates && !lease.record) return LeaseResult::not_found;
  if (!creates && *elector.version != lease.version) return LeaseResult::conflict;
  lease.record = as_stored(elector.wanted, election.release);
  lease.version = ++lease.writes;
  return LeaseResult::ok;
}

std::string_view shown_result(LeaseCallKind kind, LeaseResult result) {
  if (result == LeaseResult::ok) return "ok";
  if (result == LeaseResult::not_found) return "NotFound";
  return kind == LeaseCallKind::create ? "AlreadyExists" : "Conflict";
}

void see(Elector& elector, const LeaseRecord& record) {
  elector.seen = record;
  elector.seen_ns = elector.now_ns;
}

/// LEA-EXPIRY-1: whether the record that was seen was not older than a lease when the attempt began.
bool is_valid(const Elector& elector, const Release& release) {
  const Quantity seconds =
      release.lease_length_of_record ? elector.seen->lease_seconds : elector.setup.lease_seconds;
  return elector.seen_ns + seconds * k_lease_second_ns > elector.wanted.renewed_ns;
}

/// LEA-DEADLINE-1: whether the elector has given up what its calls are made for.
bool is_given_up(const Elector& elector, LeaseStep step, const Release& release) {
  if (!release.calls_are_given_up) return false;
  if (step == LeaseStep::read_to_release || step == LeaseStep::write_release) return false;
  return elector.asked_to_stop || (elector.deadline_ns && elector.now_ns >= *elector.deadline_ns);
}

Progress proceed(Election& election, Elector& elector, LeaseStep step, LeaseResult result);

/// Makes a call. LEA-DEADLINE-1: an elector that has given up makes none.
Progress make_call(Election& election, Elector& elector, LeaseStep step) {
  const LeaseCallKind kind = kind_of(step);
  const bool has_no_object = kind == LeaseCallKind::update && !elector.version;
  if (has_no_object || is_given_up(elector, step, election.release))
    return proceed(election, elector, step, LeaseResult::error);
  LeaseCall& call = election.calls.emplace_back(LeaseCall{elector.setup.name, kind});
  if (elector.armed[kind] > 0) {
    --elector.armed[kind];
    call.held = true;
    elector.waits_for = step;
    return Progress::waits;
  }
  const LeaseResult result = perform(election, elector, kind);
  call.result = shown_result(kind, result);
  return proceed(election, elector, step, result);
}

/// LEA-SEEN-1, LEA-EXPIRY-1: goes on with the object that was read.
Progress judge_read(Election& election, Elector& elector) {
  const LeaseRecord& found = *election.lease.record;
  elector.version = election.lease.version;
  if (elector.read != as_compared(found)) {
    election.clauses.push_back("LEA-SEEN-1");
    elector.read = as_compared(found);
    see(elector, found);
  }
  election.clauses.push_back("LEA-EXPIRY-1");
  const bool has_holder = !found.holder.empty() || election.release.unseen_empty_holder_waits;
  if (has_holder && is_valid(elector, election.release) && !is_leader(elector)) return Progress::failed;
  election.clauses.push_back("LEA-WRITE-1");
  elector.wanted.transitions = found.transitions;
  if (is_leader(elector)) {
    elector.wanted.acquired_ns = found.acquired_ns;
  } else {
    ++elector.wanted.transitions;
  }
  return make_call(election, elector, LeaseStep::write);
}

/// LEA-RELEASE-1: goes on after the object was read, or without reading it.
Progress write_released(Election& election, Elector& elector, Quantity transitions) {
  if (!is_leader(elector)) return Progress::released;
  elector.wanted = {"", 1, elector.now_ns, elector.now_ns, transitions};
  return make_call(election, elector, LeaseStep::write_release);
}

Progress proceed(Election& election, Elector& elector, LeaseStep step, LeaseResult result) {
  const bool is_ok = result == LeaseResult::ok;
  switch (step) {
    case LeaseStep::renew_unread:
      if (!is_ok) return make_call(election, elector, LeaseStep::read);
      break;
    case LeaseStep::read:
      if (is_ok) return judge_read(election, elector);
      if (result == LeaseResult::not_found) return make_call(election, elector, LeaseStep::create);
      return Progress::failed;
    case LeaseStep::create:
      elector.version.reset();  // LEA-WRITE-1: after a failure the elector has no object
      if (!is_ok) return Progress::failed;
      break;
    case LeaseStep::read_to_release:
      if (!is_ok) return Progress::released;
      elector.version = election.lease.version;
      return write_released(election, elector, election.lease.record->transitions);
    case LeaseStep::write_release:
      if (result == LeaseResult::conflict && election.release.release_is_repeated)
        return make_call(election, elector, LeaseStep::read_to_release);
      if (is_ok) see(elector, elector.wanted);
      return Progress::released;
    default:
      if (!is_ok) return Progress::failed;
  }
  elector.version = election.lease.version;
  see(elector, elector.wanted);
  if (election.release.own_write_is_compared) elector.read.reset();  // LEA-SEEN-1
  return Progress::succeeded;
}

}  // namespace

LeaseRecord as_stored(LeaseRecord record, const Release& release) {
  const Quantity unit_ns = release.record_has_seconds ? k_lease_second_ns : k_lease_micro_ns;
  record.acquired_ns -= record.acquired_ns % unit_ns;
  record.renewed_ns -= record.renewed_ns % unit_ns;
  return record;
}

bool is_leader(const Elector& elector) { return elector.seen && elector.seen->holder == elector.setup.name; }

Progress begin_attempt(Election& election, Elector& elector) {
  elector.wanted = {elector.setup.name, elector.setup.lease_seconds, elector.now_ns, elector.now_ns, 0};
  const bool unread = election.release.renews_without_reading && is_leader(elector) &&
                      is_valid(elector, election.release);  // LEA-RENEW-1
  if (!unread) return make_call(election, elector, LeaseStep::read);
  elector.wanted.acquired_ns = elector.seen->acquired_ns;
  elector.wanted.transitions = elector.seen->transitions;
  return make_call(election, elector, LeaseStep::renew_unread);
}

Progress begin_release(Election& election, Elector& elector) {
  if (election.release.release_reads_first) return make_call(election, elector, LeaseStep::read_to_release);
  return write_released(election, elector, elector.seen->transitions);
}

Progress answered(Election& election, Elector& elector, LeaseResult result) {
  const LeaseStep step = std::exchange(elector.waits_for, LeaseStep::none);
  if (result == LeaseResult::ok || result == LeaseResult::lost) {
    const LeaseResult done = perform(election, elector, kind_of(step));
    result = result == LeaseResult::lost ? LeaseResult::error : done;
  }
  return proceed(election, elector, step, result);
}

Progress given_up(Election& election, Elector& elector) {
  return proceed(election, elector, std::exchange(elector.waits_for, LeaseStep::none), LeaseResult::error);
}

}  // namespace touchstone::reference
