#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// The options of the application, for help, completion and error messages. The type name of an option, such
/// as FILE, says what value it takes; an option with CLI::IsMember takes one of its choices.
namespace touchstone::cli {

/// Accepts whole numbers from `least` to `most`, written in decimal without leading zeros. CLI11 itself would
/// read -1 as 2^64 - 1, and 010 as 8. Has no description, so that help shows only the type name.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::int64_t>::max());

/// Whether an option or argument takes a value; a flag does not.
bool takes_value(const CLI::Option& option);

/// The values that CLI::IsMember allows; empty if the option has no such check.
std::vector<std::string> choices_of(const CLI::Option& option);

/// The placeholder of the value: "text|json" or "FILE"; empty for a flag.
std::string placeholder_of(const CLI::Option& option);

/// All names with their dashes, the short ones first; an argument has none.
std::vector<std::string> names_of(const CLI::Option& option);

/// The arguments of a command, its options (help is the last), and the options of the application that the
/// command also takes (CLI11 fallthrough).
std::vector<const CLI::Option*> options_for(const CLI::App& command);

/// The subcommands of an application, in the order of help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

}  // namespace touchstone::cli
