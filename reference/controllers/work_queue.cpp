#include "reference/controllers/work_queue.hpp"

#include <algorithm>

namespace touchstone::reference {

namespace {

using Heap = std::vector<WorkQueue::Waiting>;

/// Moves an entry towards the root of the heap.
void raise(Heap& heap, std::size_t at) {
  while (at > 0) {
    const std::size_t parent = (at - 1) / 2;
    if (heap[at].ready_ns >= heap[parent].ready_ns) return;
    std::swap(heap[at], heap[parent]);
    at = parent;
  }
}

/// Moves the root of the heap down. Of two children that are as early, the first one rises.
void sink(Heap& heap) {
  std::size_t at = 0;
  for (std::size_t child = 1; child < heap.size(); child = 2 * at + 1) {
    if (child + 1 < heap.size() && heap[child + 1].ready_ns < heap[child].ready_ns) ++child;
    if (heap[child].ready_ns >= heap[at].ready_ns) return;
    std::swap(heap[at], heap[child]);
    at = child;
  }
}

}  // namespace

void add(WorkQueue& queue, const std::string& key) {
  if (!queue.dirty.insert(key).second || queue.processing.contains(key)) return;
  queue.ready.push_back(key);
}

void add_after(WorkQueue& queue, const std::string& key, Quantity after_ns, Quantity now_ns) {
  if (after_ns <= 0) return add(queue, key);
  const Quantity ready_ns = now_ns + after_ns;
  const auto known = std::find_if(queue.waiting.begin(), queue.waiting.end(),
                                  [&key](const WorkQueue::Waiting& each) { return each.key == key; });
  if (known == queue.waiting.end()) {
    queue.waiting.push_back({key, ready_ns});
    return raise(queue.waiting, queue.waiting.size() - 1);
  }
  if (ready_ns >= known->ready_ns) return;
  known->ready_ns = ready_ns;
  raise(queue.waiting, static_cast<std::size_t>(known - queue.waiting.begin()));
}

void add_rate_limited(WorkQueue& queue, const std::string& key, Quantity now_ns) {
  constexpr Quantity k_first_ns = 5'000'000;
  constexpr Quantity k_most_ns = 1'000'000'000'000;
  constexpr Quantity k_most_doublings = 18;
  const Quantity failures = queue.failures[key]++;
  const Quantity delay_ns = failures >= k_most_doublings ? k_most_ns : k_first_ns << failures;
  add_after(queue, key, delay_ns, now_ns);
}

std::optional<Quantity> next_ready(const WorkQueue& queue) {
  if (queue.waiting.empty()) return std::nullopt;
  return queue.waiting.front().ready_ns;
}

void wake(WorkQueue& queue, Quantity now_ns) {
  while (!queue.waiting.empty() && queue.waiting.front().ready_ns <= now_ns) {
    const std::string key = queue.waiting.front().key;
    std::swap(queue.waiting.front(), queue.waiting.back());
    queue.waiting.pop_back();
    sink(queue.waiting);
    add(queue, key);
  }
}

std::string take(WorkQueue& queue) {
  const std::string key = queue.ready.front();
  queue.ready.pop_front();
  queue.processing.insert(key);
  queue.dirty.erase(key);
  return key;
}

void done(WorkQueue& queue, const std::string& key) {
  queue.processing.erase(key);
  if (queue.dirty.contains(key)) queue.ready.push_back(key);
}

}  // namespace touchstone::reference
