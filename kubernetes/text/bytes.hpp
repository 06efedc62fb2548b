#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "kubernetes/dump/progress.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Reads a file, or standard input if `path` is "-". Decompresses the content if it is gzip.
/// Stops early if the content cannot be Kubernetes objects: 1 MiB of only blanks and NUL bytes at any place,
/// a first MiB that is not text, or a first MiB without any sign of an object. So reading /dev/zero, or gzip
/// of it, ends soon and uses little memory.
/// Ensures: for an uncompressed input of 1 MiB or more whose size is known, the string has spare capacity for
/// the padding of the JSON parser (Document::k_padding).
/// Errors: file-unreadable; gzip-malformed; empty (also: only blanks); not-text; no-objects; input-too-large
/// (more than 2 GiB of text, or a gzip file that expands more than Kubernetes text does).
Result<std::string> read_bytes(const std::string& path, const Progress& progress);

/// Does the same for bytes in memory. Errors: as read_bytes, with `name` in place of the path.
Result<std::string> plain_bytes(std::string_view bytes, const std::string& name);

/// Replaces the content of a file. The file has the old content or the new one, also if the process ends in
/// between: the text goes into `path`.part, which is then renamed. A device or a pipe, such as /dev/stdout,
/// is written to as it is. Errors: file-unwritable.
std::optional<Error> write_bytes(const std::filesystem::path& path, std::string_view bytes);

/// True if documents_of parses the text as JSON first: its first non-blank character is { or [.
bool looks_like_json(std::string_view text);

/// The name of a file in the path of an error: "standard input" for "-", else the path itself.
std::string name_of_file(const std::string& path);

}  // namespace touchstone::kubernetes
