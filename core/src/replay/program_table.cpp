// Programs as they are run; see program_table.hpp.
#include "replay/program_table.hpp"

#include <algorithm>
#include <string>

#include "contend/error.hpp"

namespace contend {
namespace {

constexpr std::int32_t most_processors = 256;  // of a rank, as LogGOPSim numbers them by a byte

}  // namespace

ProgramTable::ProgramTable(const Programs& programs) : view_(programs) {
  check();
  check_processors();
  find_ranks();
  dependents_ = reversed(view_.offsets, view_.required);
  if (has_begun()) followers_ = reversed(view_.begun_offsets, view_.begun);
}

void ProgramTable::check() const {
  const auto ops = static_cast<std::int64_t>(view_.kind.size());
  for (std::int64_t op = 0; op < ops; ++op) {
    const auto is_there = [ops](std::int64_t one) { return one >= 0 && one < ops; };
    const bool is_message = kind(op) != OperationKind::copy;
    const auto required_ops = required(op);
    if ((is_message && !is_there(view_.partner[op])) ||
        !std::all_of(required_ops.begin(), required_ops.end(), is_there)) {
      throw Error("operation " + std::to_string(op) +
                  " of a program names one that is not there; number them over all programs");
    }
  }
}

void ProgramTable::check_processors() {
  const std::size_t ops = view_.kind.size();
  const auto is_row = [ops](std::int64_t one) {
    return one >= 0 && static_cast<std::size_t>(one) < ops;
  };
  const auto& offsets = view_.begun_offsets;
  if (has_begun() && (offsets.size() != ops + 1 || offsets.front() != 0 ||
                      offsets.back() != static_cast<std::int64_t>(view_.begun.size()) ||
                      !std::is_sorted(offsets.begin(), offsets.end()) ||
                      !std::all_of(view_.begun.begin(), view_.begun.end(), is_row))) {
    throw Error("begun is not cut into rows of operations; give one for each operation");
  }
  if (view_.cpu.empty()) return;
  const auto [least, most] = std::minmax_element(view_.cpu.begin(), view_.cpu.end());
  if (view_.cpu.size() != ops || *least < 0 || *most >= most_processors) {
    throw Error("cpu has to be below " + std::to_string(most_processors) +
                " for each operation; number processors from 0");
  }
  cpus_ = *most + 1;
}

void ProgramTable::find_ranks() {
  rank_table_.push_back(0);
  for (std::int32_t program = 0; program < count(); ++program) {
    std::int32_t ranks = 0;
    for (auto op = begin(program); op < end(program); ++op) {
      ranks = std::max(ranks, view_.rank[op] + 1);
    }
    auto op = begin(program);
    for (std::int32_t rank = 0; rank <= ranks; ++rank) {
      while (op < end(program) && view_.rank[op] < rank) ++op;
      rank_first_.push_back(op);
    }
    rank_table_.push_back(static_cast<std::int64_t>(rank_first_.size()));
  }
}

ProgramTable::Reversed ProgramTable::reversed(std::span<const std::int64_t> offsets,
                                              std::span<const std::int64_t> values) const {
  const std::size_t ops = view_.kind.size();
  Reversed rows{std::vector<std::int64_t>(ops + 1), std::vector<std::int64_t>(values.size())};
  for (const std::int64_t one : values) ++rows.offsets[one + 1];
  for (std::size_t op = 0; op < ops; ++op) rows.offsets[op + 1] += rows.offsets[op];
  std::vector<std::int64_t> place(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t op = 0; op < ops; ++op) {
    for (auto at = offsets[op]; at < offsets[op + 1]; ++at) {
      rows.values[place[values[at]]++] = static_cast<std::int64_t>(op);
    }
  }
  return rows;
}

}  // namespace contend
