#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// Places in a JSON document, and cutting them out. Nothing here recurses.
namespace touchstone::fuzz {

using oracle::Json;

/// A member of an object or an element of a list. The element carries its list's key, which says what it is.
struct Step {
  std::string key;
  std::size_t index = 0;
  bool in_list = false;

  bool operator==(const Step&) const = default;
};

/// From the document down to a value; empty for the document itself.
using Path = std::vector<Step>;

struct Place {
  Path path;
  const Json* value;  ///< in the document walked over
};

/// Every value of a document but itself, each before those inside it, in the order of the text.
std::vector<Place> places_of(const Json& document);

/// Whether something lies more than `most` values deep. Complexity: at most one look at each value.
bool deeper_than(const Json& document, std::size_t most);

/// The value at a path. Requires: it is there.
Json& at(Json& document, const Path& path);
const Json& at(const Json& document, const Path& path);

/// The text of `key` in an object in which there may be none, or of another type: then it is empty.
std::string text_at(const Json& object, std::initializer_list<const char*> keys);

/// A copy without some places. Requires: they are there, in the order of places_of.
Json without(const Json& document, const std::vector<const Path*>& places);

/// Equal for the same member of different elements: "pods/*/spec/priority".
std::string signature_of(const Path& path);

/// The key of the member that holds a value, lists left out: "labels" for a label's value; empty above.
std::string_view parent_key(const Path& path);

/// Whether this is what makes a value an object of Kubernetes: metadata and metadata.name of the pod and of
/// the elements of the document's lists.
bool is_identity(const Path& path);

}  // namespace touchstone::fuzz
