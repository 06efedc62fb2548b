#pragma once

#include <filesystem>
#include <string>

#include "oracle/explain/explanation.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Parts of the text that describes a difference.
namespace touchstone::fuzz {

/// Renders a section of an explanation as text. Consecutive lines of several cells become a table.
std::string text_of(const oracle::Section& section);

/// Turns each line of a text into a comment of YAML.
std::string as_comment(const std::string& text);

/// The objects of a question as a List in YAML, which kubectl and touchstone explain -f can read.
std::string cluster_as_yaml(const Question& question);

/// A path that is usable on another machine. A relative path is normalized. An absolute path becomes
/// relative if the file is below the working directory; otherwise only the name of the file is left.
std::filesystem::path portable(const std::filesystem::path& file);

}  // namespace touchstone::fuzz
