#include "kubernetes/objects/fields.hpp"

#include <cstdint>
#include <limits>

#include "kubernetes/text/quantity.hpp"
#include "kubernetes/text/time.hpp"

namespace touchstone::kubernetes {

namespace {

/// Removes spaces around a quantity, as Kubernetes does when it reads a quantity from JSON (and only then).
std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

Quantity read_amount(const Value& value) {
  const std::string text = value.number_or_string();
  const Unit unit = value.key() == "cpu" ? Unit::milli : Unit::whole;
  const Result<Quantity> amount = parse_quantity(trimmed(text), unit);
  if (!amount)
    value.fail(amount.error().code,
               amount.error().message + ", found " + (text.empty() ? "an empty string" : text));
  return amount.value();
}

}  // namespace

std::string string_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  return field ? std::string(field->string()) : std::string();
}

std::string name_field(const Value& object, std::string_view key) {
  const Value name = object.require(key);
  if (name.string().empty()) name.fail("missing-field", "expected a name");
  return std::string(name.string());
}

std::string namespace_field(const Value& metadata) {
  const std::string ns = string_field(metadata, "namespace");
  return ns.empty() ? "default" : ns;
}

Labels labels_field(const Value& object, std::string_view key) {
  Labels labels;
  if (const auto field = object.find(key)) {
    for (const Value member : field->members()) {
      const bool is_new = labels.emplace(member.key(), member.string()).second;
      if (!is_new) member.fail("duplicate-key", "expected this key once");
    }
  }
  return labels;
}

std::vector<std::string> strings_field(const Value& object, std::string_view key) {
  return list_field(object, key, [](const Value& element) { return std::string(element.string()); });
}

bool bool_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  return field && field->boolean();
}

Quantity int32_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return 0;
  return field->integer(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
}

std::optional<std::string> annotation(const Value& metadata, std::string_view key) {
  const auto annotations = metadata.find("annotations");
  if (!annotations) return std::nullopt;
  const auto found = annotations->find(key);
  if (!found) return std::nullopt;
  return std::string(found->string());
}

std::optional<ResourceList> resources_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  ResourceList amounts;
  for (const Value member : field->members()) {
    const bool is_new = amounts.emplace(member.key(), read_amount(member)).second;
    if (!is_new) member.fail("duplicate-key", "expected this key once");
  }
  return amounts;
}

std::optional<Quantity> amount_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  return read_amount(*field);
}

std::optional<ResourceList> requests_field(const Value& object) {
  const auto resources = object.find("resources");
  if (!resources) return std::nullopt;
  return resources_field(*resources, "requests").value_or(ResourceList{});
}

std::optional<Quantity> time_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  return read_time(*field);
}

Quantity read_time(const Value& value) {
  const Result<Quantity> time = parse_time(value.string());
  if (!time) value.fail(time.error().code, time.error().message + ", found " + std::string(value.string()));
  return time.value();
}

}  // namespace touchstone::kubernetes
