#include <sys/resource.h>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "cli/input/pod_question.hpp"

namespace touchstone::cli {

namespace {

std::string seconds(std::chrono::steady_clock::duration duration) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << std::chrono::duration<double>(duration).count() << " s";
  return text.str();
}

std::string megabytes(double bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << bytes / 1e6 << " MB";
  return text.str();
}

}  // namespace

void print_stats(const QuestionOptions& question_options, const LoadedQuestion& asked,
                 std::chrono::steady_clock::duration deciding) {
  if (!question_options.stats) return;
  const double seconds_reading = std::chrono::duration<double>(asked.reading).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double bytes = static_cast<double>(asked.bytes);
  std::cerr << "read " << megabytes(bytes) << " in " << seconds(asked.reading) << " ("
            << megabytes(bytes / std::max(seconds_reading, 1e-9)) << "/s), answered in " << seconds(deciding)
            << ", peak memory " << megabytes(static_cast<double>(usage.ru_maxrss) * 1024) << "\n";
}

}  // namespace touchstone::cli
