#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "spec/releases/release.hpp"

/// A work queue of client-go: keys that are ready, that are processed, and that wait for their time.
namespace touchstone::reference {

struct WorkQueue {
  std::deque<std::string> ready;     ///< in the order in which they are taken
  std::set<std::string> dirty;       ///< to be processed; also those that were added while processed
  std::set<std::string> processing;  ///< taken, and not done
  std::map<std::string, Quantity> failures;

  struct Waiting {
    std::string key;
    Quantity ready_ns = 0;
  };
  std::vector<Waiting> waiting;  ///< a binary heap, the earliest first
};

/// BUD-QUEUE-1: a key is ready at once, unless it is ready already, or is processed now.
void add(WorkQueue& queue, const std::string& key);

/// BUD-QUEUE-2: a key is ready after a time. If it waits already, the earlier time counts.
void add_after(WorkQueue& queue, const std::string& key, Quantity after_ns, Quantity now_ns);

/// BUD-QUEUE-3: a key is ready after 5 ms, and after each further failure in twice the time, up to 1000 s.
void add_rate_limited(WorkQueue& queue, const std::string& key, Quantity now_ns);

/// The next key that waits is ready then. No value: none waits.
std::optional<Quantity> next_ready(const WorkQueue& queue);

/// BUD-QUEUE-2: keys that have waited long enough are ready.
void wake(WorkQueue& queue, Quantity now_ns);

/// Takes the first key that is ready. Requires: one is.
std::string take(WorkQueue& queue);

/// BUD-QUEUE-1: a key was processed. If it was added meanwhile, it is ready again.
void done(WorkQueue& queue, const std::string& key);

}  // namespace touchstone::reference
