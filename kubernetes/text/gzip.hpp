#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "kubernetes/text/pieces.hpp"

namespace touchstone::kubernetes {

/// True for the first bytes of a gzip file.
bool is_gzip(std::string_view bytes);

/// Decompresses a gzip file, also one of several parts, as it is asked for, so that an endless one harms
/// nobody.
class Gunzip {
 public:
  explicit Gunzip(Pieces compressed);
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip();

  /// The next bytes, at most k_piece_size; none at the end, and from where the file is malformed.
  std::string_view next();
  /// True when the file was found corrupt, truncated, or followed by anything else.
  bool is_malformed() const { return state_ == State::malformed; }

  static constexpr std::size_t k_piece_size = 1 << 16;

 private:
  enum class State { within_part, ended, malformed };
  std::string_view end(State state);
  void refill();

  Pieces compressed_;
  z_stream stream_{};
  std::string_view waiting_;  ///< of the last piece, what zlib has not been given
  State state_ = State::within_part;
  std::array<unsigned char, k_piece_size> buffer_;
};

}  // namespace touchstone::kubernetes
