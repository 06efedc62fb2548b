#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "kubernetes/dump.hpp"
#include "kubernetes/json.hpp"
#include "kubernetes/progress.hpp"
#include "kubernetes/totals.hpp"
#include "spec/result.hpp"

namespace touchstone::kubernetes {

/// Puts a dump together, source by source.
class DumpReader {
 public:
  /// Requires: `progress` outlives the reader.
  explicit DumpReader(const Progress& progress) : progress_(progress) {}

  /// Reads every object of what read_bytes gave; `name` heads paths. Errors: those of read_dump but for
  /// files_of and read_bytes.
  std::optional<Error> add(std::string bytes, const std::string& name);
  /// The dump, with its warnings. Requires: all was added without an error. Errors: no-objects, naming
  /// `name`.
  Result<Dump> finish(const std::string& name);

 private:
  /// Kept until the end: an object that comes twice is compared with the first.
  struct Part {
    Document document;
    std::optional<Value> root;
    std::optional<Value> items;
  };

  /// What the items of a list of one kind leave out.
  struct Defaults {
    std::string kind;
    std::string api_version;
  };

  void read(Part& part);
  void read_item(const Value& item, const Defaults& defaults);
  void read_version(const Value& object);
  void read_object(const Value& item, std::string_view kind);
  void note_priority(const Value& item, const Pod& pod);
  bool is_duplicate(const Value& object);

  const Progress& progress_;
  Dump dump_;
  Tallies tallies_;
  Totals totals_;
  std::deque<Part> parts_;
  std::map<std::string, Value> seen_;  ///< by kind, namespace and name
};

}  // namespace touchstone::kubernetes
