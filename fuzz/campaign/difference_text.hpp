#pragma once

#include <filesystem>
#include <string>

#include "oracle/explain/explanation.hpp"

/// Parts of the text that describes a difference.
namespace touchstone::fuzz {

/// A section of an explanation. Lines of several cells that follow each other are a table.
std::string text_of(const oracle::Section& section);

/// The same text as comments of YAML.
std::string as_comment(const std::string& text);

/// The objects of a question as a List in YAML, which kubectl and touchstone explain -f read; empty where it
/// is no question.
std::string cluster_as_yaml(const oracle::Json& question);

/// A path that can be used on another machine: relative to the working directory where the file is below it,
/// else the name of the file.
std::filesystem::path portable(const std::filesystem::path& file);

}  // namespace touchstone::fuzz
