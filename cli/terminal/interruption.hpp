#pragma once

#include <atomic>

namespace touchstone::cli {

/// From the first call on, SIGINT and SIGTERM do not end the process but set what is returned, so that a long
/// command can keep what it has found. Where it has not ended a second later, standard error says that
/// another signal ends it, and from then on one does. (timeout sends two at once: to its child and to their
/// process group.)
const std::atomic<bool>& interruption();

}  // namespace touchstone::cli
