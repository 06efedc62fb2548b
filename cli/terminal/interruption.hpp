#pragma once

#include <atomic>

namespace touchstone::cli {

/// Catches SIGINT and SIGTERM from the first call on. A signal then sets the returned flag instead of ending
/// the process, so that a long command can save what it has found. If the process has not ended one second
/// later, standard error says that another signal ends it, and from then on another signal does. (timeout
/// sends two signals at once: to its child and to their process group.)
const std::atomic<bool>& interruption();

}  // namespace touchstone::cli
