// A heap of keyed entries that knows where each one is, so that any of them can be taken out.
//
// Source: Johnson, "Priority queues with update and finding minimum spanning trees", 1975 (heaps of
// d children). Four children: a node's children share a cache line, and the tree is half as deep.
// Cost: O(log n) per operation; O(1) among equal keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace contend {

struct HeapEntry {
  double key;
  std::int32_t id;
};

// Orders: entries of equal keys stay where they are, or go by their ids.
struct ByKey {
  bool operator()(HeapEntry a, HeapEntry b) const { return a.key < b.key; }
};
struct ByKeyAndId {
  bool operator()(HeapEntry a, HeapEntry b) const {
    return a.key < b.key || (a.key == b.key && a.id < b.id);
  }
};

// `place[id]` is the position of id; several heaps may share it as long as an id is in one of them.
template <typename Before = ByKey>
class HeapView {
 public:
  HeapView(std::vector<HeapEntry>& entries, std::span<std::int32_t> place)
      : entries_(entries), place_(place) {}

  void push(HeapEntry entry) {
    entries_.push_back(entry);
    rise(entries_.size() - 1, entry);
  }

  void erase(std::size_t position) {
    const HeapEntry last = entries_.back();
    entries_.pop_back();
    if (position < entries_.size()) settle(position, last);
  }

  void rekey(std::size_t position, double key) { settle(position, {key, entries_[position].id}); }

 private:
  void put(std::size_t position, HeapEntry entry) {
    entries_[position] = entry;
    place_[entry.id] = static_cast<std::int32_t>(position);
  }

  void settle(std::size_t position, HeapEntry entry) {
    if (position > 0 && Before()(entry, entries_[(position - 1) / 4])) {
      rise(position, entry);
    } else {
      sink(position, entry);
    }
  }

  void rise(std::size_t position, HeapEntry entry) {
    const HeapEntry* entries = entries_.data();
    while (position > 0) {
      const std::size_t parent = (position - 1) / 4;
      if (!Before()(entry, entries[parent])) break;
      put(position, entries[parent]);
      position = parent;
    }
    put(position, entry);
  }

  void sink(std::size_t position, HeapEntry entry) {
    const HeapEntry* entries = entries_.data();
    const std::size_t size = entries_.size();
    for (std::size_t child = 4 * position + 1; child < size; child = 4 * position + 1) {
      std::size_t least = child;
      const std::size_t end = std::min(child + 4, size);
      for (std::size_t next = child + 1; next < end; ++next) {
        if (Before()(entries[next], entries[least])) least = next;
      }
      if (!Before()(entries[least], entry)) break;
      put(position, entries[least]);
      position = least;
    }
    put(position, entry);
  }

  std::vector<HeapEntry>& entries_;
  std::span<std::int32_t> place_;
};

}  // namespace contend
