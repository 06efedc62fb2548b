#include "fuzz/shrink/places.hpp"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>

namespace touchstone::fuzz {

namespace {

/// A container whose values are being visited.
struct Open {
  Json::const_iterator next;
  Json::const_iterator end;
  std::size_t index = 0;
};

Open open(const Json& container) { return {container.begin(), container.end()}; }

bool has_values(const Json& value) { return value.is_structured() && !value.empty(); }

}  // namespace

std::vector<Place> places_of(const Json& document) {
  std::vector<Place> places;
  if (!document.is_structured()) return places;
  std::vector<Open> opened = {open(document)};
  std::vector<const Json*> containers = {&document};
  Path path;
  while (!opened.empty()) {
    Open& top = opened.back();
    if (top.next == top.end) {
      opened.pop_back();
      containers.pop_back();
      if (!path.empty()) path.pop_back();
      continue;
    }
    const Json& value = *top.next;
    const bool in_list = containers.back()->is_array();
    const std::string list = path.empty() ? "" : path.back().key;
    path.push_back({in_list ? list : top.next.key(), in_list ? top.index : 0, in_list});
    ++top.next;
    ++top.index;
    places.push_back({path, &value});
    if (has_values(value)) {
      opened.push_back(open(value));
      containers.push_back(&value);
    } else {
      path.pop_back();
    }
  }
  return places;
}

bool deeper_than(const Json& document, std::size_t most) {
  if (!has_values(document)) return false;
  std::vector<Open> opened = {open(document)};
  while (!opened.empty()) {
    if (opened.size() > most) return true;
    Open& top = opened.back();
    if (top.next == top.end) {
      opened.pop_back();
      continue;
    }
    const Json& value = *top.next++;
    if (has_values(value)) opened.push_back(open(value));
  }
  return false;
}

Json& at(Json& document, const Path& path) {
  Json* value = &document;
  for (const Step& step : path) value = step.in_list ? &(*value)[step.index] : &(*value)[step.key];
  return *value;
}

const Json& at(const Json& document, const Path& path) {
  const Json* value = &document;
  for (const Step& step : path) value = step.in_list ? &(*value)[step.index] : &*value->find(step.key);
  return *value;
}

std::string text_at(const Json& object, std::initializer_list<const char*> keys) {
  const Json* value = &object;
  for (const char* key : keys) {
    if (!value->is_object()) return "";
    const auto found = value->find(key);
    if (found == value->end()) return "";
    value = &*found;
  }
  return value->is_string() ? value->get<std::string>() : "";
}

Json without(const Json& document, const std::vector<const Path*>& places) {
  Json rest = document;
  // Removes from the end, so that the indices of the remaining places do not change.
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const Path& path = **place;
    assert(!path.empty());
    Json& holder = at(rest, Path(path.begin(), path.end() - 1));
    if (path.back().in_list) {
      holder.erase(path.back().index);
    } else {
      holder.erase(path.back().key);
    }
  }
  return rest;
}

std::string signature_of(const Path& path) {
  std::string signature;
  for (const Step& step : path) {
    signature += '/';
    signature += step.in_list ? "*" : step.key;
  }
  return signature;
}

std::string_view parent_key(const Path& path) {
  for (std::size_t i = path.size(); i-- > 1;) {
    if (!path[i].in_list) return path[i - 1].key;
  }
  return "";
}

bool is_identity(const Path& path) {
  const auto is = [&](std::size_t i, const char* key) { return !path[i].in_list && path[i].key == key; };
  const std::size_t object = path.size() > 1 && path[1].in_list ? 2 : 1;
  if (object == 1 && (path.empty() || !is(0, "pod"))) return false;
  return path.size() > object && path.size() <= object + 2 && is(object, "metadata") &&
         (path.size() == object + 1 || is(object + 1, "name"));
}

}  // namespace touchstone::fuzz
