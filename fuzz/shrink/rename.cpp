#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/shrink/moves.hpp"
#include "fuzz/shrink/names.hpp"

namespace touchstone::fuzz {

namespace {

/// Kinds in which two names may become equal without merging two objects.
bool may_join(const std::string& kind) {
  return kind == "namespace" || kind == "label" || kind == "value" || kind == "taint" || kind == "resource" ||
         kind == "container" || kind == "image";
}

bool rename(Search& search, const Names& names, const std::map<std::size_t, std::string>& texts) {
  std::optional<Json> other = renamed(search.question(), names, texts);
  return other && search.take(std::move(*other));
}

/// Gives every name of a kind its plainest text; the names of all kinds if `kind` is empty.
bool plain_kind(Search& search, const std::string& kind) {
  const Names names = names_of(search.question());
  std::map<std::size_t, std::string> texts;
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    if (kind.empty() || names.names[i].kind == kind) texts[i] = names.names[i].plainest;
  }
  return rename(search, names, texts);
}

/// Gives one name its plainest text. A name that already has this text gets the old text of the other.
bool plain_name(Search& search, std::size_t index) {
  const Names names = names_of(search.question());
  if (index >= names.names.size()) return false;
  const Name& name = names.names[index];
  if (name.text == name.plainest) return false;
  std::map<std::size_t, std::string> texts = {{index, name.plainest}};
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    if (names.names[i].kind == name.kind && names.names[i].text == name.plainest) texts[i] = name.text;
  }
  return rename(search, names, texts);
}

/// Gives one name the text of an earlier name of its kind.
bool join_name(Search& search, std::size_t index) {
  constexpr std::size_t k_tried_most = 12;
  const Names names = names_of(search.question());
  if (index >= names.names.size() || !may_join(names.names[index].kind)) return false;
  std::size_t tried = 0;
  for (std::size_t i = 0; i < index && tried < k_tried_most; ++i) {
    if (names.names[i].kind != names.names[index].kind) continue;
    ++tried;
    if (rename(search, names, {{index, names.names[i].text}})) return true;
  }
  return false;
}

}  // namespace

bool join_names(Search& search) {
  bool any = false;
  for (std::size_t i = names_of(search.question()).names.size(); i-- > 0 && !search.stopped();)
    any |= join_name(search, i);
  return any;
}

bool plain_names(Search& search) {
  bool any = plain_kind(search, "");
  std::set<std::string> kinds;
  for (const Name& name : names_of(search.question()).names) kinds.insert(name.kind);
  for (const std::string& kind : kinds) any |= plain_kind(search, kind);
  for (std::size_t i = 0; i < names_of(search.question()).names.size() && !search.stopped(); ++i)
    any |= plain_name(search, i);
  return any;
}

}  // namespace touchstone::fuzz
