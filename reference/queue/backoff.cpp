#include "reference/queue/scheduling_queue.hpp"

/// The backoff of pods.
namespace touchstone::reference {

namespace {

constexpr Quantity k_second_ns = 1'000'000'000;

/// QUE-BACKOFF-2: the number of failures that the length of the backoff depends on.
Quantity failures(const Entry& entry, const Release& release) {
  if (!release.errors_back_off_apart) return entry.attempts;
  return entry.errors_in_a_row > 0 ? entry.errors_in_a_row : entry.unschedulable_attempts;
}

/// QUE-BACKOFF-1
Quantity backoff_ns(Quantity failures, const Release& release) {
  Quantity length = release.initial_backoff_ns;
  for (Quantity i = 1; i < failures; ++i) {
    if (length > release.longest_backoff_ns - length) return release.longest_backoff_ns;
    length += length;
  }
  return length;
}

/// QUE-BACKOFF-3
Quantity cut(Quantity time_ns, const Release& release) {
  return release.backoff_in_whole_seconds ? time_ns / k_second_ns * k_second_ns : time_ns;
}

}  // namespace

/// QUE-BACKOFF-1, QUE-BACKOFF-3
Quantity backoff_end_ns(const Entry& entry, const Release& release) {
  const Quantity count = failures(entry, release);
  return count == 0 ? 0 : cut(entry.since_ns + backoff_ns(count, release), release);
}

/// QUE-BACKOFF-3
bool is_backing_off(const Entry& entry, Quantity now_ns, const Release& release) {
  const bool is_gated = release.attempts_are_numbered && !entry.gated_by.empty();  // QUE-NUMBER-3
  if (is_gated || failures(entry, release) == 0) return false;
  const Quantity end_ns = backoff_end_ns(entry, release);
  return release.backoff_in_whole_seconds ? end_ns >= cut(now_ns, release) : end_ns > now_ns;
}

}  // namespace touchstone::reference
