#include "kubernetes/text/json.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstdint>

#include "kubernetes/text/numbers.hpp"
#include "kubernetes/text/place.hpp"
#include "kubernetes/text/syntax.hpp"

namespace touchstone::kubernetes {

namespace {

using simdjson::dom::element_type;

std::string_view name_of(element_type type) {
  switch (type) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

bool is_plain(std::string_view key) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), plain);
}

}  // namespace

static_assert(Document::k_padding >= simdjson::SIMDJSON_PADDING);

Document::Document(std::string source_name)
    : source_name_(std::move(source_name)), document_(std::make_unique<simdjson::dom::document>()) {}
Document::Document(Document&& other) noexcept = default;
Document& Document::operator=(Document&& other) noexcept = default;
Document::~Document() = default;

Result<Document> Document::parse(std::string_view json, std::string source_name) {
  std::string text;
  text.reserve(json.size() + k_padding);
  text.append(json);
  return take(std::move(text), std::move(source_name));
}

Result<Document> Document::take(std::string&& json, std::string source_name) {
  Document document(std::move(source_name));
  std::optional<std::string> changed = replace_long_numbers(json, document.numbers_);
  std::string& text = changed ? *changed : json;
  const std::size_t size = text.size();
  text.append(k_padding, ' ');
  simdjson::dom::parser parser;
  const auto error = parser.parse_into_document(*document.document_, text.data(), size, false).error();
  if (error == simdjson::SUCCESS) return document;
  if (!changed) json.resize(size);
  if (error == simdjson::CAPACITY || error == simdjson::MEMALLOC) {
    return Error{"input-too-large", document.source_name_,
                 "expected at most 4 GiB of JSON, and memory for it"};
  }
  const std::string reason = simdjson::error_message(error);
  const bool is_deep = error == simdjson::DEPTH_ERROR;
  return Error{"json-malformed", document.source_name_,
               "expected one JSON value: " + (is_deep ? reason : find_syntax_error(json).value_or(reason))};
}

Value Document::root() const& { return {this, place_of(document_->root())}; }

std::optional<Value> Value::find(std::string_view key) const& {
  const auto object = at_place<simdjson::dom::object>(members().object_);
  std::optional<Value> found;
  bool seen = false;
  // Most members of a dump are never read, so only a member with this key becomes a Value.
  for (auto at = object.begin(); at != object.end(); ++at) {
    if (!at.key_equals(key)) continue;
    Value member = child(place_of(at.value()), at.key(), 0);
    member.is_member_ = true;
    if (seen) member.fail("duplicate-key", "expected this key once");
    seen = true;
    if (!member.is_null()) found = member;
  }
  return found;
}

bool Value::is_null() const { return element_at(element_).is_null(); }

bool Value::is_list() const { return element_at(element_).is_array(); }

bool Value::is_text() const { return element_at(element_).is_string(); }

Value Value::require(std::string_view key) const& {
  const std::optional<Value> found = find(key);
  if (!found) {
    Value missing = child(element_, key, 0);
    missing.is_member_ = true;
    missing.fail("missing-field", "expected this field");
  }
  return *found;
}

std::string_view Value::string() const {
  std::string_view text;
  if (element_at(element_).get(text) != simdjson::SUCCESS) expected("a string");
  return text;
}

bool Value::boolean() const {
  bool value = false;
  if (element_at(element_).get(value) != simdjson::SUCCESS) expected("a boolean");
  return value;
}

Quantity Value::integer(Quantity min, Quantity max) const {
  const bool is_number = element_at(element_).type() == element_type::INT64 ||
                         element_at(element_).type() == element_type::DOUBLE;
  if (!is_number) expected("an integer");
  const std::string text = number_or_string();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) fail("wrong-type", "expected an integer, found " + text);
  if (error != std::errc{} || value < min || value > max) {
    fail("out-of-range", "expected an integer from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return value;
}

std::string Value::number_or_string() const {
  switch (element_at(element_).type()) {
    case element_type::STRING:
      return std::string(string());
    case element_type::INT64:
      return std::to_string(element_at(element_).get_int64().value_unsafe());
    case element_type::DOUBLE:  // see replace_long_numbers
      return document_->numbers_.at(
          static_cast<std::size_t>(element_at(element_).get_double().value_unsafe()));
    default:
      expected("a string or a number");
  }
}

Elements Value::elements() const& {
  simdjson::dom::array array;
  if (element_at(element_).get(array) != simdjson::SUCCESS) expected("a list");
  return {this, place_of(array)};
}

Members Value::members() const& {
  simdjson::dom::object object;
  if (element_at(element_).get(object) != simdjson::SUCCESS) expected("an object");
  return {this, place_of(object)};
}

Elements::Iterator& Elements::Iterator::operator++() {
  auto at = at_place<simdjson::dom::array::iterator>(at_);
  at_ = place_of(++at);
  ++index_;
  return *this;
}

std::size_t Elements::size() const { return at_place<simdjson::dom::array>(array_).size(); }

Elements::Iterator Elements::begin() const {
  return {parent_, place_of(at_place<simdjson::dom::array>(array_).begin())};
}

Elements::Iterator Elements::end() const {
  return {parent_, place_of(at_place<simdjson::dom::array>(array_).end())};
}

Members::Iterator& Members::Iterator::operator++() {
  auto at = at_place<simdjson::dom::object::iterator>(at_);
  at_ = place_of(++at);
  return *this;
}

Members::Iterator Members::begin() const {
  return {parent_, place_of(at_place<simdjson::dom::object>(object_).begin())};
}

Members::Iterator Members::end() const {
  return {parent_, place_of(at_place<simdjson::dom::object>(object_).end())};
}

Value Members::Iterator::operator*() const {
  const auto at = at_place<simdjson::dom::object::iterator>(at_);
  Value member = parent_->child(place_of(at.value()), at.key(), 0);
  member.is_member_ = true;
  return member;
}

Value Value::child(Place element, std::string_view key, std::size_t index) const {
  Value value(document_, element);
  value.parent_ = this;
  value.key_ = key;
  value.index_ = index;
  return value;
}

std::string Value::path() const {
  std::vector<const Value*> values;
  for (const Value* value = this; value != nullptr; value = value->parent_) values.push_back(value);
  std::string steps;
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    std::string step = (*value)->step();
    // The first step of a path begins without a dot or a space.
    if (steps.empty() && (step.starts_with('.') || step.starts_with(' '))) step.erase(0, 1);
    steps += step;
  }
  if (document_->source_name().empty()) return steps;
  return steps.empty() ? document_->source_name() : document_->source_name() + ": " + steps;
}

/// The part of a path that leads from the value around this one to this one. If the source has a name, the
/// part also names the object.
std::string Value::step() const {
  std::string step;
  if (parent_ != nullptr) {
    if (!is_member_) {
      step = "[" + std::to_string(index_) + "]";
    } else if (is_plain(key_)) {
      step = "." + std::string(key_);
    } else {
      step = "[" + std::string(key_) + "]";
    }
  }
  if (!kind_.empty() && !document_->source_name().empty()) step += " (" + own_name() + ")";
  return step;
}

Value Value::as_object(std::string_view kind) const {
  Value value = *this;
  value.kind_ = kind;
  return value;
}

std::string Value::object_name() const {
  for (const Value* value = this; value != nullptr; value = value->parent_) {
    if (!value->kind_.empty()) return value->own_name();
  }
  return "";
}

/// Ignores mistakes inside the object, because the caller may be reporting one.
std::string Value::own_name() const {
  assert(!kind_.empty());
  const auto metadata = element_at(element_)["metadata"];
  std::string_view name;
  std::string_view ns;
  if (metadata["name"].get(name) != simdjson::SUCCESS || name.empty()) return std::string(kind_);
  if (metadata["namespace"].get(ns) != simdjson::SUCCESS || ns.empty()) ns = "default";
  std::string text = std::string(kind_) + " ";
  constexpr std::array<std::string_view, 9> k_without_namespace = {
      "Node",    "PriorityClass", "Namespace",        "PersistentVolume", "StorageClass",
      "CSINode", "CSIDriver",     "VolumeAttachment", "RuntimeClass"};
  const bool has_namespace =
      std::find(k_without_namespace.begin(), k_without_namespace.end(), kind_) == k_without_namespace.end();
  if (has_namespace) text.append(ns).append("/");
  return text.append(name);
}

void Value::fail(std::string code, const std::string& message) const {
  // If the source has a name, the path already names the object.
  const std::string object = document_->source_name().empty() ? object_name() : "";
  throw InvalidInput({std::move(code), path(), object.empty() ? message : object + ": " + message});
}

void Value::expected(std::string_view what) const {
  fail("wrong-type",
       "expected " + std::string(what) + ", found " + std::string(name_of(element_at(element_).type())));
}

}  // namespace touchstone::kubernetes
