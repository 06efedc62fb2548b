#include "kubernetes/text/gzip.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_magic = "\x1f\x8b";
constexpr int k_gzip_only = 16 + MAX_WBITS;

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(k_magic); }

Gunzip::Gunzip(ByteSource compressed) : compressed_(std::move(compressed)) {
  if (inflateInit2(&stream_, k_gzip_only) != Z_OK) state_ = State::malformed;
}

Gunzip::~Gunzip() { inflateEnd(&stream_); }

std::string_view Gunzip::next() {
  while (state_ == State::within_part) {
    if (stream_.avail_in == 0) refill();
    stream_.next_out = buffer_.data();
    stream_.avail_out = k_piece_size;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return end(State::malformed);
    const std::string_view piece(reinterpret_cast<const char*>(buffer_.data()),
                                 k_piece_size - stream_.avail_out);
    if (status == Z_STREAM_END) {
      if (stream_.avail_in == 0) refill();
      if (stream_.avail_in == 0) {
        state_ = State::ended;
      } else if (inflateReset(&stream_) != Z_OK) {
        return end(State::malformed);
      }
    }
    if (!piece.empty()) return piece;
  }
  return {};
}

std::string_view Gunzip::end(State state) {
  state_ = state;
  return {};
}

/// Gives zlib the next compressed bytes. At the end of the file it gives none; zlib then flushes or reports
/// an error.
void Gunzip::refill() {
  if (waiting_.empty()) waiting_ = compressed_();
  // zlib counts in 32 bits, and never writes to its input.
  const std::size_t size = std::min<std::size_t>(waiting_.size(), std::numeric_limits<uInt>::max());
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(waiting_.data()));
  stream_.avail_in = static_cast<uInt>(size);
  waiting_.remove_prefix(size);
}

}  // namespace touchstone::kubernetes
