#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// What help, completion and complaints say about the options of the application. An option says what it
/// takes by its type name, such as FILE; one with CLI::IsMember takes its choices.
namespace touchstone::cli {

/// Takes whole numbers from `least` to `most`, in decimals and nothing else. CLI11 by itself takes -1 for
/// 2^64 - 1, and 010 for 8. Without a description, so that help shows the type name alone.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::int64_t>::max());

/// Whether an option or argument takes a value; a flag does not.
bool takes_value(const CLI::Option& option);

/// The values that CLI::IsMember allows; empty if any.
std::vector<std::string> choices_of(const CLI::Option& option);

/// What stands for the value: "text|json" or "FILE"; empty for a flag.
std::string placeholder_of(const CLI::Option& option);

/// All names with their dashes, the short ones first; an argument has none.
std::vector<std::string> names_of(const CLI::Option& option);

/// The arguments of a command, its options with help as the last, and the options of the application that it
/// also takes (CLI11 fallthrough).
std::vector<const CLI::Option*> options_for(const CLI::App& command);

/// The subcommands of an application, in the order of help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

}  // namespace touchstone::cli
