#include "optimized/store/place_table.hpp"

namespace touchstone::optimized {

namespace {

bool is_plain(const Tables& tables, NodeIndex node) {
  const NodeTable& nodes = tables.nodes;
  return (nodes.flags[node] & (k_unschedulable | k_has_nominated)) == 0 &&
         tables.taint_lists[nodes.taints[node]].empty() &&
         static_cast<Quantity>(tables.pods.count(node)) < nodes.pods[node];
}

}  // namespace

void PlaceTable::read_all(const Tables& tables, std::span<const NodeIndex> order) {
  const std::size_t words = (order.size() + k_places - 1) / k_places;
  for (std::vector<double>& column : columns_) column.assign(words * k_places, 1);
  left_out_.assign(words, 0);
  plain_.assign(words, 0);
  for (std::size_t place = 0; place < order.size(); ++place) read(tables, order[place], place);
}

void PlaceTable::read(const Tables& tables, NodeIndex node, std::size_t place) {
  const NodeTable& nodes = tables.nodes;
  const PodTable& pods = tables.pods;
  const std::array<Quantity, k_columns> amounts = {nodes.cpu[node],        nodes.memory[node],
                                                   pods.used_cpu(node),    pods.used_memory(node),
                                                   nodes.scored_cpu[node], nodes.scored_memory[node]};
  const auto suit = [&](Column used_cpu, Column used_memory) {
    return are_column_amounts({amounts[k_cpu], amounts[k_memory], amounts[used_cpu], amounts[used_memory]});
  };
  const bool is_left_out = !suit(k_used_cpu, k_used_memory) || !suit(k_scored_cpu, k_scored_memory);
  for (std::size_t i = 0; i < k_columns; ++i)
    columns_[i][place] = is_left_out ? 1 : static_cast<double>(amounts[i]);
  const auto set = [place](std::vector<std::uint64_t>& words, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << place % k_places;
    std::uint64_t& word = words[place / k_places];
    word = value ? word | bit : word & ~bit;
  };
  set(left_out_, is_left_out);
  set(plain_, is_plain(tables, node));
}

LoadColumns PlaceTable::columns(std::size_t word, bool with_defaults) const {
  const auto of_word = [&](Column column) { return columns_[column].data() + word * k_places; };
  return {k_places,
          of_word(k_cpu),
          of_word(k_memory),
          of_word(with_defaults ? k_scored_cpu : k_used_cpu),
          of_word(with_defaults ? k_scored_memory : k_used_memory),
          left_out_[word]};
}

std::size_t PlaceTable::bytes() const {
  std::size_t bytes = (left_out_.capacity() + plain_.capacity()) * sizeof(std::uint64_t);
  for (const std::vector<double>& column : columns_) bytes += column.capacity() * sizeof(double);
  return bytes;
}

}  // namespace touchstone::optimized
