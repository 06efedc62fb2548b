#pragma once

#include <cstdint>

/// The handles that callers of the library hold. A handle is the address of an object; a call with an address
/// that is not in this list touches no memory.
namespace touchstone::library {

enum class Kind : std::uint8_t { error, text, subject, cluster, pod, decision };

/// Adds an object. Errors: throws std::bad_alloc.
void add_handle(const void* object, Kind kind);
/// Whether the address is that of a live object of this kind. Complexity: constant.
bool is_handle(const void* object, Kind kind);
/// Removes an object. False: there is none of this kind.
bool remove_handle(const void* object, Kind kind);

}  // namespace touchstone::library
