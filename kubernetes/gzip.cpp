#include "kubernetes/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_magic = "\x1f\x8b";
constexpr std::size_t k_buffer_size = 1 << 16;
constexpr int k_gzip_only = 16 + MAX_WBITS;

struct EndInflate {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(k_magic); }

Result<std::string> gunzip(std::string_view bytes, std::size_t size_max) {
  const Error malformed{"gzip-malformed", "", "expected a complete gzip file"};
  z_stream stream{};
  if (inflateInit2(&stream, k_gzip_only) != Z_OK) return malformed;
  const std::unique_ptr<z_stream, EndInflate> end(&stream);

  std::string out;
  std::array<unsigned char, k_buffer_size> buffer;
  while (true) {
    if (stream.avail_in == 0) {
      // zlib counts in 32 bits, and never writes to what it reads.
      const std::size_t size = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(size);
      bytes.remove_prefix(size);
    }
    stream.next_out = buffer.data();
    stream.avail_out = k_buffer_size;
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return malformed;
    const std::size_t size = k_buffer_size - stream.avail_out;
    if (size > size_max - out.size()) return Error{"input-too-large", "", "expected a smaller file"};
    out.append(reinterpret_cast<const char*>(buffer.data()), size);
    if (status == Z_OK) continue;
    if (stream.avail_in == 0 && bytes.empty()) return out;
    if (inflateReset(&stream) != Z_OK) return malformed;
  }
}

}  // namespace touchstone::kubernetes
