#include <nlohmann/json.hpp>

#include "fuzz/shrink/moves.hpp"
#include "fuzz/shrink/places.hpp"

namespace touchstone::fuzz {

namespace {

/// The most objects for which these moves are tried, because they try pairs.
constexpr std::size_t k_few = 12;

bool is_list(const Json& question, const char* key) {
  if (!question.is_object()) return false;
  const auto found = question.find(key);
  return found != question.end() && found->is_array();
}

/// The names of the nodes; empty if there are too many for move_pods.
std::vector<std::string> few_nodes(const Json& question) {
  std::vector<std::string> names;
  if (!is_list(question, "nodes") || !is_list(question, "pods") || question["nodes"].size() > k_few)
    return {};
  for (const Json& node : question["nodes"]) names.push_back(text_at(node, {"metadata", "name"}));
  return names;
}

/// Replaces the node `from` of a pod or of its nomination. Returns whether it changed the pod.
bool rename_node(Json& pod, const std::string& from, const std::string& to) {
  bool any = false;
  for (const auto& [part, key] : {std::pair("spec", "nodeName"), std::pair("status", "nominatedNodeName")}) {
    if (text_at(pod, {part, key}) != from) continue;
    pod[part][key] = to;
    any = true;
  }
  return any;
}

/// The question without node `from`, whose pods move to node `to`.
Json merged(const Json& question, std::size_t from, const std::string& from_name, const std::string& to) {
  Json other = question;
  other["nodes"].erase(from);
  for (Json& pod : other["pods"]) rename_node(pod, from_name, to);
  return other;
}

bool merge_nodes(Search& search) {
  bool any = false;
  for (std::size_t from = few_nodes(search.question()).size(); from-- > 0;) {
    const std::vector<std::string> names = few_nodes(search.question());
    for (std::size_t to = 0; to < names.size(); ++to) {
      if (to == from || names[from].empty() || names[to].empty()) continue;
      if (!search.take(merged(search.question(), from, names[from], names[to]))) continue;
      any = true;
      break;
    }
  }
  return any;
}

bool move_single_pods(Search& search) {
  bool any = false;
  const std::vector<std::string> names = few_nodes(search.question());
  if (names.empty() || search.question()["pods"].size() > k_few) return false;
  for (std::size_t pod = 0; pod < search.question()["pods"].size(); ++pod) {
    for (const std::string& from : names) {
      for (const std::string& to : names) {
        Json moved = search.question()["pods"][pod];
        if (from.empty() || to.empty() || to == from || !rename_node(moved, from, to)) continue;
        Json other = search.question();
        other["pods"][pod] = std::move(moved);
        any |= search.take(std::move(other));
      }
    }
  }
  return any;
}

/// A copy of `like` with the name and the nodes of `own`.
Json with_own_names(Json like, const Json& own) {
  like["metadata"]["name"] = own["metadata"]["name"];
  for (const auto& [part, key] : {std::pair("spec", "nodeName"), std::pair("status", "nominatedNodeName")}) {
    if (const std::string node = text_at(own, {part, key}); !node.empty()) {
      if (!like[part].is_object()) like[part] = Json::object();
      like[part][key] = node;
    } else if (!text_at(like, {part, key}).empty()) {
      like[part].erase(key);
    }
  }
  return like;
}

}  // namespace

bool move_pods(Search& search) {
  const bool merged_any = merge_nodes(search);
  return move_single_pods(search) || merged_any;
}

bool make_objects_alike(Search& search) {
  bool any = false;
  std::vector<std::string> lists;
  if (!search.question().is_object()) return false;
  for (const auto& [key, value] : search.question().items()) {
    if (value.is_array() && value.size() <= k_few) lists.push_back(key);
  }
  for (const std::string& list : lists) {
    const std::size_t size = search.question()[list].size();
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const Json& objects = search.question()[list];
        if (i == j || text_at(objects[i], {"metadata", "name"}).empty() ||
            text_at(objects[j], {"metadata", "name"}).empty())
          continue;
        Json other = search.question();
        other[list][i] = with_own_names(objects[j], objects[i]);
        any |= search.take(std::move(other));
      }
    }
  }
  return any;
}

}  // namespace touchstone::fuzz
