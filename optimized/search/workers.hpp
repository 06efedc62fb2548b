#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace touchstone::optimized {

/// Threads that wait for work, so that a decision of a millisecond does not start any. One user at a time.
class Workers {
 public:
  /// `count` threads in all, the one that asks being one of them; 0: as many as the machine has cores. Fewer
  /// where the system gives no more.
  explicit Workers(std::size_t count = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t count() const { return threads_.size() + 1; }

  /// Calls part(0) to part(count() - 1), each on a thread of its own, and returns when all have returned.
  /// What a part throws ends the process: others may be at work on what it shares.
  void run(const std::function<void(std::size_t)>& part);

 private:
  void wait_for_work(std::size_t number);

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  const std::function<void(std::size_t)>* part_ = nullptr;
  std::size_t round_ = 0;    ///< of calls to run()
  std::size_t running_ = 0;  ///< threads that have not returned in this round
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

/// The nodes of one of several parts of about equal size.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};
inline Span part_of(std::size_t size, std::size_t part, std::size_t parts) {
  return {size * part / parts, size * (part + 1) / parts};
}

/// Calls act(node) for every node, parts of them on each thread; few nodes are not worth waking one.
/// Requires: what it does for one node touches nothing of another's.
template <typename F>
void for_each_node(Workers& workers, std::size_t nodes, const F& act) {
  constexpr std::size_t k_nodes_least = 512;
  const std::size_t parts = nodes < k_nodes_least ? 1 : workers.count();
  const auto part = [&](std::size_t number) {
    const Span span = part_of(nodes, number, parts);
    for (std::size_t node = span.begin; node < span.end; ++node) act(node);
  };
  if (parts == 1) return part(0);
  workers.run(part);
}

}  // namespace touchstone::optimized
