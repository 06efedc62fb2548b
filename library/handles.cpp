#include "library/handles.hpp"

#include <array>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace touchstone::library {

namespace {

/// A part of the list. Several parts let threads with different handles pass each other.
struct Part {
  std::shared_mutex mutex;
  std::unordered_map<std::uintptr_t, Kind> kinds;  ///< by key_of()
};

/// The addresses are stored inverted: a leak checker that looks for pointers must not find a leaked handle
/// here.
std::uintptr_t key_of(const void* object) { return ~reinterpret_cast<std::uintptr_t>(object); }

/// The list is never destroyed: a program may free handles while it ends.
Part& part_of(std::uintptr_t key) {
  constexpr std::size_t k_parts = 16;
  static auto& parts = *new std::array<Part, k_parts>();
  constexpr std::size_t k_line_bits = 6;  // neighbours within a cache line share a part
  return parts[(key >> k_line_bits) % k_parts];
}

}  // namespace

void add_handle(const void* object, Kind kind) {
  Part& part = part_of(key_of(object));
  const std::unique_lock lock(part.mutex);
  part.kinds[key_of(object)] = kind;
}

bool is_handle(const void* object, Kind kind) {
  if (object == nullptr) return false;
  Part& part = part_of(key_of(object));
  const std::shared_lock lock(part.mutex);
  const auto found = part.kinds.find(key_of(object));
  return found != part.kinds.end() && found->second == kind;
}

bool remove_handle(const void* object, Kind kind) {
  if (object == nullptr) return false;
  Part& part = part_of(key_of(object));
  const std::unique_lock lock(part.mutex);
  const auto found = part.kinds.find(key_of(object));
  if (found == part.kinds.end() || found->second != kind) return false;
  part.kinds.erase(found);
  return true;
}

}  // namespace touchstone::library
