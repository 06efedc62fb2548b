#pragma once

#include <atomic>

namespace touchstone::cli {

/// From the first call on, SIGINT and SIGTERM do not end the process but set what is returned, so that a long
/// command can keep what it has found; another signal, two seconds later, ends it. (timeout sends two at once:
/// to its child and to their process group.)
const std::atomic<bool>& interruption();

}  // namespace touchstone::cli
