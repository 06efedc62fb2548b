#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace touchstone::optimized {

/// A pool of threads that wait for work. So a decision that takes a millisecond starts no thread. Requires:
/// one caller at a time.
class Workers {
 public:
  /// `count` threads in all, including the calling thread; 0: one for each core. Fewer if the system refuses
  /// to start more.
  explicit Workers(std::size_t count = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t count() const { return threads_.size() + 1; }

  /// Calls part(0) to part(count() - 1), each on its own thread, and returns when all have returned. An
  /// exception from a part ends the process, since other parts may still use the data that they share.
  void run(const std::function<void(std::size_t)>& part);

 private:
  void wait_for_work(std::size_t number);

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  const std::function<void(std::size_t)>* part_ = nullptr;
  std::size_t round_ = 0;    ///< how many calls of run() there were
  std::size_t running_ = 0;  ///< threads that have not finished this round
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

/// The range of nodes of one part. The parts have about equal size.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};
inline Span part_of(std::size_t size, std::size_t part, std::size_t parts) {
  return {size * part / parts, size * (part + 1) / parts};
}

/// Calls act(node) for every node, with a part of the nodes on each thread. Fewer than k_nodes_least nodes
/// run on the calling thread. Requires: act(node) touches no data of another node.
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
