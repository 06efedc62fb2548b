#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace touchstone::optimized {

/// The cells of one column of a large table. A column grows and shrinks by realloc(), which can move a large
/// block by remapping its pages. std::vector would copy the cells and hold them in memory twice.
template <typename T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    Column taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Column() { std::free(cells_); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  T* data() { return cells_; }
  const T* data() const { return cells_; }
  T& operator[](std::size_t i) { return cells_[i]; }
  const T& operator[](std::size_t i) const { return cells_[i]; }
  T* begin() { return cells_; }
  const T* begin() const { return cells_; }
  T* end() { return cells_ + size_; }
  const T* end() const { return cells_ + size_; }

  /// Changes the number of cells. New cells are not initialized. Growing reserves an eighth more than asked.
  /// Complexity: amortized linear in the new cells.
  void resize(std::size_t size) {
    if (size > capacity_) reallocate(size + size / 8);
    size_ = size;
  }
  void push_back(const T& value) {
    resize(size_ + 1);
    cells_[size_ - 1] = value;
  }
  /// Frees the memory that is reserved for growth.
  void pack() {
    if (size_ < capacity_) reallocate(size_);
  }

 private:
  void swap(Column& other) noexcept {
    std::swap(cells_, other.cells_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void reallocate(std::size_t capacity) {
    // realloc() may return null for 0 bytes.
    void* cells = std::realloc(cells_, (capacity == 0 ? 1 : capacity) * sizeof(T));
    if (cells == nullptr) throw std::bad_alloc();
    cells_ = static_cast<T*>(cells);
    capacity_ = capacity;
  }

  T* cells_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace touchstone::optimized
