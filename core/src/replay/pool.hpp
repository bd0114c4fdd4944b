// Records by number, whose numbers are used again.
#pragma once

#include <cstdint>
#include <vector>

namespace contend {

template <typename Record>
class Pool {
 public:
  std::int32_t take() {
    if (free_.empty()) {
      records_.emplace_back();
      return static_cast<std::int32_t>(records_.size()) - 1;
    }
    const std::int32_t number = free_.back();
    free_.pop_back();
    records_[number] = Record();
    return number;
  }
  void give_back(std::int32_t number) { free_.push_back(number); }
  std::int64_t in_use() const {
    return static_cast<std::int64_t>(records_.size()) - static_cast<std::int64_t>(free_.size());
  }
  Record& operator[](std::int32_t number) { return records_[number]; }
  const Record& operator[](std::int32_t number) const { return records_[number]; }

 private:
  std::vector<Record> records_;
  std::vector<std::int32_t> free_;
};

}  // namespace contend
