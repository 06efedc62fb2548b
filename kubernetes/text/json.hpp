#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

/// JSON values that know their path: an error about a value names it, such as pods[3].spec.nodeName.
namespace simdjson::dom {
class document;
}

namespace touchstone::kubernetes {

/// Thrown by functions that read values. The function that catches it returns `error` as a Result.
class InvalidInput : public std::exception {
 public:
  explicit InvalidInput(Error what_is_wrong) : error(std::move(what_is_wrong)) {}
  const char* what() const noexcept override { return error.message.c_str(); }

  Error error;
};

class Value;
class Elements;
class Members;

/// The place of a value in the parser's result: an element, array, object or iterator of simdjson. Its type
/// is hidden, so that only the reader itself compiles simdjson.
struct Place {
  const void* document = nullptr;
  std::size_t index = 0;

  bool operator==(const Place&) const = default;
};

/// A parsed JSON text.
class Document {
 public:
  /// Parses a text that holds exactly one JSON value. `source_name`, if not empty, begins every path.
  /// Errors: json-malformed for all malformed text (syntax, UTF-8, truncation, depth beyond 1024); the
  /// message gives line and column where the parser knows them; input-too-large.
  static Result<Document> parse(std::string_view json, std::string source_name);
  /// Does the same, but does not copy a text that has capacity for k_padding more characters.
  /// Ensures: after an error, `json` has its old content.
  static Result<Document> take(std::string&& json, std::string source_name);
  static constexpr std::size_t k_padding = 64;

  Document(Document&& other) noexcept;
  Document& operator=(Document&& other) noexcept;
  ~Document();

  /// The value of the whole document. Requires: the document outlives the value, and does not move.
  Value root() const&;
  Value root() const&& = delete;

  const std::string& source_name() const { return source_name_; }

 private:
  friend class Value;
  explicit Document(std::string source_name);

  std::string source_name_;
  std::unique_ptr<simdjson::dom::document> document_;
  std::vector<std::string> numbers_;  ///< texts of numbers; see replace_long_numbers
};

/// A value in a document. It points to the value in which it was found, to build its path.
/// Requires: a value outlives the values found in it. A returned string_view is valid as long as the
/// document.
/// Errors: every reading function throws InvalidInput (wrong-type and others). The error names the path. It
/// also names the object, if this value or a value around it came from as_object().
class Value {
 public:
  /// The member with this name. Nothing if it is missing or null. Errors: wrong-type, duplicate-key.
  std::optional<Value> find(std::string_view key) const&;
  std::optional<Value> find(std::string_view key) const&& = delete;
  /// The member with this name. Errors: as find; missing-field if find() returns nothing.
  Value require(std::string_view key) const&;
  Value require(std::string_view key) const&& = delete;

  /// True for null. Elements and members of an iteration may be null; the result of find() is not null.
  bool is_null() const;
  bool is_list() const;
  bool is_text() const;
  std::string_view string() const;
  bool boolean() const;
  /// An integer from `min` to `max`. Errors: wrong-type (also for 1.0 and 1e3, as in Kubernetes);
  /// out-of-range.
  Quantity integer(Quantity min, Quantity max) const;
  /// The text of a string, or of a number exactly as in the input (but -0 becomes 0).
  std::string number_or_string() const;

  /// The elements of a list, and the members of an object, as values for a range-based for loop.
  Elements elements() const&;
  Elements elements() const&& = delete;
  Members members() const&;
  Members members() const&& = delete;

  /// The name of this member. Empty if this value is not a member of an object.
  std::string_view key() const { return key_; }
  std::string path() const;

  /// The same value, marked as an object of this kind, such as "Pod". `kind` must be a string literal.
  Value as_object(std::string_view kind) const;
  /// Kind, namespace and name of the innermost object around this value, such as "Pod default/a". Leaves out
  /// the name if the object has none. Empty outside of objects.
  std::string object_name() const;
  /// True if both values have the same content: the same elements in the same order, and the same members in
  /// any order. Numbers are equal if their texts are equal. The values may be in different documents. Members
  /// of the two values themselves that `except` names are not compared.
  bool same_content(const Value& other, const std::vector<std::string_view>& except = {}) const;

  /// Throws InvalidInput about this value.
  [[noreturn]] void fail(std::string code, const std::string& message) const;

 private:
  friend class Document;
  friend class Elements;
  friend class Members;
  Value(const Document* document, Place element) : document_(document), element_(element) {}
  Value child(Place element, std::string_view key, std::size_t index) const;
  [[noreturn]] void expected(std::string_view what) const;
  std::string own_name() const;
  std::string step() const;

  const Document* document_;
  Place element_;
  const Value* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
  bool is_member_ = false;
  std::string_view kind_;
};

class Elements {
 public:
  class Iterator {
   public:
    Value operator*() const { return parent_->child(at_, {}, index_); }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    friend class Elements;
    Iterator(const Value* parent, Place at) : parent_(parent), at_(at) {}
    const Value* parent_;
    Place at_;
    std::size_t index_ = 0;
  };

  /// At most 16777215: simdjson counts no further.
  std::size_t size() const;

  Iterator begin() const;
  Iterator end() const;

 private:
  friend class Value;
  Elements(const Value* parent, Place array) : parent_(parent), array_(array) {}
  const Value* parent_;
  Place array_;
};

class Members {
 public:
  class Iterator {
   public:
    Value operator*() const;
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    friend class Members;
    Iterator(const Value* parent, Place at) : parent_(parent), at_(at) {}
    const Value* parent_;
    Place at_;
  };

  Iterator begin() const;
  Iterator end() const;

 private:
  friend class Value;
  Members(const Value* parent, Place object) : parent_(parent), object_(object) {}
  const Value* parent_;
  Place object_;
};

}  // namespace touchstone::kubernetes
