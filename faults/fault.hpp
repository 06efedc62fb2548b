#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "faults/seeded.hpp"
#include "oracle/protocol/protocol.hpp"

/// The table of seeded faults (*.toml beside this file), and the copy of the reference that has them.
namespace touchstone::fuzz {

struct Fault {
  std::size_t number;        ///< as seeded() has it, from 1
  std::string_view id;       ///< "victims-in-two-groups"
  std::string_view title;    ///< what goes wrong
  std::string_view clause;   ///< that it breaks
  std::string_view source;   ///< "kubernetes#128307", or "slip"
  std::string_view release;  ///< that shows it
  std::string_view file;     ///< of reference/
  std::string_view right;    ///< the expression there
  std::string_view wrong;    ///< what is evaluated in its place
  std::string_view unseen;   ///< why a campaign does not find it in a second; empty: it does
};

/// All of them, the canary and the identity first.
const std::vector<Fault>& faults();

/// The fault that must be found at once: if it is not, what found nothing else has not worked at all.
inline constexpr std::string_view k_canary = "canary";

/// What is no fault, and must not be found.
inline constexpr std::string_view k_identity = "identity";

/// The copy of the reference. What it decides is the reference's decision, unless this thread has switched a
/// fault on.
const oracle::Decider& faulty_decider();

/// Switches a fault on for this thread, with its counts at 0, and off again.
class FaultOn {
 public:
  explicit FaultOn(const Fault& fault) { fault_switch = {fault.number, 0, 0}; }
  ~FaultOn() { fault_switch = {}; }
  FaultOn(const FaultOn&) = delete;
  FaultOn& operator=(const FaultOn&) = delete;
};

}  // namespace touchstone::fuzz
