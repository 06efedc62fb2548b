#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "faults/seeded.hpp"
#include "oracle/protocol/protocol.hpp"

/// The table of seeded faults (*.toml in this directory), and the copy of the reference that contains them.
namespace touchstone::faults {

/// A seeded fault: one row of the table.
struct Fault {
  std::size_t number;        ///< the number in seeded(), from 1
  std::string_view id;       ///< "victims-in-two-groups"
  std::string_view title;    ///< what goes wrong
  std::string_view clause;   ///< the clause that the fault breaks
  std::string_view source;   ///< an issue ("kubernetes#128307"), or "slip": not known to have happened
  std::string_view release;  ///< a release that shows the fault
  std::string_view file;     ///< the source file in reference/
  std::string_view right;    ///< the expression in that file
  std::string_view wrong;    ///< the expression that replaces it
  std::string_view unseen;   ///< why a campaign does not find it in a second; empty: it does
  bool needs_configuration;  ///< campaigns generate a configuration with each question
};

/// Whether the fault is in the whole cycle, or breaks a clause of it, of scores, of extenders or of Policy
/// files: then placements show it, not decisions.
inline bool is_of_whole_cycle(const Fault& fault) {
  return !fault.clause.starts_with("PRE-") || fault.file.starts_with("cycle/");
}

/// Whether the fault is in the scheduler over time: then timelines show it.
inline bool is_over_time(const Fault& fault) { return fault.file.starts_with("queue/"); }

/// All faults; the canary and the identity come first.
const std::vector<Fault>& faults();

/// All faults of the scheduler over time; its canary and its identity come first.
const std::vector<Fault>& timeline_faults();

/// A fault that every judge must find at once. A judge that misses it does not work at all.
inline constexpr std::string_view k_canary = "canary";

/// A seeded expression that is not a fault and must not be detected.
inline constexpr std::string_view k_identity = "identity";

/// The same two of the scheduler over time.
inline constexpr std::string_view k_timeline_canary = "timeline-canary";
inline constexpr std::string_view k_timeline_identity = "timeline-identity";

inline bool is_canary(const Fault& fault) { return fault.id == k_canary || fault.id == k_timeline_canary; }
inline bool is_identity(const Fault& fault) {
  return fault.id == k_identity || fault.id == k_timeline_identity;
}

/// The copy of the reference. It decides like the reference unless this thread has switched a fault on.
const oracle::Decider& faulty_decider();

/// Switches a fault on for this thread, with its counts at 0, and off at the end of the scope.
class FaultOn {
 public:
  explicit FaultOn(const Fault& fault) { fault_switch = {fault.number, 0, 0}; }
  ~FaultOn() { fault_switch = {}; }
  FaultOn(const FaultOn&) = delete;
  FaultOn& operator=(const FaultOn&) = delete;
};

}  // namespace touchstone::faults
