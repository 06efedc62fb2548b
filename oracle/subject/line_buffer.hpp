#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::oracle {

/// Bytes as they come, and the lines in them. Complexity: each byte is looked at once, however lines are cut.
class LineBuffer {
 public:
  void append(std::string_view bytes) {
    // What was taken goes only when more comes: a batch of answers would otherwise be moved once a line.
    bytes_.erase(0, begin_);
    looked_ -= begin_;
    begin_ = 0;
    bytes_.append(bytes);
  }

  /// The next whole line, without its end; the rest stays.
  std::optional<std::string> next_line() {
    const std::size_t end = bytes_.find('\n', looked_);
    looked_ = end == std::string::npos ? bytes_.size() : end + 1;
    if (end == std::string::npos) return std::nullopt;
    std::string line = bytes_.substr(begin_, end - begin_);
    begin_ = end + 1;
    return line;
  }

  /// Bytes that were not taken as lines.
  std::size_t size() const { return bytes_.size() - begin_; }

 private:
  std::string bytes_;
  std::size_t begin_ = 0;   ///< of the next line
  std::size_t looked_ = 0;  ///< before it there is no end of that line
};

/// Lines that wait to be written, copied in pieces of about 64 KiB, however many there are.
template <typename Lines>
class Outbox {
 public:
  explicit Outbox(const Lines& lines) : lines_(lines) {}

  bool empty() const { return at_ == bytes_.size() && next_ == lines_.size(); }

  /// What to write next. Requires: not empty.
  std::string_view front() {
    if (at_ == bytes_.size()) {
      bytes_.clear();
      at_ = 0;
      while (next_ < lines_.size() && bytes_.size() < std::size_t{64} << 10) bytes_ += lines_[next_++] + '\n';
    }
    return std::string_view(bytes_).substr(at_);
  }

  void written(std::size_t count) { at_ += count; }

 private:
  Lines lines_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;
};

}  // namespace touchstone::oracle
