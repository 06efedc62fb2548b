#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace touchstone::oracle {

/// The command of the protocol that asks a question: `run` for preemption alone, `schedule` for a whole
/// cycle.
enum class Command { run, schedule };
inline constexpr std::array<std::string_view, 2> k_command_names = {"run", "schedule"};

inline std::string_view name_of(Command command) {
  return k_command_names[static_cast<std::size_t>(command)];
}

}  // namespace touchstone::oracle
