#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "optimized/store/column.hpp"

namespace touchstone::optimized {

/// Columns that many owners share. The rows of one owner are adjacent in every column, in the order that the
/// owner gave them. Inserting or erasing a row moves only rows of that owner.
template <typename... T>
class Rows {
 public:
  /// Adds an owner without rows.
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

  /// All cells of column I, including cells reserved for growth.
  template <std::size_t I>
  auto column() const {
    return std::span(std::get<I>(columns_).data(), size_);
  }

  /// Inserts a row before row `at` of the owner. Requires: at <= count(owner). Complexity: linear in the
  /// owner's rows; the cost of growing is amortized over the insertions of one owner.
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

  /// Removes row `at` of the owner. Requires: at < count(owner). Complexity: linear in the owner's rows.
  void erase(std::size_t owner, std::size_t at) {
    const std::size_t first = ranges_[owner].first;
    const std::size_t last = first + ranges_[owner].count;
    for_each([&](auto& column) {
      std::move(column.begin() + diff(first + at + 1), column.begin() + diff(last),
                column.begin() + diff(first + at));
    });
    ranges_[owner].count -= 1;
  }

  /// Sets the number of rows of the owner. Existing rows keep their values; new rows are not initialized.
  void resize(std::size_t owner, std::size_t rows) {
    Range& range = ranges_[owner];
    if (rows > range.capacity) extend(range, rows);
    range.count = static_cast<std::uint32_t>(rows);
  }

  /// Frees unused cells. Complexity: linear in all rows. Memory: if the ranges do not lie in the order of
  /// owners, a second copy of one column at a time.
  void pack() {
    const bool is_in_order = lie_in_order();
    const std::size_t rows = rows_in_use();
    for_each([&](auto& column) {
      std::remove_reference_t<decltype(column)> other;
      if (!is_in_order) other.resize(rows);
      auto& packed = is_in_order ? column : other;
      auto* to = packed.begin();
      for (const Range& range : ranges_) {
        const auto* from = column.begin() + diff(range.first);
        to = std::copy(from, from + range.count, to);
      }
      if (!is_in_order) column = std::move(other);
      column.resize(rows);
      column.pack();
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

  /// Whether the ranges lie in the columns in the order of their owners. Then moving each range forward
  /// overwrites no row that has not been moved yet.
  bool lie_in_order() const {
    std::size_t end = 0;
    for (const Range& range : ranges_) {
      if (range.count == 0) continue;
      if (range.first < end) return false;
      end = range.first + range.count;
    }
    return true;
  }

  /// Grows a range to hold `rows` rows. The last range of the columns grows in place. Any other range moves
  /// to the end, with capacity to grow further.
  void extend(Range& range, std::size_t rows) {
    const bool is_last = range.first + range.capacity == size_;
    const std::size_t old_first = range.first;
    if (!is_last) {
      wasted_ += range.capacity;
      range.first = size_;
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

  /// Packs all ranges, then moves `range` to the end of the columns and gives it `capacity` rows.
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

  static constexpr std::size_t k_rows_least = 1024;  ///< smaller columns are not packed

  std::tuple<Column<T>...> columns_;
  std::vector<Range> ranges_;
  std::size_t size_ = 0;    ///< rows of every column, in use or not
  std::size_t wasted_ = 0;  ///< rows left behind by ranges that moved
};

}  // namespace touchstone::optimized
