#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace touchstone::optimized {

/// Columns that many owners share: the rows of one owner lie next to each other in every column, in an order
/// that is the owner's. A row that is added or removed moves the owner's rows alone.
template <typename... T>
class Rows {
 public:
  /// One owner more, without rows.
  void add_owner() { ranges_.push_back({size_, 0, 0}); }

  std::size_t count(std::size_t owner) const { return ranges_[owner].count; }

  /// The cells of an owner in column I.
  template <std::size_t I>
  const auto* cells(std::size_t owner) const {
    return std::get<I>(columns_).data() + ranges_[owner].first;
  }
  template <std::size_t I>
  auto* cells(std::size_t owner) {
    return std::get<I>(columns_).data() + ranges_[owner].first;
  }

  /// Puts a row before row `at` of the owner. Requires: at <= count(owner). Complexity: linear in the owner's
  /// rows; amortized over the insertions of one owner where these run out of room.
  void insert(std::size_t owner, std::size_t at, const T&... values) {
    resize(owner, count(owner) + 1);
    const std::size_t first = ranges_[owner].first;
    const std::size_t last = first + ranges_[owner].count;
    const auto place = [&](auto& column, const auto& value) {
      std::move_backward(column.begin() + diff(first + at), column.begin() + diff(last - 1),
                         column.begin() + diff(last));
      column[first + at] = value;
    };
    place_all(place, std::index_sequence_for<T...>(), values...);
  }

  /// Requires: at < count(owner). Complexity: linear in the owner's rows.
  void erase(std::size_t owner, std::size_t at) {
    const std::size_t first = ranges_[owner].first;
    const std::size_t last = first + ranges_[owner].count;
    for_each([&](auto& column) {
      std::move(column.begin() + diff(first + at + 1), column.begin() + diff(last),
                column.begin() + diff(first + at));
    });
    ranges_[owner].count -= 1;
  }

  /// Gives the owner this many rows; the first ones keep what they hold.
  void resize(std::size_t owner, std::size_t rows) {
    Range& range = ranges_[owner];
    if (rows > range.capacity) make_room(range, rows);
    range.count = static_cast<std::uint32_t>(rows);
  }

  /// Gives back the room that nobody uses. Complexity: linear in all rows.
  void pack() {
    for_each([this](auto& column) {
      std::remove_reference_t<decltype(column)> packed;
      packed.reserve(rows_in_use());
      for (const Range& range : ranges_) {
        packed.insert(packed.end(), column.begin() + diff(range.first),
                      column.begin() + diff(range.first + range.count));
      }
      column = std::move(packed);
    });
    size_ = 0;
    for (Range& range : ranges_) {
      range.first = size_;
      range.capacity = range.count;
      size_ += range.count;
    }
    wasted_ = 0;
  }

  std::size_t bytes() const {
    std::size_t bytes = ranges_.capacity() * sizeof(Range);
    std::apply([&](const auto&... column) { ((bytes += column.capacity() * sizeof(column[0])), ...); },
               columns_);
    return bytes;
  }

 private:
  struct Range {
    std::size_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t capacity = 0;
  };

  static std::ptrdiff_t diff(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  template <typename F>
  void for_each(const F& act) {
    std::apply([&](auto&... column) { (act(column), ...); }, columns_);
  }

  template <typename F, std::size_t... I>
  void place_all(const F& place, std::index_sequence<I...>, const T&... values) {
    (place(std::get<I>(columns_), values), ...);
  }

  std::size_t rows_in_use() const {
    std::size_t rows = 0;
    for (const Range& range : ranges_) rows += range.count;
    return rows;
  }

  /// Extends a range at the end of the columns where it is, and moves any other there with room to grow.
  void make_room(Range& range, std::size_t rows) {
    const bool is_last = range.first + range.capacity == size_;
    const std::size_t old_first = range.first;
    if (!is_last) {
      wasted_ += range.capacity;
      range.first = size_;
      range.capacity = 0;
    }
    const std::size_t capacity = is_last ? rows : rows + rows / 2 + 1;
    size_ = range.first + capacity;
    for_each([&](auto& column) {
      column.resize(size_);
      if (!is_last)
        std::copy_n(column.begin() + diff(old_first), range.count, column.begin() + diff(range.first));
    });
    range.capacity = static_cast<std::uint32_t>(capacity);
    if (wasted_ > size_ / 2 && size_ > k_rows_least) repack(range, range.capacity);
  }

  /// pack(), which leaves `range` at the end, with room for what it is about to hold.
  void repack(Range& range, std::uint32_t capacity) {
    pack();
    const std::size_t old_first = range.first;
    wasted_ += range.capacity;
    range.first = size_;
    range.capacity = capacity;
    size_ += capacity;
    for_each([&](auto& column) {
      column.resize(size_);
      std::copy_n(column.begin() + diff(old_first), range.count, column.begin() + diff(range.first));
    });
  }

  static constexpr std::size_t k_rows_least = 1024;  ///< below it packing is not worth it

  std::tuple<std::vector<T>...> columns_;
  std::vector<Range> ranges_;
  std::size_t size_ = 0;    ///< of every column
  std::size_t wasted_ = 0;  ///< rows of ranges that moved
};

}  // namespace touchstone::optimized
