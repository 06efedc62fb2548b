#pragma once

#include <optional>
#include <string>

#include "cli/input/pod_question.hpp"

namespace touchstone::cli {

/// Adds the options --config and --policy. Requires: as add_question_options.
void add_config_option(CLI::App& command, QuestionOptions& question_options);

/// Applies a configuration to the release: that of --config or --policy or, if there is none, `config` of a
/// vector, as JSON. Returns the error, if there is one: those of kubernetes::configured_by_file.
std::optional<Error> configure(const QuestionOptions& question_options, const std::string& config,
                               LoadedQuestion& asked);

}  // namespace touchstone::cli
