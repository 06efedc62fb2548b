#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/shrink/places.hpp"

/// The names of a document: texts of which only equality matters.
namespace touchstone::fuzz {

/// Whether the members of `key` are amounts, by resource name.
bool is_resource_map(std::string_view key);

/// Whether the text at this path names something. Such a text is never a number, even if it looks like one.
bool is_name(const Path& path);

/// A text of one kind, at all places where it occurs. Kinds: the document's lists, whose objects are named
/// in metadata.name and elsewhere; namespace, label, value, taint, resource, container, image, uid.
struct Name {
  std::string kind;
  std::string text;
  std::string plainest;  ///< text for this kind, by the order of first occurrences
};

/// One place where a name occurs.
struct Occurrence {
  Path path;
  bool as_key;       ///< the name is the last step's key, not the value there
  std::size_t name;  ///< index in Names::names
};

struct Names {
  std::vector<Name> names;  ///< in the order of their first occurrences
  std::vector<Occurrence> occurrences;
};

/// Finds the names of a document, and the plainest text for each: nodes n1, n2, …; pods a, b, …, the
/// preemptor p; PDBs b1, …; namespaces default, ns1, …; labels k1, …; values v1, …; taints t1, …; and so on.
/// A value that equals the name of a node counts as that node's name.
Names names_of(const Json& document);

/// The document with other texts for some names, all changed at once. Nothing if two keys of an object would
/// become equal. `texts`: by index of Names::names.
std::optional<Json> renamed(const Json& document, const Names& names,
                            const std::map<std::size_t, std::string>& texts);

}  // namespace touchstone::fuzz
