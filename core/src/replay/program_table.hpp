// Programs as they are run: who waits for whom, and where each rank begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "contend/replay.hpp"
#include "contend/schedule.hpp"
#include "replay/messages.hpp"

namespace contend {

class ProgramTable {
 public:
  // The views outlive it. Throws Error unless the programs are as their fields demand.
  explicit ProgramTable(const Programs& programs);

  OperationKind kind(std::int64_t op) const { return static_cast<OperationKind>(view_.kind[op]); }
  // Whether programs keep processors busy.
  bool takes_processors() const {
    return std::any_of(view_.processor.begin(), view_.processor.end(), [](std::int8_t each) {
      return static_cast<Processor>(each) != Processor::untouched;
    });
  }
  const Programs& view() const { return view_; }
  std::int32_t count() const { return static_cast<std::int32_t>(view_.first.size()) - 1; }
  std::int64_t begin(std::int32_t program) const { return view_.first[program]; }
  std::int64_t end(std::int32_t program) const { return view_.first[program + 1]; }
  // Operations of a rank of the communicator.
  std::int64_t begin(std::int32_t program, std::int32_t rank) const {
    return rank_first_[static_cast<std::size_t>(rank_table_[program]) +
                       static_cast<std::size_t>(rank)];
  }
  std::int32_t ranks(std::int32_t program) const {
    return static_cast<std::int32_t>(rank_table_[program + 1] - rank_table_[program]) - 1;
  }
  std::span<const std::int64_t> required(std::int64_t op) const {
    return view_.required.subspan(
        static_cast<std::size_t>(view_.offsets[op]),
        static_cast<std::size_t>(view_.offsets[op + 1] - view_.offsets[op]));
  }
  std::span<const std::int64_t> dependents(std::int64_t op) const { return dependents_.of(op); }
  // What has to have begun before an operation, and what waits for it to begin.
  std::int32_t count_of_begun(std::int64_t op) const {
    return has_begun()
               ? static_cast<std::int32_t>(view_.begun_offsets[op + 1] - view_.begun_offsets[op])
               : 0;
  }
  std::span<const std::int64_t> followers(std::int64_t op) const {
    return has_begun() ? followers_.of(op) : std::span<const std::int64_t>{};
  }
  bool has_begun() const { return !view_.begun.empty(); }
  // Processors of a rank, and that of an operation.
  std::int32_t cpus() const { return cpus_; }
  std::int32_t cpu(std::int64_t op) const { return view_.cpu.empty() ? 0 : view_.cpu[op]; }

 private:
  // Rows the other way round.
  struct Reversed {
    std::vector<std::int64_t> offsets, values;
    std::span<const std::int64_t> of(std::int64_t op) const {
      return {values.data() + offsets[op], values.data() + offsets[op + 1]};
    }
  };

  void check() const;
  void check_processors();
  void find_ranks();
  Reversed reversed(std::span<const std::int64_t> offsets,
                    std::span<const std::int64_t> values) const;

  Programs view_;
  std::vector<std::int64_t> rank_table_;  // (n_programs + 1,) where its part of rank_first_ begins
  std::vector<std::int64_t> rank_first_;
  Reversed dependents_, followers_;
  std::int32_t cpus_ = 1;
};

}  // namespace contend
