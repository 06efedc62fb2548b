#include "optimized/search/workers.hpp"

#include <system_error>

namespace touchstone::optimized {

Workers::Workers(std::size_t count) {
  if (count == 0) count = std::thread::hardware_concurrency();
  for (std::size_t i = 1; i < count; ++i) {
    try {
      threads_.emplace_back([this, number = threads_.size() + 1] { wait_for_work(number); });
    } catch (const std::system_error&) {
      return;
    }
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(const std::function<void(std::size_t)>& part) {
  {
    const std::lock_guard lock(mutex_);
    part_ = &part;
    running_ = threads_.size();
    round_ += 1;
  }
  begin_.notify_all();
  const auto first = [&part]() noexcept { part(0); };
  first();
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return running_ == 0; });
}

void Workers::wait_for_work(std::size_t number) {
  std::size_t seen = 0;
  for (;;) {
    const std::function<void(std::size_t)>* part = nullptr;
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return is_over_ || round_ != seen; });
      if (is_over_) return;
      seen = round_;
      part = part_;
    }
    (*part)(number);
    const std::lock_guard lock(mutex_);
    running_ -= 1;
    if (running_ == 0) end_.notify_one();
  }
}

}  // namespace touchstone::optimized
