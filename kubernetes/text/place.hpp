#pragma once

#include <simdjson.h>

#include <bit>

#include "kubernetes/text/json.hpp"

/// Converts between Place and the types of simdjson. For the sources that implement Value.
namespace touchstone::kubernetes {

template <typename T>
Place place_of(const T& at) {
  return std::bit_cast<Place>(at);
}

/// Requires: place_of() made the place from the same type.
template <typename T>
T at_place(const Place& place) {
  return std::bit_cast<T>(place);
}

inline simdjson::dom::element element_at(const Place& place) {
  return at_place<simdjson::dom::element>(place);
}

}  // namespace touchstone::kubernetes
