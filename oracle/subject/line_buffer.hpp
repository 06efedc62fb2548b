#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::oracle {

/// Collects bytes and splits them into lines. Complexity: each byte is searched once, in pieces of any size.
class LineBuffer {
 public:
  void append(std::string_view bytes) {
    // Lines already returned are erased only here. Otherwise each line of a batch would move the rest of the
    // buffer.
    bytes_.erase(0, begin_);
    looked_ -= begin_;
    begin_ = 0;
    bytes_.append(bytes);
  }

  /// Removes and returns the next complete line, without its line end. None if no line is complete.
  std::optional<std::string> next_line() {
    const std::size_t end = bytes_.find('\n', looked_);
    looked_ = end == std::string::npos ? bytes_.size() : end + 1;
    if (end == std::string::npos) return std::nullopt;
    std::string line = bytes_.substr(begin_, end - begin_);
    begin_ = end + 1;
    return line;
  }

  /// The number of bytes not yet returned as lines.
  std::size_t size() const { return bytes_.size() - begin_; }

 private:
  std::string bytes_;
  std::size_t begin_ = 0;   ///< start of the next line
  std::size_t looked_ = 0;  ///< the next line does not end before this position
};

/// A queue of lines to write. Copies them in pieces of about 64 KiB, so memory does not grow with their
/// number.
template <typename Lines>
class Outbox {
 public:
  explicit Outbox(const Lines& lines) : lines_(lines) {}

  bool empty() const { return at_ == bytes_.size() && next_ == lines_.size(); }

  /// The bytes to write next. Requires: not empty.
  std::string_view front() {
    if (at_ == bytes_.size()) {
      bytes_.clear();
      at_ = 0;
      while (next_ < lines_.size() && bytes_.size() < std::size_t{64} << 10) bytes_ += lines_[next_++] + '\n';
    }
    return std::string_view(bytes_).substr(at_);
  }

  /// Removes the first `count` bytes of front(). Requires: front() has that many.
  void written(std::size_t count) { at_ += count; }

 private:
  Lines lines_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;
};

}  // namespace touchstone::oracle
