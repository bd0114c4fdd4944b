// Rows: many short rows that grow, all in one array.
//
// Idea: the room of a row is a power of two, at least a cache line of small entries; a row that has
// no room moves to twice as much, and what it leaves is for the next row of that size.
// Cost: O(1) per entry added, less than four times the entries of the largest rows in memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rates/large_pages.hpp"

namespace contend {

struct Row {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::uint32_t room = 0;
};

template <typename T>
class Rows {
 public:
  // Until an entry is added to any row.
  std::span<T> of(const Row& row) { return {entries_.data() + row.begin, row.size}; }
  std::span<const T> of(const Row& row) const { return {entries_.data() + row.begin, row.size}; }
  void prefetch(const Row& row) const { __builtin_prefetch(entries_.data() + row.begin); }
  void add(Row& row, const T& entry) {
    if (row.size == row.room) move(row);
    entries_[row.begin + row.size++] = entry;
  }

 private:
  static constexpr std::uint32_t least_room = 4;

  void move(Row& row) {
    const std::uint32_t room = std::max(least_room, 2 * row.room);
    std::vector<std::uint32_t>& free = free_[std::countr_zero(room)];
    auto begin = static_cast<std::uint32_t>(entries_.size());
    if (free.empty()) {
      entries_.resize(entries_.size() + room);
    } else {
      begin = free.back();
      free.pop_back();
    }
    std::copy_n(entries_.begin() + row.begin, row.size, entries_.begin() + begin);
    if (row.room > 0) free_[std::countr_zero(row.room)].push_back(row.begin);
    row.begin = begin;
    row.room = room;
  }

  LargeArray<T> entries_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // by the binary logarithm of their room
};

}  // namespace contend
