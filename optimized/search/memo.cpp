#include "optimized/search/memo.hpp"

#include <algorithm>

#include "optimized/search/node_search.hpp"

namespace touchstone::optimized {

namespace {

Pod kind_of(Pod pod) {
  pod.name.clear();
  pod.uid.clear();
  return pod;
}

}  // namespace

const std::vector<NodeIndex>& Memo::order_of(const Tables& tables) {
  if (order_seen_ == tables.changes.nodes) return order_;
  order_ = nodes_in_order(tables);
  order_seen_ = tables.changes.nodes;
  place_of_.assign(tables.nodes.size(), 0);
  for (std::size_t place = 0; place < order_.size(); ++place)
    place_of_[order_[place]] = static_cast<std::uint32_t>(place);
  kinds_.clear();  // places have changed
  table_seen_.reset();
  return order_;
}

/// The places of the nodes that have changed since some change, each once.
std::vector<std::size_t> Memo::changed_places(std::uint64_t seen, const Tables& tables) const {
  std::vector<std::size_t> places;
  for (std::uint64_t i = seen; i < tables.changes.count(); ++i)
    places.push_back(place_of_[tables.changes.node(i)]);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

const PlaceTable& Memo::table_of(const Tables& tables) {
  const std::vector<NodeIndex>& order = order_of(tables);
  if (table_seen_ && tables.changes.are_listed(*table_seen_)) {
    for (const std::size_t place : changed_places(*table_seen_, tables))
      table_.read(tables, order[place], place);
  } else {
    table_.read_all(tables, order);
  }
  table_seen_ = tables.changes.count();
  return table_;
}

KeptRatings& Memo::ratings_for(const Pod& pod, const RatingQuery& asked) {
  const Changes& changes = asked.query.tables.changes;
  Pod kind = kind_of(pod);
  const auto found =
      std::find_if(kinds_.begin(), kinds_.end(), [&kind](const Kind& each) { return each.pod == kind; });
  if (found == kinds_.end()) {
    kinds_.push_front({std::move(kind), changes.count(), KeptRatings(asked)});
  } else {
    kinds_.splice(kinds_.begin(), kinds_, found);
    if (changes.are_listed(found->seen) && found->ratings.suits(asked)) {
      found->ratings.rate_again(asked, changed_places(found->seen, asked.query.tables));
      reused_ += 1;
    } else {
      found->ratings = KeptRatings(asked);
    }
    found->seen = changes.count();
  }
  forget_some();
  return kinds_.front().ratings;
}

void Memo::forget_some() {
  while (kinds_.size() > 1 && (kinds_.size() > k_kinds_most || bytes() > bytes_most_)) kinds_.pop_back();
}

std::size_t Memo::bytes() const {
  std::size_t bytes =
      table_.bytes() + order_.capacity() * sizeof(NodeIndex) + place_of_.capacity() * sizeof(std::uint32_t);
  for (const Kind& kind : kinds_) bytes += sizeof(Kind) + kind.ratings.bytes();
  return bytes;
}

}  // namespace touchstone::optimized
