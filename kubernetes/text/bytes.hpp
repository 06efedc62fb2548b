#pragma once

#include <string>
#include <string_view>

#include "kubernetes/dump/progress.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Reads a file, or standard input where `path` is "-", decompressed if it is gzip, with room for the padding
/// of a JSON parser. It gives up early on what cannot be objects: a MiB of nothing but blanks and NUL bytes
/// at any place, or a first MiB that is no text, or text without a sign of an object; so /dev/zero and a gzip
/// file of it end soon, and in little memory.
/// Errors: file-unreadable; gzip-malformed; empty (also: nothing but blanks); not-text; no-objects;
/// input-too-large (2 GiB, or a gzip file that grows beyond any text).
Result<std::string> read_bytes(const std::string& path, const Progress& progress);

/// The same for what is in memory. Errors: as read_bytes, with `name` for a path.
Result<std::string> plain_bytes(std::string_view bytes, const std::string& name);

/// Whether a text is JSON for us: its first character that is no blank opens an object or a list.
bool looks_like_json(std::string_view text);

/// What paths call a file: "standard input" where it is "-".
std::string name_of_file(const std::string& path);

}  // namespace touchstone::kubernetes
