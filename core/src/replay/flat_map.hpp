// A hash table of numbers that never forgets a key in use: linear probing, one array.
//
// Source: Knuth, "The Art of Computer Programming" 3, section 6.4, algorithm L.
// Cost: O(1) per look-up; half of the places are free at least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace contend {

struct WideKey {
  std::uint64_t high;
  std::uint64_t low;
  bool operator==(const WideKey&) const = default;
};

template <typename Value>
class FlatMap {
 public:
  // The value of a key; a new one is Value().
  Value& operator[](WideKey key) {
    if (2 * (count_ + 1) > places_.size()) grow();
    Place& place = find(key);
    if (!place.is_used) {
      place = {key, Value(), true};
      ++count_;
    }
    return place.value;
  }

 private:
  struct Place {
    WideKey key;
    Value value;
    bool is_used = false;
  };

  static std::size_t hash(WideKey key) {
    std::uint64_t mixed = (key.high * 0x9E3779B97F4A7C15ULL) ^ (key.low * 0xC2B2AE3D27D4EB4FULL);
    mixed ^= mixed >> 32;
    mixed *= 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(mixed ^ (mixed >> 29));
  }

  Place& find(WideKey key) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = hash(key) & mask;
    while (places_[at].is_used && !(places_[at].key == key)) at = (at + 1) & mask;
    return places_[at];
  }

  // Keys whose value is as new are dropped on the way.
  void grow() {
    std::vector<Place> old = std::exchange(places_, {});
    std::size_t kept = 0;
    for (const Place& place : old) kept += place.is_used && !(place.value == Value());
    std::size_t size = 64;
    while (size < 4 * (kept + 1)) size *= 2;
    places_.resize(size);
    count_ = kept;
    for (const Place& place : old) {
      if (place.is_used && !(place.value == Value())) find(place.key) = place;
    }
  }

  std::vector<Place> places_;
  std::size_t count_ = 0;
};

}  // namespace contend
