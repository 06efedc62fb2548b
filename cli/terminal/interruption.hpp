#pragma once

#include <atomic>

namespace touchstone::cli {

/// From the first call on, SIGINT and SIGTERM do not end the process but set what is returned, so that a long
/// command can keep what it has found; a second signal ends it. A signal that the process ignores (nohup)
/// stays ignored.
const std::atomic<bool>& interruption();

}  // namespace touchstone::cli
