#pragma once

#include <optional>
#include <string>

#include "spec/releases/release.hpp"

/// Leader election: one process of several leads.
namespace touchstone::reference {

/// The record that the API server stores.
struct LeaseRecord {
  std::string holder;  ///< empty: none
  Quantity lease_ns = 15'000'000'000;
  Quantity acquired_ns = 0;  ///< by the holder's clock, as the next one
  Quantity renewed_ns = 0;
  Quantity transitions = 0;

  bool operator==(const LeaseRecord&) const = default;
};

/// The API object that has the record. Every write gives it another version.
struct LeaseObject {
  std::optional<LeaseRecord> record;  ///< no value: the object does not exist
  std::size_t version = 0;
};

/// One process. Its times are of its own clock.
struct Elector {
  std::string identity;
  Quantity lease_ns = 15'000'000'000;
  Quantity deadline_ns = 10'000'000'000;
  Quantity retry_ns = 2'000'000'000;
  std::optional<LeaseRecord> seen = {};  ///< the last record that it saw
  Quantity seen_ns = 0;
  Quantity succeeded_ns = 0;  ///< its last success
};

/// A write that an elector wants to make.
struct LeaseWrite {
  LeaseRecord record;
  std::size_t version = 0;  ///< the version that the object must have
};

/// The write of an attempt that has read the object. No value: the record belongs to another one. Clauses:
/// LEA-SEEN-1, LEA-EXPIRY-1, LEA-WRITE-1.
std::optional<LeaseWrite> attempt(Elector& elector, const LeaseObject& read, Quantity now_ns,
                                  const Release& release);

/// The write of a holder that does not read the object first. No value: it must read. `version`: that of its
/// last write. Clauses: LEA-RENEW-1.
std::optional<LeaseWrite> attempt_without_reading(const Elector& elector, std::size_t version,
                                                  Quantity now_ns, const Release& release);

/// Performs a write. Returns whether it succeeded. Clauses: LEA-WRITE-1.
bool write_lease(Elector& elector, LeaseObject& object, const LeaseWrite& write, Quantity now_ns);

/// Whether a leader gives up. Clauses: LEA-DEADLINE-1.
bool gives_up(const Elector& elector, Quantity now_ns);

/// The write of a leader that is asked to stop. No value: it leaves its record. Clauses: LEA-RELEASE-1.
std::optional<LeaseWrite> released(const Elector& elector, std::size_t version, Quantity now_ns,
                                   const Release& release);

}  // namespace touchstone::reference
