// A queue in one array that is used in circles: it takes no memory once it has been as long before.
#pragma once

#include <cstddef>
#include <vector>

namespace contend {

template <typename Record>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  Record& operator[](std::size_t place) { return records_[(first_ + place) & mask_]; }
  Record& front() { return records_[first_ & mask_]; }
  const Record& front() const { return records_[first_ & mask_]; }
  Record& back() { return (*this)[count_ - 1]; }
  void push(const Record& record) {
    if (count_ == records_.size()) grow();
    records_[(first_ + count_++) & mask_] = record;
  }
  void pop() {
    ++first_;
    if (--count_ == 0) first_ = 0;  // what is in the cache is used again
  }

 private:
  void grow() {
    std::vector<Record> wider(records_.empty() ? 8 : 2 * records_.size());
    for (std::size_t i = 0; i < count_; ++i) wider[i] = (*this)[i];
    records_.swap(wider);
    mask_ = records_.size() - 1;
    first_ = 0;
  }

  std::vector<Record> records_;  // a power of two of them, or none
  std::size_t first_ = 0, count_ = 0, mask_ = 0;
};

}  // namespace contend
