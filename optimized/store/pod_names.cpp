#include "optimized/store/pod_names.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

namespace touchstone::optimized {

namespace {

constexpr std::size_t k_packed_bytes = 16;
constexpr unsigned char k_packed = 255;         ///< first byte of a text whose UID is packed
constexpr std::size_t k_piece_bytes = 1 << 16;  ///< every offset in a piece has 16 bits
constexpr std::uint32_t k_never_used = 0;
constexpr std::uint32_t k_forgotten = 1;
constexpr std::uint32_t k_first_slot = 2;
/// Limit on the number of stems: k_stems_least, plus one for every k_pods_a_stem pods. A stem of a single pod
/// takes more memory than it saves.
constexpr std::size_t k_stems_least = 1024;
constexpr std::size_t k_pods_a_stem = 16;

constexpr std::string_view k_digits = "0123456789abcdef";

bool is_dash(std::size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

/// Whether a UID has the usual form: 8-4-4-4-12 lower-case hexadecimal digits.
bool is_usual(std::string_view uid) {
  if (uid.size() != 36) return false;
  for (std::size_t i = 0; i < uid.size(); ++i) {
    const bool is_digit = k_digits.find(uid[i]) != std::string_view::npos;
    if (is_dash(i) ? uid[i] != '-' : !is_digit) return false;
  }
  return true;
}

std::string packed(std::string_view uid) {
  std::string bytes;
  unsigned high = 16;
  for (const char c : uid) {
    if (c == '-') continue;
    const unsigned digit = static_cast<unsigned>(k_digits.find(c));
    if (high == 16) {
      high = digit;
    } else {
      bytes.push_back(static_cast<char>(high * 16 + digit));
      high = 16;
    }
  }
  return bytes;
}

std::string unpacked(std::string_view bytes) {
  std::string uid;
  for (const char c : bytes) {
    if (is_dash(uid.size())) uid.push_back('-');
    const auto byte = static_cast<unsigned char>(c);
    uid.push_back(k_digits[byte / 16]);
    uid.push_back(k_digits[byte % 16]);
  }
  return uid;
}

/// The parts of a pod's text. `uid` has 16 bytes if it is packed; otherwise it is the UID itself.
struct Parts {
  std::string_view uid;
  bool is_packed;
  std::string_view name;  ///< without the stem
};

Parts parts_of(std::string_view text) {
  const auto form = static_cast<unsigned char>(text[0]);
  const bool is_packed = form == k_packed;
  // The length of a longer UID follows in four bytes.
  std::size_t begin = 1;
  std::size_t size = is_packed ? k_packed_bytes : form;
  if (form == k_packed - 1) {
    size = 0;
    for (std::size_t i = 0; i < 4; ++i) size = size * 256 + static_cast<unsigned char>(text[1 + i]);
    begin += 4;
  }
  return {text.substr(begin, size), is_packed, text.substr(begin + size)};
}

}  // namespace

std::uint32_t PodNames::stem_for(const Pod& pod, Symbol ns) {
  Stem stem{ns, pod.name.substr(0, pod.name.rfind('-') + 1)};
  const bool has_room = stems_.size() < k_stems_least + count() / k_pods_a_stem;
  if (!has_room && !stem_numbers_.contains(stem)) stem.text.clear();
  const auto [place, is_new] = stem_numbers_.emplace(stem, static_cast<std::uint32_t>(stems_.size()));
  if (is_new) stems_.push_back(std::move(stem));
  return place->second;
}

void PodNames::add(const Pod& pod, Symbol ns) {
  const std::uint32_t stem = stem_for(pod, ns);
  std::string text;
  if (is_usual(pod.uid)) {
    text.push_back(static_cast<char>(k_packed));
    text += packed(pod.uid);
  } else {
    const bool is_long = pod.uid.size() >= k_packed - 1u;
    text.push_back(static_cast<char>(is_long ? k_packed - 1u : pod.uid.size()));
    for (unsigned shift = 32; is_long && shift > 0; shift -= 8)
      text.push_back(static_cast<char>(pod.uid.size() >> (shift - 8)));
    text += pod.uid;
  }
  text += std::string_view(pod.name).substr(stems_[stem].text.size());
  if (pieces_.empty() || pieces_.back().text.size() + text.size() > k_piece_bytes) {
    pieces_.push_back({static_cast<std::uint32_t>(count()), {}});
    pieces_.back().text.reserve(std::max(k_piece_bytes, text.size()));
  }
  places_.push_back(static_cast<std::uint16_t>(pieces_.back().text.size()));
  pieces_.back().text += text;
  stem_of_.push_back(stem);
  if (4 * (used_slots_ + 1) > 3 * slots_.size()) grow();
  enter(static_cast<std::uint32_t>(count() - 1));
}

void PodNames::forget(std::uint32_t pod) {
  std::size_t slot = slot_of(hash_at(pod));
  while (slots_[slot] != pod + k_first_slot) {
    assert(slots_[slot] != k_never_used);
    slot = slot_of(slot + 1);
  }
  slots_[slot] = k_forgotten;
}

std::string_view PodNames::text_of(std::uint32_t pod) const {
  const auto next =
      std::upper_bound(pieces_.begin(), pieces_.end(), pod,
                       [](std::uint32_t number, const Piece& piece) { return number < piece.first_pod; });
  const bool is_last = pod + 1 == (next == pieces_.end() ? count() : next->first_pod);
  const std::string_view text = std::prev(next)->text;
  const std::size_t end = is_last ? text.size() : places_[pod + 1];
  return text.substr(places_[pod], end - places_[pod]);
}

std::string PodNames::name(std::uint32_t pod) const {
  return stems_[stem_of_[pod]].text + std::string(parts_of(text_of(pod)).name);
}

std::string PodNames::uid(std::uint32_t pod) const {
  const Parts parts = parts_of(text_of(pod));
  return parts.is_packed ? unpacked(parts.uid) : std::string(parts.uid);
}

std::size_t PodNames::hash_of(std::string_view name, std::string_view uid, Symbol ns) {
  const std::hash<std::string_view> hash;
  return uid.empty() ? hash(name) * 31 + ns : hash(uid);
}

std::size_t PodNames::hash_at(std::uint32_t pod) const { return hash_of(name(pod), uid(pod), ns(pod)); }

bool PodNames::is_same(std::uint32_t number, const Pod& pod, Symbol ns) const {
  const std::string own = uid(number);
  if (own.empty() && pod.uid.empty()) return this->ns(number) == ns && name(number) == pod.name;
  return own == pod.uid;
}

std::vector<std::uint32_t> PodNames::same_as(const Pod& pod, Symbol ns) const {
  std::vector<std::uint32_t> same;
  if (slots_.empty()) return same;
  std::size_t slot = slot_of(hash_of(pod.name, pod.uid, ns));
  for (; slots_[slot] != k_never_used; slot = slot_of(slot + 1)) {
    if (slots_[slot] == k_forgotten) continue;
    const std::uint32_t number = slots_[slot] - k_first_slot;
    if (is_same(number, pod, ns)) same.push_back(number);
  }
  std::sort(same.begin(), same.end());
  return same;
}

void PodNames::enter(std::uint32_t pod) {
  std::size_t slot = slot_of(hash_at(pod));
  while (slots_[slot] != k_never_used) slot = slot_of(slot + 1);
  slots_[slot] = pod + k_first_slot;
  used_slots_ += 1;
}

void PodNames::grow() {
  const std::vector<std::uint32_t> before = std::move(slots_);
  std::size_t pods = 1;
  for (const std::uint32_t slot : before) pods += slot >= k_first_slot;
  std::size_t size = 16;
  while (size < 2 * pods) size *= 2;
  slots_.assign(size, k_never_used);
  used_slots_ = 0;
  for (const std::uint32_t slot : before) {
    if (slot >= k_first_slot) enter(slot - k_first_slot);
  }
}

void PodNames::pack() {
  places_.pack();
  stem_of_.pack();
}

std::size_t PodNames::bytes() const {
  std::size_t bytes = places_.capacity() * sizeof(places_[0]) + stem_of_.capacity() * sizeof(stem_of_[0]) +
                      slots_.capacity() * sizeof(slots_[0]);
  for (const Piece& piece : pieces_) bytes += sizeof(Piece) + piece.text.capacity();
  // Each stem is stored twice: in stems_, and as a key of the map.
  for (const Stem& stem : stems_) bytes += 2 * (sizeof(Stem) + stem.text.capacity()) + 48;
  return bytes;
}

}  // namespace touchstone::optimized
