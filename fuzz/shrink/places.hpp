#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// Places in a JSON document, and copies without some of them. Walking over a document does not recurse.
namespace touchstone::fuzz {

using oracle::Json;

/// A member of an object, or an element of a list. An element has the key of its list, which gives its kind.
struct Step {
  std::string key;
  std::size_t index = 0;
  bool in_list = false;

  bool operator==(const Step&) const = default;
};

/// The steps from the document down to a value; empty for the document itself.
using Path = std::vector<Step>;

struct Place {
  Path path;
  const Json* value;  ///< in the document that was searched
};

/// Every value of a document except the document itself, in the order of the text. A value comes before the
/// values inside it.
std::vector<Place> places_of(const Json& document);

/// Whether some value lies more than `most` levels deep. Complexity: visits each value at most once.
bool deeper_than(const Json& document, std::size_t most);

/// The value at a path. Requires: the path exists.
Json& at(Json& document, const Path& path);
const Json& at(const Json& document, const Path& path);

/// The text at a chain of keys. Empty if a key is missing or a value has another type.
std::string text_at(const Json& object, std::initializer_list<const char*> keys);

/// A copy of the document without some places. Requires: the places exist and are in the order of places_of.
Json without(const Json& document, const std::vector<const Path*>& places);

/// The path with "*" for every index: "/pods/*/spec/priority". It is equal for the same member of different
/// elements.
std::string signature_of(const Path& path);

/// The key of the member that holds a value, without lists: "labels" for a label's value. Empty at the top.
std::string_view parent_key(const Path& path);

/// Whether a place makes a value a Kubernetes object: metadata and metadata.name of the pod and of the
/// elements of the document's lists.
bool is_identity(const Path& path);

}  // namespace touchstone::fuzz
