#include "fuzz/shrink/names.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace touchstone::fuzz {

namespace {

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool is_label_map(std::string_view key) {
  return is_one_of(key, {"labels", "annotations", "matchLabels", "nodeSelector"});
}

/// Whether the value that holds this place has labels as its members: the selector of a Service or of a
/// ReplicationController is one.
bool is_in_label_map(const Path& path) {
  const std::string_view parent = parent_key(path);
  return is_label_map(parent) ||
         (parent == "selector" && is_one_of(path[0].key, {"services", "replicationControllers"}));
}

/// The list of the object that has its metadata.name at this path; empty for other paths.
std::string named_kind(const Path& path) {
  if (!is_identity(path) || path.back().key != "name") return "";
  return path[0].key == "pod" ? "pods" : path[0].key;
}

/// The kind of a member's key; empty: the key is a field of Kubernetes.
std::string kind_of_key(const Path& path) {
  if (path.back().in_list) return "";
  const std::string_view parent = parent_key(path);
  if (is_in_label_map(path)) return "label";
  if (parent == "disruptedPods") return "pods";
  const bool extended = path.back().key.find('/') != std::string::npos;
  return is_resource_map(parent) && extended ? "resource" : "";
}

/// The kind of a text; empty: a word of Kubernetes, or unknown.
std::string kind_of_text(const Path& path) {
  if (const std::string kind = named_kind(path); !kind.empty()) return kind;
  const std::string_view key = path.back().key;
  const std::string_view parent = parent_key(path);
  if (is_in_label_map(path)) return "value";
  if (is_one_of(key, {"nodeName", "nominatedNodeName"})) return "nodes";
  if (is_one_of(key, {"namespace", "namespaces"})) return "namespace";
  if (key == "uid") return "uid";
  if ((key == "image" && parent.ends_with("ontainers")) || (key == "names" && parent == "images") ||
      (key == "reference" && parent == "image"))
    return "image";
  if (key == "name" && (parent.ends_with("ontainers") || parent.ends_with("ontainerStatuses")))
    return "container";
  if (key == "topologyKey") return "label";
  if (key == "key" && is_one_of(parent, {"taints", "tolerations"})) return "taint";
  if (key == "key" && parent != "matchFields") return "label";
  return is_one_of(key, {"value", "values"}) ? "value" : "";
}

std::string plainest(const std::string& kind, std::size_t number) {
  const std::string count = std::to_string(number + 1);
  if (kind == "pods") {
    constexpr std::string_view k_letters = "abcdefghijklmnoqrstuvwxyz";
    const std::size_t round = number / k_letters.size();
    return k_letters[number % k_letters.size()] + (round == 0 ? "" : std::to_string(round));
  }
  if (kind == "namespace") return number == 0 ? "default" : "ns" + std::to_string(number);
  if (kind == "resource") return "example.com/r" + count;
  if (kind == "container") return number == 0 ? "c" : "c" + count;
  if (kind == "label") return "k" + count;
  if (kind == "pdbs") return "b" + count;
  if (is_one_of(kind, {"nodes", "value", "taint", "uid"})) return kind[0] + count;
  return (kind.ends_with('s') ? kind.substr(0, kind.size() - 1) : kind) + count;
}

/// Collects the occurrences of names, and numbers each new name.
class Collector {
 public:
  explicit Collector(const std::vector<Place>& places) {
    for (const Place& place : places) {
      const std::string kind = place.value->is_string() ? named_kind(place.path) : "";
      if (!kind.empty()) named_.emplace(place.value->get<std::string>(), kind);
      if (kind == "nodes") nodes_.insert(place.value->get<std::string>());
      if (kind == "pods" && place.path[0].key == "pod") preemptor_ = place.value->get<std::string>();
    }
  }

  void add(const Place& place) {
    add(place.path, true, kind_of_key(place.path), place.path.back().key);
    if (!place.value->is_string()) return;
    const auto& text = place.value->get_ref<const std::string&>();
    std::string kind = kind_of_text(place.path);
    if (kind == "value" && nodes_.contains(text)) kind = "nodes";
    // Members that are not known here, such as claimName, may name an object of the document.
    if (kind.empty() && named_.contains(text)) kind = named_[text];
    add(place.path, false, kind, text);
  }

  Names take() { return std::move(found_); }

 private:
  void add(const Path& path, bool as_key, const std::string& kind, const std::string& text) {
    if (kind.empty() || text.empty()) return;
    const auto [known, is_new] = index_.emplace(std::pair(kind, text), found_.names.size());
    if (is_new) {
      const bool is_preemptor = kind == "pods" && text == preemptor_;
      found_.names.push_back({kind, text, is_preemptor ? "p" : plainest(kind, count_[kind]++)});
    }
    found_.occurrences.push_back({path, as_key, known->second});
  }

  std::map<std::string, std::string> named_;
  std::set<std::string> nodes_;
  std::optional<std::string> preemptor_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::map<std::string, std::size_t> count_;
  Names found_;
};

/// New texts for the keys of one object.
struct KeyChange {
  Path object;
  std::map<std::string, std::string> keys;
};

/// Renames keys and keeps the order of the members. Ensures: false if two keys would become equal.
bool rename_keys(Json& object, const std::map<std::string, std::string>& keys) {
  Json other = Json::object();
  for (auto& [key, value] : object.items()) {
    const auto to = keys.find(key);
    const std::string& text = to == keys.end() ? key : to->second;
    if (other.contains(text)) return false;
    other[text] = std::move(value);
  }
  object = std::move(other);
  return true;
}

}  // namespace

bool is_resource_map(std::string_view key) {
  return is_one_of(key, {"allocatable", "allocatedResources", "capacity", "limits", "overhead", "requests"});
}

bool is_name(const Path& path) {
  const std::string kind = kind_of_text(path);
  return !kind.empty() && kind != "value";
}

Names names_of(const Json& document) {
  const std::vector<Place> places = places_of(document);
  Collector collector(places);
  for (const Place& place : places) collector.add(place);
  return collector.take();
}

std::optional<Json> renamed(const Json& document, const Names& names,
                            const std::map<std::size_t, std::string>& texts) {
  Json other = document;
  std::vector<KeyChange> changes;
  for (const Occurrence& occurrence : names.occurrences) {
    const auto text = texts.find(occurrence.name);
    if (text == texts.end()) continue;
    if (!occurrence.as_key) {
      at(other, occurrence.path) = text->second;
      continue;
    }
    const Path object(occurrence.path.begin(), occurrence.path.end() - 1);
    if (changes.empty() || changes.back().object != object) changes.push_back({object, {}});
    changes.back().keys[occurrence.path.back().key] = text->second;
  }
  // The deepest objects come first, so that the keys above them are still the old ones.
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.object.size() > b.object.size(); });
  for (const KeyChange& change : changes) {
    if (!rename_keys(at(other, change.object), change.keys)) return std::nullopt;
  }
  return other;
}

}  // namespace touchstone::fuzz
