#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spec/result.hpp"

namespace touchstone::kubernetes {

/// True for the first bytes of a gzip file.
bool is_gzip(std::string_view bytes);

/// Decompresses a gzip file, also one of several parts.
/// Requires: is_gzip(bytes).
/// Errors, without a path: gzip-malformed (corrupt, truncated, or followed by anything else);
/// input-too-large, when it holds more than size_max bytes.
Result<std::string> gunzip(std::string_view bytes, std::size_t size_max);

}  // namespace touchstone::kubernetes
