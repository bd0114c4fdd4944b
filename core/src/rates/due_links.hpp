// Due links: a queue of links by their levels, to the precision of a float.
//
// Source: Johnson, "Priority queues with update and finding minimum spanning trees", 1975 (heaps of
// d children). A float of at least 0 is ordered as its bits are, so level and link are one whole
// number, and the least of four children is found without a branch.
// Cost: O(log n) per operation.
// Restrictions: levels closer than 1e-7 go by the number of the link.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace contend {

class DueLinks {
 public:
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  void push(double level, std::int32_t link) {
    std::size_t position = entries_.size();
    const std::uint64_t entry = bits(level) << 32 | static_cast<std::uint32_t>(link);
    entries_.push_back(entry);
    for (; position > 0 && entry < entries_[(position - 1) / 4]; position = (position - 1) / 4) {
      entries_[position] = entries_[(position - 1) / 4];
    }
    entries_[position] = entry;
  }
  std::int32_t first() const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(entries_.front()));
  }
  std::int32_t pop() {
    const std::int32_t link = first();
    const std::uint64_t last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return link;
  }
  // Whether another link comes before one of this level.
  bool is_before(double level) const {
    return !entries_.empty() && entries_.front() >> 32 < bits(level);
  }

 private:
  static std::uint64_t bits(double level) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::max(0.0, level)));
  }

  // From the front, which is free, down.
  void sink(std::uint64_t entry) {
    std::uint64_t* const entries = entries_.data();
    const std::size_t size = entries_.size();
    std::size_t position = 0;
    for (std::size_t child = 1; child < size; child = 4 * position + 1) {
      std::size_t least = child;
      if (child + 3 < size) {
        const std::size_t a = child + (entries[child + 1] < entries[child]);
        const std::size_t b = child + 2 + (entries[child + 3] < entries[child + 2]);
        least = entries[b] < entries[a] ? b : a;
      } else {
        for (std::size_t next = child + 1; next < size; ++next) {
          if (entries[next] < entries[least]) least = next;
        }
      }
      if (entries[least] >= entry) break;
      entries[position] = entries[least];
      position = least;
    }
    entries[position] = entry;
  }

  std::vector<std::uint64_t> entries_;
};

}  // namespace contend
