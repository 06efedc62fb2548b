#include "reference/queue/group_queue.hpp"
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
Quantity backoff_ns(Quantity failures, Quantity longest_ns, const Release& release) {
  Quantity length = release.initial_backoff_ns;
  for (Quantity i = 1; i < failures; ++i) {
    if (length > longest_ns - length) return longest_ns;
    length += length;
  }
  return length;
}

/// The square root, rounded down. Requires: from 0 to 2^62.
Quantity whole_root(Quantity square) {
  Quantity root = 0;
  Quantity too_large = square + 1;
  while (too_large - root > 1) {
    const Quantity middle = (root + too_large) / 2;
    (middle <= square / middle ? root : too_large) = middle;
  }
  return root;
}

/// QUE-ENTITY-6: the longest backoff of a group: that of a pod, times the square root of the number of its
/// pods, in whole nanoseconds. Requires: the longest backoff of a pod has whole seconds, and that of the
/// group at most 400,000,000 s, so that no product exceeds 63 bits.
Quantity longest_group_backoff_ns(Quantity pods, const Release& release) {
  const Quantity longest = release.longest_backoff_ns / k_second_ns;
  const Quantity square = longest * longest * pods;
  Quantity root = whole_root(square);
  Quantity rest = square - root * root;
  for (int digits = 1; digits <= 9; ++digits) {  // after the point
    root = root * 10;
    rest = rest * 100;
    Quantity more = 0;
    while ((2 * root + more + 1) * (more + 1) <= rest) more += 1;
    rest -= (2 * root + more) * more;
    root += more;
  }
  return root;
}

/// QUE-BACKOFF-2: the number of failures of a group that the length of its backoff depends on.
Quantity failures(const GroupEntry& group) {
  return group.errors_in_a_row > 0 ? group.errors_in_a_row : group.unschedulable_attempts;
}

/// QUE-BACKOFF-3
Quantity cut(Quantity time_ns, const Release& release) {
  return release.backoff_in_whole_seconds ? time_ns / k_second_ns * k_second_ns : time_ns;
}

}  // namespace

/// QUE-BACKOFF-1, QUE-BACKOFF-3
Quantity backoff_end_ns(const Entry& entry, const Release& release) {
  const Quantity count = failures(entry, release);
  return count == 0 ? 0
                    : cut(entry.since_ns + backoff_ns(count, release.longest_backoff_ns, release), release);
}

/// QUE-BACKOFF-3
bool is_backing_off(const Entry& entry, Quantity now_ns, const Release& release) {
  const bool is_gated = release.attempts_are_numbered && !entry.gated_by.empty();  // QUE-NUMBER-3
  if (is_gated || failures(entry, release) == 0) return false;
  const Quantity end_ns = backoff_end_ns(entry, release);
  return release.backoff_in_whole_seconds ? end_ns >= cut(now_ns, release) : end_ns > now_ns;
}

/// QUE-ENTITY-6
Quantity backoff_end_ns(const GroupEntry& group, const Release& release) {
  const Quantity count = failures(group);
  if (count == 0) return 0;
  const Quantity longest_ns = longest_group_backoff_ns(group.backoff_pods, release);
  return cut(group.since_ns + backoff_ns(count, longest_ns, release), release);
}

/// QUE-BACKOFF-3
bool is_backing_off(const GroupEntry& group, Quantity now_ns, const Release& release) {
  return failures(group) > 0 && backoff_end_ns(group, release) >= cut(now_ns, release);
}

}  // namespace touchstone::reference
