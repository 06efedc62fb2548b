#pragma once

#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "oracle/subject/subject_process.hpp"

/// Helpers for tests that run misbehaving_subject.py.
namespace touchstone::oracle::tests {

/// Limits for a subject that answers or ends. Even a slow machine does not reach them.
inline constexpr SubjectLimits k_patient{.start_timeout = std::chrono::minutes(5),
                                         .answer_timeout = std::chrono::minutes(5),
                                         .exit_timeout = std::chrono::minutes(5),
                                         .bye_timeout = std::chrono::minutes(5)};
/// Limits for a subject that never answers. A slow machine does not change the result.
inline constexpr SubjectLimits k_impatient{.start_timeout = std::chrono::minutes(5),
                                           .answer_timeout = std::chrono::milliseconds(300)};

inline std::vector<std::string> subject(const std::string& mode, const std::string& argument = "") {
  return {"python3", "tests/oracle/subject/misbehaving_subject.py", mode, argument};
}

inline std::string question(int seq, const std::string& more = "") {
  return R"({"cmd":"run","seq":)" + std::to_string(seq) + more + "}";
}

/// Members that make a question larger than any pipe buffer.
inline std::string much(std::size_t bytes) { return R"(,"x":")" + std::string(bytes, 'x') + '"'; }

/// "seq 3", the code of a failure, or "stopped".
inline std::string what(const Reply& reply) {
  if (const auto* failure = std::get_if<Failure>(&reply)) return std::string(code_of(failure->kind));
  if (std::holds_alternative<Stopped>(reply)) return "stopped";
  return "seq " + nlohmann::ordered_json::parse(std::get<Answer>(reply).text)["seq"].dump();
}

/// Whether this process has a child, running or dead.
inline bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1; }

inline bool lives(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t state = text.rfind(')');
  return state != std::string::npos && text.at(state + 2) != 'Z' && text.at(state + 2) != 'X';
}

/// Waits until a process has ended, at most 5 minutes. A signal takes some time to arrive.
inline bool dies(pid_t pid) {
  for (int i = 0; i < 30'000 && lives(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !lives(pid);
}

}  // namespace touchstone::oracle::tests
