#include "bench/times.hpp"

#include <malloc.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>

namespace touchstone::bench {

namespace {

Quantity process_cpu_ns() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return Quantity{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

Times times_of(std::vector<Quantity> times_ns) {
  if (times_ns.empty()) return {};
  std::sort(times_ns.begin(), times_ns.end());
  const std::size_t last = times_ns.size() - 1;
  return {
      times_ns.size(), times_ns.front(), times_ns[last / 4], times_ns[last / 2], times_ns[(3 * last + 3) / 4],
      times_ns.back()};
}

void StopWatch::begin() {
  cpu_begun_ = process_cpu_ns();
  begun_ = std::chrono::steady_clock::now();
}

void StopWatch::end() {
  total_ += std::chrono::steady_clock::now() - begun_;
  cpu_ += process_cpu_ns() - cpu_begun_;
}

Measured measured(const Runs& runs, bool warms_up, const std::function<void()>& run) {
  if (warms_up) run();
  std::vector<Quantity> wall;
  std::vector<Quantity> cpu;
  Quantity total = 0;
  while (wall.size() < runs.most && (wall.size() < runs.least || total < runs.time.count())) {
    StopWatch watch;
    watch.begin();
    run();
    watch.end();
    cpu.push_back(watch.cpu_ns());
    wall.push_back(watch.total_ns());
    total += wall.back();
  }
  return {times_of(std::move(wall)), times_of(std::move(cpu)).median};
}

bool reset_peak_bytes() {
  malloc_trim(0);  // memory that earlier rows freed must not count for this row
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

std::optional<std::size_t> peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return std::nullopt;
}

}  // namespace touchstone::bench
