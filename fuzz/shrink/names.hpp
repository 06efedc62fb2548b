#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/shrink/places.hpp"

/// The names of a document: texts that mean no more than that they are equal or not.
namespace touchstone::fuzz {

/// Whether the members of `key` are amounts by resource name.
bool is_resource_map(std::string_view key);

/// Whether the text here names an object and nothing else; it is no number, whatever it looks like.
bool is_name(const Path& path);

/// A text of one kind, wherever it stands. Kinds: the document's lists, whose objects are named in
/// metadata.name and elsewhere; namespace, label, value, taint, resource, container, uid.
struct Name {
  std::string kind;
  std::string text;
  std::string plainest;  ///< of this kind, by the order of the first occurrences
};

struct Occurrence {
  Path path;
  bool as_key;       ///< it is the last step's key, not the value there
  std::size_t name;  ///< of Names::names
};

struct Names {
  std::vector<Name> names;  ///< in the order of their first occurrences
  std::vector<Occurrence> occurrences;
};

/// Plainest: nodes n1, n2, …; pods a, b, …, the preemptor p; PDBs b1, …; namespaces default, ns1, …; labels
/// k1, …; values v1, …; taints t1, …; and so on. A value that is a node's name is that node's.
Names names_of(const Json& document);

/// The document with other texts for some names, all at once; nothing where two keys of an object would
/// become one. `texts` by index of Names::names.
std::optional<Json> renamed(const Json& document, const Names& names,
                            const std::map<std::size_t, std::string>& texts);

}  // namespace touchstone::fuzz
