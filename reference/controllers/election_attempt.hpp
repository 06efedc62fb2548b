#pragma once

#include "reference/controllers/election.hpp"

/// One attempt to acquire or renew the lease, and its release: the calls, one after another.
namespace touchstone::reference {

enum class Progress { waits, succeeded, failed, released };

/// LEA-WRITE-1: a record as the API keeps it.
LeaseRecord as_stored(LeaseRecord record, const Release& release);

/// Clauses: LEA-RENEW-1, LEA-SEEN-1, LEA-EXPIRY-1, LEA-WRITE-1.
Progress begin_attempt(Election& election, Elector& elector);

/// Clauses: LEA-RELEASE-1.
Progress begin_release(Election& election, Elector& elector);

/// Goes on after the call that waits was answered.
Progress answered(Election& election, Elector& elector, LeaseResult result);

/// Goes on after the call that waits was given up by the elector.
Progress given_up(Election& election, Elector& elector);

}  // namespace touchstone::reference
