#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimized/store/symbols.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

namespace touchstone::optimized {

/// The names of the images on a node, sorted, each with its size in bytes.
using ImageList = std::vector<std::pair<Symbol, Quantity>>;

/// The container images of the nodes. Nodes with the same images share one list. Clauses: SCORE-IMAGE-1,
/// SCORE-IMAGE-3.
class Images {
 public:
  Images() { lists_.emplace_back(); }

  /// Adds a node without images. Nodes are numbered from 0.
  void add_node() { list_of_.push_back(0); }
  /// Replaces the images of a node. Complexity: linear in the images that come or go. If the node is the
  /// first one with an image that goes: for each such image linear in the nodes up to the next one with it.
  void set(NodeIndex node, const std::vector<NodeImage>& images, Symbols& symbols);

  /// How an image is spread over the nodes.
  struct Spread {
    std::size_t nodes = 0;    ///< how many nodes have it
    NodeIndex first = 0;      ///< the first of them; valid if some node has it
    Quantity first_size = 0;  ///< the size that the first of them reports
  };
  /// No node has the image: Spread::nodes is 0.
  Spread spread_of(Symbol name) const;

  /// The number of a node's list. Nodes with equal numbers have the same images.
  std::uint32_t list_of(NodeIndex node) const { return list_of_[node]; }
  /// The list of a number. A number that no node has any more may get another list.
  const ImageList& list(std::uint32_t number) const { return lists_[number].images; }
  std::uint32_t lists() const { return static_cast<std::uint32_t>(lists_.size()); }

  std::size_t bytes() const;

 private:
  struct List {
    ImageList images;
    std::size_t nodes = 0;
  };

  bool has(NodeIndex node, Symbol name) const;
  std::uint32_t number_for(ImageList images);
  void leave(std::uint32_t list);
  void gain(NodeIndex node, Symbol name);
  void lose(NodeIndex node, Symbol name);

  std::vector<List> lists_;  ///< the first one is empty, and never given to another list
  std::map<ImageList, std::uint32_t> numbers_;
  std::vector<std::uint32_t> free_;  ///< numbers of lists that no node has
  std::vector<std::uint32_t> list_of_;
  struct Holders {
    std::size_t nodes = 0;
    NodeIndex first = 0;
  };
  std::unordered_map<Symbol, Holders> holders_;  ///< by name: of the images that some node has
};

}  // namespace touchstone::optimized
