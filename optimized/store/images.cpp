#include "optimized/store/images.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

/// The images of a node by name. If a node reports a name twice, the first one counts.
ImageList listed(const std::vector<NodeImage>& images, Symbols& symbols) {
  ImageList list;
  for (const NodeImage& image : images) {
    for (const std::string& name : image.names) list.emplace_back(symbols.add(name), image.size);
  }
  const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::stable_sort(list.begin(), list.end(), by_name);
  list.erase(std::unique(list.begin(), list.end(), same_name), list.end());
  return list;
}

/// The place of a name in a list, or the end.
ImageList::const_iterator find_in(const ImageList& list, Symbol name) {
  const auto found = std::lower_bound(list.begin(), list.end(), name,
                                      [](const auto& each, Symbol wanted) { return each.first < wanted; });
  return found != list.end() && found->first == name ? found : list.end();
}

}  // namespace

bool Images::has(NodeIndex node, Symbol name) const {
  const ImageList& images = list(list_of_[node]);
  return find_in(images, name) != images.end();
}

std::uint32_t Images::number_for(ImageList images) {
  if (images.empty()) return 0;
  const auto [place, is_new] = numbers_.emplace(images, static_cast<std::uint32_t>(lists_.size()));
  if (is_new && !free_.empty()) {
    place->second = free_.back();
    free_.pop_back();
  } else if (is_new) {
    lists_.emplace_back();
  }
  List& list = lists_[place->second];
  if (is_new) list.images = std::move(images);
  list.nodes += 1;
  return place->second;
}

void Images::leave(std::uint32_t list) {
  if (list == 0) return;
  lists_[list].nodes -= 1;
  if (lists_[list].nodes > 0) return;
  numbers_.erase(lists_[list].images);
  lists_[list].images = {};
  free_.push_back(list);
}

void Images::gain(NodeIndex node, Symbol name) {
  Holders& holders = holders_[name];
  if (holders.nodes == 0 || node < holders.first) holders.first = node;
  holders.nodes += 1;
}

/// Requires: the node does not have the image any more.
void Images::lose(NodeIndex node, Symbol name) {
  Holders& holders = holders_.at(name);
  holders.nodes -= 1;
  if (holders.nodes == 0) {
    holders_.erase(name);
    return;
  }
  if (holders.first != node) return;
  while (!has(holders.first, name)) ++holders.first;
}

void Images::set(NodeIndex node, const std::vector<NodeImage>& images, Symbols& symbols) {
  const std::uint32_t before = list_of_[node];
  const ImageList old = list(before);
  list_of_[node] = number_for(listed(images, symbols));
  if (list_of_[node] == before) return leave(before);  // number_for() has counted the node once more
  const ImageList& now = list(list_of_[node]);
  const auto in = [](const ImageList& all, Symbol name) { return find_in(all, name) != all.end(); };
  for (const auto& [name, size] : now) {
    if (!in(old, name)) gain(node, name);
  }
  for (const auto& [name, size] : old) {
    if (!in(now, name)) lose(node, name);
  }
  leave(before);
}

Images::Spread Images::spread_of(Symbol name) const {
  const auto found = holders_.find(name);
  if (found == holders_.end()) return {};
  const NodeIndex first = found->second.first;
  return {found->second.nodes, first, find_in(list(list_of_[first]), name)->second};
}

std::size_t Images::bytes() const {
  std::size_t bytes = list_of_.capacity() * sizeof(std::uint32_t) + holders_.size() * 48;
  for (const List& list : lists_) bytes += sizeof(List) + 2 * list.images.capacity() * sizeof(list.images[0]);
  return bytes;
}

}  // namespace touchstone::optimized
