#include "kubernetes/text/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>

#include "kubernetes/text/gzip.hpp"
#include "kubernetes/text/json.hpp"
#include "kubernetes/text/pieces.hpp"

namespace touchstone::kubernetes {

namespace {

/// Enough for about 400,000 pods. Reading may take eight times as much memory.
constexpr std::size_t k_size_max = std::size_t{1} << 31;
constexpr std::size_t k_piece_size = 1 << 16;
constexpr std::size_t k_start_size = 1 << 20;
constexpr std::size_t k_blanks_max = 1 << 20;

/// Highest accepted ratio of text to gzip. Deflate can reach 1032. An indented dump of 30,000 pods that
/// differ in little except their names reaches 20 to 87.
constexpr std::size_t k_ratio_max = 250;
constexpr std::size_t k_ratio_size_min = std::size_t{1} << 26;

constexpr std::string_view k_blanks("\0 \t\r\n", 5);

bool is_blank(std::string_view bytes) { return bytes.find_first_not_of(k_blanks) == std::string_view::npos; }

/// The number of bytes read so far, and of all bytes. For gzip these are compressed bytes.
struct Count {
  std::size_t done = 0;
  std::size_t total = 0;
};

/// Returns what is wrong with the first bytes of a file (at most k_start_size); nothing if they look right.
std::optional<Error> first_bytes_error(std::string_view start) {
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
    return Error{"not-text", "", "expected UTF-8, found UTF-16 (as > of Windows PowerShell writes it)"};
  }
  const auto control = std::find_if(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
  });
  if (control != start.end()) {
    return Error{"not-text", "",
                 "expected JSON or YAML, found a control character at byte " +
                     std::to_string(control - start.begin() + 1)};
  }
  // kubectl sorts keys, so apiVersion is near the beginning of its output.
  const bool is_long = start.size() >= k_start_size;
  const bool has_objects = looks_like_json(start) || start.find("apiVersion:") != std::string_view::npos ||
                           start.find("kind:") != std::string_view::npos;
  if (is_long && !has_objects) {
    return Error{"no-objects", "", "expected Kubernetes objects as JSON or YAML, found other text"};
  }
  return std::nullopt;
}

/// Joins the pieces to one text. Errors, without a path: empty, not-text, no-objects, input-too-large.
Result<std::string> joined(const ByteSource& next, const Count& count, bool is_compressed) {
  std::string bytes;
  std::size_t blanks = 0;
  bool is_checked = false;
  for (std::string_view piece = next(); !piece.empty(); piece = next()) {
    const std::size_t size = bytes.size() + piece.size();
    const bool is_bomb = is_compressed && size > k_ratio_size_min && size / k_ratio_max > count.done;
    if (size > k_size_max) return Error{"input-too-large", "", "expected at most 2 GiB of text"};
    if (is_bomb) {
      return Error{"input-too-large", "",
                   "expected a gzip compression ratio of at most " + std::to_string(k_ratio_max)};
    }
    blanks = is_blank(piece) ? blanks + piece.size() : 0;
    if (blanks >= k_blanks_max) {
      return Error{"empty", "", "expected JSON or YAML, found only white space in the first MiB"};
    }
    bytes.append(piece);
    if (is_checked || bytes.size() < k_start_size) continue;
    is_checked = true;
    if (const auto error = first_bytes_error(std::string_view(bytes).substr(0, k_start_size))) return *error;
    // Reserves only after the check, so a file of a gigabyte that is not text takes only a MiB.
    if (!is_compressed) bytes.reserve(std::min(count.total, k_size_max) + Document::k_padding);
  }
  if (is_blank(std::string_view(bytes).substr(0, k_blanks_max))) {
    return Error{"empty", "", "expected JSON or YAML, found only white space"};
  }
  if (!is_checked) {
    if (const auto error = first_bytes_error(bytes)) return *error;
  }
  return bytes;
}

/// Joins the pieces to one text. Decompresses them first if they are gzip.
Result<std::string> read(const ByteSource& pieces, const Count& count, const std::string& name) {
  const auto named = [&](const Error& error) { return Error{error.code, name, error.message}; };
  const std::string_view first = pieces();
  bool is_first = true;
  const ByteSource all = [&] {
    if (!is_first) return pieces();
    is_first = false;
    return first;
  };
  if (!is_gzip(first)) {
    Result<std::string> bytes = joined(all, count, false);
    return bytes ? std::move(bytes) : named(bytes.error());
  }
  Gunzip gunzip(all);
  Result<std::string> bytes = joined([&] { return gunzip.next(); }, count, true);
  if (gunzip.is_malformed()) return Error{"gzip-malformed", name, "expected a complete gzip file"};
  return bytes ? std::move(bytes) : named(bytes.error());
}

}  // namespace

Result<std::string> read_bytes(const std::string& path, const Progress& progress) {
  const std::string name = name_of_file(path);
  const Error unreadable{"file-unreadable", name, "expected a readable file"};
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> opened;
  if (path != "-") opened.reset(std::fopen(path.c_str(), "rb"));
  std::FILE* const file = path == "-" ? stdin : opened.get();
  if (file == nullptr) return unreadable;

  Count count;
  if (path != "-") {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (!error) count.total = size;
  }
  const std::string what = "reading " + name;
  std::array<char, k_piece_size> buffer;
  const ByteSource pieces = [&] {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file);
    count.done += got;
    if (progress) progress(what, count.done, count.total);
    return std::string_view(buffer.data(), got);
  };
  Result<std::string> bytes = read(pieces, count, name);
  if (std::ferror(file) != 0) return unreadable;
  return bytes;
}

Result<std::string> plain_bytes(std::string_view bytes, const std::string& name) {
  Count count{.total = bytes.size()};
  const ByteSource pieces = [&] {
    const std::string_view piece = bytes.substr(0, k_piece_size);
    bytes.remove_prefix(piece.size());
    count.done += piece.size();
    return piece;
  };
  return read(pieces, count, name);
}

std::optional<Error> write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  const auto unwritable = [&path](const std::string& reason) {
    return Error{"file-unwritable", path.string(), reason};
  };
  std::error_code failure;
  const std::filesystem::file_status before = std::filesystem::status(path, failure);
  if (std::filesystem::is_directory(before)) return unwritable("expected a file, found a directory");
  const bool is_replaced = !std::filesystem::exists(before) || std::filesystem::is_regular_file(before);
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, failure);  // of a link
  const std::filesystem::path written = is_replaced ? std::filesystem::path(target.string() + ".part") : path;
  std::ofstream out(written, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  const bool is_written = out.good();
  out.close();
  failure.clear();
  if (is_written && is_replaced) std::filesystem::rename(written, target, failure);
  if (is_written && !failure) return std::nullopt;
  const Error error = unwritable(is_written ? failure.message() : "cannot be written");
  if (is_replaced) std::filesystem::remove(written, failure);
  return error;
}

bool looks_like_json(std::string_view text) {
  const std::size_t at = text.find_first_not_of(k_blanks);
  return at != std::string_view::npos && (text[at] == '{' || text[at] == '[');
}

std::string name_of_file(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace touchstone::kubernetes
