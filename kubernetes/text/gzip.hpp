#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "kubernetes/text/pieces.hpp"

namespace touchstone::kubernetes {

/// True for the first bytes of a gzip file.
bool is_gzip(std::string_view bytes);

/// Decompresses a gzip file, also one with several members. Each call of next() decompresses at most
/// k_piece_size bytes, so an endless file costs only what the caller reads.
class Gunzip {
 public:
  explicit Gunzip(ByteSource compressed);
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip();

  /// Returns the next bytes, at most k_piece_size. Returns none at the end, and none after malformed data.
  std::string_view next();
  /// True once the file was found corrupt, truncated, or followed by other data.
  bool is_malformed() const { return state_ == State::malformed; }

  static constexpr std::size_t k_piece_size = 1 << 16;

 private:
  enum class State { within_part, ended, malformed };
  std::string_view end(State state);
  void refill();

  ByteSource compressed_;
  z_stream stream_{};
  std::string_view waiting_;  ///< part of the last piece that zlib has not received
  State state_ = State::within_part;
  std::array<unsigned char, k_piece_size> buffer_;
};

}  // namespace touchstone::kubernetes
