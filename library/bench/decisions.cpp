#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <string>

#include "library/touchstone.hpp"

/// Measures many decisions through the typed interface of libtouchstone, beside the command `touchstone
/// subject`.
///
///     library_bench TOUCHSTONE [DECISIONS] [NODES]
///
/// The cluster has 30 pods on each node, and space for ten more. Each decision schedules a new pod; the pod
/// is bound, and once a tenth of the space is used, the oldest of these pods is removed. Ends with exit code
/// 1 if a decision fails, or if the peak of memory in the last half of the decisions is more than a hundredth
/// above that of the first half. (Within a half, the memory of removed pods is reused several times.)

namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_pods_of_node = 30;

std::string node_json(int number) {
  return R"({"metadata":{"name":"node-)" + std::to_string(number) +
         R"(","labels":{"topology.kubernetes.io/zone":"z)" + std::to_string(number % 3) +
         R"("}},"status":{"allocatable":{"cpu":"40","memory":"160Gi","pods":"110"}}})";
}

std::string pod_json(const std::string& name, int priority, const std::string& node) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"shop","uid":")" + name +
         R"(","labels":{"app":"a)" + std::to_string(priority % 7) + R"("}},"spec":{)" +
         (node.empty() ? "" : R"("nodeName":")" + node + "\",") + R"("priority":)" +
         std::to_string(priority) +
         R"(,"containers":[{"name":"c","resources":{"requests":{"cpu":"1","memory":"2Gi"}}}]}})";
}

std::string lists_json(int nodes) {
  std::string json = R"("release":"v1.37.2","nodes":[)";
  for (int i = 0; i < nodes; ++i) json += (i > 0 ? "," : "") + node_json(i);
  json += R"(],"pods":[)";
  for (int i = 0; i < nodes * k_pods_of_node; ++i) {
    const int node = i / k_pods_of_node;
    json += (i > 0 ? "," : "") + pod_json("p" + std::to_string(i), i % 100, "node-" + std::to_string(node));
  }
  return json + "]";
}

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double cpu_seconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The peak of resident memory of this process in kilobytes.
long peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

void show(const char* what, double wall, double cpu, double count) {
  std::printf("%-52s %10.1f us wall %10.1f us cpu\n", what, wall / count * 1e6, cpu / count * 1e6);
}

/// Asks the command `count` times, each time with the whole cluster, as the protocol has it.
void measure_command(const std::string& touchstone, const std::string& lists, int count) {
  char path[] = "/tmp/touchstone_bench_XXXXXX";
  const int file = ::mkstemp(path);
  if (file < 0) return;
  ::close(file);
  {
    std::ofstream questions(path);
    for (int i = 0; i < count; ++i)
      questions << R"({"cmd":"schedule","start":0,"pod":)" << pod_json("new", 1000, "") << "," << lists
                << "}\n";
  }
  const Clock::time_point start = Clock::now();
  const double cpu = cpu_seconds(RUSAGE_CHILDREN);
  const int code =
      std::system((touchstone + " subject --engine optimized < " + path + " > /dev/null").c_str());
  if (code == 0)
    show("the command, which reads the cluster each time", since(start), cpu_seconds(RUSAGE_CHILDREN) - cpu,
         count);
  std::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return std::cerr << "usage: library_bench TOUCHSTONE [DECISIONS] [NODES]\n", 2;
  const int decisions = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  const int nodes = argc > 3 ? std::atoi(argv[3]) : 5'000;
  const std::string lists = lists_json(nodes);
  std::printf("%d nodes, %d pods, %d decisions\n", nodes, nodes * k_pods_of_node, decisions);

  Clock::time_point start = Clock::now();
  double cpu = cpu_seconds(RUSAGE_SELF);
  auto cluster = touchstone::Cluster::load("{" + lists + "}");
  show("load the cluster", since(start), cpu_seconds(RUSAGE_SELF) - cpu, 1);
  auto decision = touchstone::Decision::make();

  std::deque<std::string> bound;
  long peak_early = 0;
  double deciding = 0;
  touchstone_options options = TOUCHSTONE_OPTIONS_INIT;
  options.start = 0;
  start = Clock::now();
  cpu = cpu_seconds(RUSAGE_SELF);
  for (int i = 0; i < decisions; ++i) {
    const std::string name = "new-" + std::to_string(i);
    const auto pod = touchstone::Pod::read(pod_json(name, 1000, ""));
    const Clock::time_point asked = Clock::now();
    const auto done = cluster->schedule(pod.value(), decision.value(), &options);
    deciding += since(asked);
    if (!done || decision->outcome() != TOUCHSTONE_SCHEDULED) {
      std::cerr << "decision " << i << ": " << (done ? decision->reason() : done.error().text) << "\n";
      return 1;
    }
    options.start = decision->next_start().value_or(0);
    cluster->bind(pod.value(), decision->node()).value();
    bound.push_back(name);
    if (bound.size() > static_cast<std::size_t>(nodes)) {
      cluster->remove("Pod", "shop", bound.front()).value();
      bound.pop_front();
    }
    if (i == decisions / 2) peak_early = peak();
  }
  show("a decision, with its pod bound and another removed", since(start), cpu_seconds(RUSAGE_SELF) - cpu,
       decisions);
  std::printf("%-52s %10.1f us wall\n", "of this the decision alone", deciding / decisions * 1e6);
  const long peak_late = peak();
  std::printf("peak of resident memory: %ld MB after half of the decisions, %ld MB at the end\n",
              peak_early / 1024, peak_late / 1024);

  constexpr int k_preemptions = 1000;
  const auto large = touchstone::Pod::read(
      R"({"metadata":{"name":"large"},"spec":{"priority":5000,"containers":[{"name":"c","resources":{"requests":{"cpu":"20"}}}]}})");
  start = Clock::now();
  cpu = cpu_seconds(RUSAGE_SELF);
  for (int i = 0; i < k_preemptions; ++i) {
    cluster->schedule(large.value(), decision.value()).value();
    if (decision->outcome() != TOUCHSTONE_NOMINATED) return std::cerr << "large: not nominated\n", 1;
  }
  show("a decision with preemption, nothing changed", since(start), cpu_seconds(RUSAGE_SELF) - cpu,
       k_preemptions);

  constexpr int k_asked = 3;
  measure_command(argv[1], lists, k_asked);
  return peak_late > peak_early + peak_early / 100 ? 1 : 0;
}
