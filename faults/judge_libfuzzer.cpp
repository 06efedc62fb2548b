#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>

#include "faults/judge.hpp"
#include "oracle/subject/child.hpp"

namespace touchstone::faults {

namespace {

/// Reads a stream of a child until the child closes it or the effort is stopped.
std::string read_all(oracle::Descriptor& from, const Effort& effort) {
  constexpr int k_wait_ms = 100;
  std::string text;
  std::array<char, 1 << 14> part{};
  while (!effort.stop) {
    pollfd readable{from.number(), POLLIN, 0};
    if (poll(&readable, 1, k_wait_ms) <= 0) continue;
    const ssize_t count = read(from.number(), part.data(), part.size());
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) break;
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// The number after a text, such as "stat::number_of_executed_units: "; 0 if the text is missing.
std::uint64_t number_after(const std::string& text, std::string_view what) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) return 0;
  const std::size_t first = text.find_first_not_of(' ', at + what.size());
  std::uint64_t number = 0;
  if (first != std::string::npos) std::from_chars(text.data() + first, text.data() + text.size(), number);
  return number;
}

/// Why a run without a detection is not valid. Empty: the run took its time and found nothing.
std::string trouble_of(oracle::Child& child, const std::string& said) {
  constexpr auto k_to_end = std::chrono::seconds(10);
  if (!child.ended_within(k_to_end)) return "does not end";
  const std::optional<oracle::Exit> exit = child.kill();
  if (!exit) return "was killed";
  if (exit->signal) return "ended by signal " + std::to_string(*exit->signal);
  if (exit->code.value_or(0) == 0)
    return number_after(said, "stat::number_of_executed_units:") > 0 ? "" : "ran no case";
  const std::size_t error = said.find("ERROR: ");
  const std::string what = error == std::string::npos ? said : said.substr(error);
  return "ended with " + std::to_string(*exit->code) + ": " + what.substr(0, what.find('\n'));
}

/// Runs libFuzzer on a fault. libFuzzer does not report processor time. Therefore the target prints it, and
/// the first cases in which the fault was reached and triggered (see fuzz/targets/faults.cpp).
Trial libfuzzer(const std::filesystem::path& binary, const Fault& fault, std::uint64_t seed,
                const Effort& effort) {
  const std::string seconds = std::to_string(static_cast<int>(std::ceil(effort.seconds_most)));
  Result<oracle::Child> started =
      oracle::Child::start({"/usr/bin/env", "TOUCHSTONE_FAULT=" + std::string(fault.id),
                            std::filesystem::absolute(binary).string(), "-seed=" + std::to_string(seed),
                            "-max_total_time=" + seconds, "-max_len=400", "-len_control=0",
                            "-print_final_stats=1", "-exact_artifact_path=/dev/null"});
  Trial trial;
  if (!started) {
    trial.failed = started.error().message;
    return trial;
  }
  oracle::Child child = std::move(started).value();
  child.input().close();
  const std::string said = read_all(child.errors(), effort);
  if (effort.stop) return trial;
  const auto first = [&said](std::string_view what) {
    const std::uint64_t number = number_after(said, what);
    return number > 0 ? std::optional(number) : std::nullopt;
  };
  trial.reached = first("touchstone fault reached in case ");
  trial.triggered = first("touchstone fault triggered in case ");
  trial.detected = first("touchstone fault detected in case ");
  trial.seconds = trial.detected ? static_cast<double>(number_after(said, "after microseconds ")) * 1e-6
                                 : effort.seconds_most;
  if (!trial.detected) trial.failed = trouble_of(child, said);
  return trial;
}

}  // namespace

Judge libfuzzer_judge(const std::filesystem::path& binary) {
  const auto run = [binary](const Fault& fault, std::uint64_t seed, const Effort& effort) {
    return libfuzzer(binary, fault, seed, effort);
  };
  return {"libfuzzer", "fuzz/targets/faults.cpp under libFuzzer, with an empty corpus", true,
          binary.empty() ? "not run" : "", run};
}

}  // namespace touchstone::faults
