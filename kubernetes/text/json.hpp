#pragma once

#include <simdjson.h>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

/// JSON that knows where it is: every complaint about a value names its path, as pods[3].spec.nodeName.
namespace touchstone::kubernetes {

/// Carries an Error from a reader of values to the function that returns it as a Result; leaves no module.
class InvalidInput : public std::exception {
 public:
  explicit InvalidInput(Error what_is_wrong) : error(std::move(what_is_wrong)) {}
  const char* what() const noexcept override { return error.message.c_str(); }

  Error error;
};

class Value;
class Elements;
class Members;

/// A parsed JSON text.
class Document {
 public:
  /// Parses one JSON value and nothing behind it. `source_name`, if not empty, heads every path.
  /// Errors: json-malformed, whatever is wrong (syntax, UTF-8, truncation, depth beyond 1024); the message
  /// tells line and column; input-too-large.
  static Result<Document> parse(std::string_view json, std::string source_name);
  /// The same, without a copy of a text that has room for k_padding more characters. Ensures: on an error the
  /// text is as it was.
  static Result<Document> take(std::string&& json, std::string source_name);
  static constexpr std::size_t k_padding = simdjson::SIMDJSON_PADDING;

  /// Requires: the document outlives the value, and stays where it is.
  Value root() const&;
  Value root() const&& = delete;

  const std::string& source_name() const { return source_name_; }

 private:
  friend class Value;
  explicit Document(std::string source_name) : source_name_(std::move(source_name)) {}

  std::string source_name_;
  simdjson::dom::document document_;
  std::vector<std::string> numbers_;  ///< see set_numbers_aside
};

/// A place in a document. It remembers the value in which it was found, for its path alone, so
/// Requires: a value outlives the values found in it. A string_view lives as long as the document.
/// Errors: every reading function throws InvalidInput (wrong-type and others), which names the path, and the
/// object where the value or one around it came from as_object().
class Value {
 public:
  /// The member of that name; nothing where it is missing or null. Errors: wrong-type, duplicate-key.
  std::optional<Value> find(std::string_view key) const&;
  std::optional<Value> find(std::string_view key) const&& = delete;
  /// The member of that name. Errors: missing-field besides.
  Value require(std::string_view key) const&;
  Value require(std::string_view key) const&& = delete;

  /// A member or an element may be null; what find() finds is not.
  bool is_null() const { return element_.is_null(); }
  bool is_list() const { return element_.is_array(); }
  std::string_view string() const;
  bool boolean() const;
  /// Errors: wrong-type (also for 1.0 and 1e3, as in Kubernetes); out-of-range.
  Quantity integer(Quantity min, Quantity max) const;
  /// The text of a number exactly as the input has it, or of a string.
  std::string number_or_string() const;

  /// For range-for: the elements of a list, the members of an object, as values.
  Elements elements() const&;
  Elements elements() const&& = delete;
  Members members() const&;
  Members members() const&& = delete;

  /// The name of this member; empty for what is no member.
  std::string_view key() const { return key_; }
  std::string path() const;

  /// The same value, known to be an object of that kind, such as "Pod". `kind` must be a literal.
  Value as_object(std::string_view kind) const;
  /// "Pod default/a", as far as the innermost object around this value tells; empty outside of objects.
  std::string object_name() const;
  /// True when both have the same elements in the same order and the same members in any, numbers by their
  /// text; also of two documents. Members of this value itself that are named in `except` do not count.
  bool same_content(const Value& other, const std::vector<std::string_view>& except = {}) const;

  /// Throws InvalidInput about this value.
  [[noreturn]] void fail(std::string code, const std::string& message) const;

 private:
  friend class Document;
  friend class Elements;
  friend class Members;
  Value(const Document* document, simdjson::dom::element element) : document_(document), element_(element) {}
  Value child(simdjson::dom::element element, std::string_view key, std::size_t index) const;
  [[noreturn]] void expected(std::string_view what) const;
  std::string own_name() const;
  std::string step() const;

  const Document* document_;
  simdjson::dom::element element_;
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
    Value operator*() const { return parent_->child(*at_, {}, index_); }
    Iterator& operator++() { return ++at_, ++index_, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    friend class Elements;
    Iterator(const Value* parent, simdjson::dom::array::iterator at) : parent_(parent), at_(at) {}
    const Value* parent_;
    simdjson::dom::array::iterator at_;
    std::size_t index_ = 0;
  };

  /// At most 16777215, what simdjson counts to.
  std::size_t size() const { return array_.size(); }

  Iterator begin() const { return {parent_, array_.begin()}; }
  Iterator end() const { return {parent_, array_.end()}; }

 private:
  friend class Value;
  Elements(const Value* parent, simdjson::dom::array array) : parent_(parent), array_(array) {}
  const Value* parent_;
  simdjson::dom::array array_;
};

class Members {
 public:
  class Iterator {
   public:
    Value operator*() const;
    Iterator& operator++() { return ++at_, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    friend class Members;
    Iterator(const Value* parent, simdjson::dom::object::iterator at) : parent_(parent), at_(at) {}
    const Value* parent_;
    simdjson::dom::object::iterator at_;
  };

  Iterator begin() const { return {parent_, object_.begin()}; }
  Iterator end() const { return {parent_, object_.end()}; }

 private:
  friend class Value;
  Members(const Value* parent, simdjson::dom::object object) : parent_(parent), object_(object) {}
  const Value* parent_;
  simdjson::dom::object object_;
};

}  // namespace touchstone::kubernetes
