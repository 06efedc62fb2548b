#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/dump/progress.hpp"
#include "kubernetes/objects/totals.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Builds a Dump in two steps: add() finds the objects of all sources, finish() reads those that count.
class DumpReader {
 public:
  /// Requires: `progress` outlives the reader.
  explicit DumpReader(const Progress& progress) : progress_(progress) {}

  /// Finds every object in the bytes that read_bytes returned. `name` begins the paths of errors.
  /// Errors: those of documents_of; missing-field (kind); contradictory-object; wrong-type; duplicate-key.
  std::optional<Error> add(std::string bytes, const std::string& name);
  /// Reads the objects. Requires: all calls of add() returned no error. Errors: those of read_dump for an
  /// object; no-objects, with `name` as its path.
  Result<Dump> finish(const std::string& name);

 private:
  /// The kind and apiVersion that the items of a list of one kind leave out.
  struct Defaults {
    std::string kind;
    std::string api_version;
  };

  /// A list whose items are being searched.
  struct OpenList {
    Elements items;
    Elements::Iterator next;
    Defaults defaults;
  };

  /// An object that counts, and its kind.
  struct Object {
    Value value;
    std::string_view kind;
  };

  void find_objects(const Document& document);
  void find_items(const Value& list, const std::string& kind, std::vector<OpenList>& open);
  void find_object(const Value& item, const Defaults& defaults, std::vector<OpenList>& open);
  void find_version(const Value& object);
  void add_object(const Value& item, std::string_view kind);
  void read_objects();
  void read_object(const Object& object);
  void read_storage(const Object& object);
  void note_priority(const Value& item, const Pod& pod);

  const Progress& progress_;
  Dump dump_;
  Tallies tallies_;
  Totals totals_;
  std::deque<Document> documents_;
  std::deque<Value> containing_values_;       ///< lists and their items, to which values of objects point
  std::vector<Object> objects_;               ///< in the order of the sources
  std::map<std::string, std::size_t> named_;  ///< index in objects_, by kind, namespace and name
  std::string default_class_created_;
};

}  // namespace touchstone::kubernetes
