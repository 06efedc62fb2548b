#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// Leader election: several processes, each with a clock of its own, and one lease.
namespace touchstone::reference {

/// The record of a lease.
struct LeaseRecord {
  std::string holder;  ///< empty: none
  Quantity lease_seconds = 15;
  Quantity acquired_ns = 0;  ///< by the holder's clock, as the next one
  Quantity renewed_ns = 0;
  Quantity transitions = 0;

  bool operator==(const LeaseRecord&) const = default;
};

/// The API object. Every write gives it another version.
struct Lease {
  std::optional<LeaseRecord> record;  ///< no value: it does not exist
  Quantity writes = 0;
  Quantity version = 0;
};

/// How an elector is set up.
struct ElectorSetup {
  std::string name;
  Quantity now_ns = 0;
  Quantity lease_seconds = 15;
  Quantity deadline_seconds = 10;
  Quantity retry_seconds = 2;
  double jitter = 0;  ///< what the random source gives, at least 0 and less than 1
  bool releases = false;
};

enum class LeaseCallKind { get, create, update };
inline constexpr std::array<std::string_view, 3> k_lease_call_names = {"get", "create", "update"};

enum class LeaseResult { ok, error, conflict, not_found, lost };
inline constexpr std::array<std::string_view, 5> k_lease_result_names = {"ok", "error", "conflict",
                                                                         "notFound", "lost"};

/// A call that an elector made.
struct LeaseCall {
  std::string by;
  LeaseCallKind kind = LeaseCallKind::get;
  bool held = false;
  std::string_view result = {};  ///< as the API server answers; empty: it waits
};

enum class ElectorPhase { stopped, acquiring, leading };
inline constexpr std::array<std::string_view, 3> k_elector_phase_names = {"stopped", "acquiring", "leading"};

/// What a call is made for.
enum class LeaseStep { none, renew_unread, read, create, write, read_to_release, write_release };

/// One process.
struct Elector {
  ElectorSetup setup;
  Quantity now_ns = 0;
  ElectorPhase phase = ElectorPhase::stopped;
  bool asked_to_stop = false;
  bool has_run = false;

  std::optional<LeaseRecord> seen = {};  ///< what it saw or wrote last
  Quantity seen_ns = 0;
  std::optional<LeaseRecord> read = {};  ///< what it read last, without parts of seconds
  std::string reported = {};             ///< the holder that it told about
  std::optional<Quantity> version = {};  ///< of the object that it has; no value: an object without a name

  LeaseStep waits_for = LeaseStep::none;    ///< a call that waits
  LeaseRecord wanted = {};                  ///< what the attempt writes
  std::map<LeaseCallKind, int> armed = {};  ///< calls that shall wait

  std::optional<Quantity> next_ns = {};      ///< the next attempt to acquire, or the next round
  std::optional<Quantity> deadline_ns = {};  ///< of the round, or of the release
  std::optional<Quantity> tick_ns = {};      ///< the next tick of the round
  bool tick_waits = false;                   ///< a tick fell into an attempt
};

/// The processes and the lease.
struct Election {
  Release release;
  Lease lease;
  std::map<std::string, Elector> electors;
  std::vector<LeaseCall> calls;           ///< of the last command
  std::vector<std::string_view> clauses;  ///< that decided the last command
};

/// A client that is no elector writes the lease, or deletes it.
void write_lease(Election& election, const std::optional<LeaseRecord>& record);

/// A process begins, or ends in good order. Errors: running; not-running. Clauses: LEA-RELEASE-1.
std::optional<Error> start(Election& election, const std::string& name);
std::optional<Error> stop(Election& election, const std::string& name);

/// The clock of an elector moves. Clauses: LEA-ACQUIRE-1, LEA-RENEW-1, LEA-DEADLINE-1.
void advance(Election& election, const std::string& name, Quantity ns);

/// The next call of this kind waits. Errors: not-running.
std::optional<Error> hold(Election& election, const std::string& name, LeaseCallKind kind);

/// A call that waits is answered. Errors: not-waiting. Clauses: LEA-SEEN-1, LEA-EXPIRY-1, LEA-WRITE-1.
std::optional<Error> answer(Election& election, const std::string& name, LeaseResult result);

/// Whether an elector counts itself as the leader.
bool is_leader(const Elector& elector);

}  // namespace touchstone::reference
