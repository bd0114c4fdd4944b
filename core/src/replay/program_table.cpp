// Programs as they are run; see program_table.hpp.
#include "replay/program_table.hpp"

#include <algorithm>
#include <string>

#include "contend/error.hpp"

namespace contend {

ProgramTable::ProgramTable(const Programs& programs) : view_(programs) {
  check();
  find_ranks();
  find_dependents();
  order_sends();
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

void ProgramTable::find_dependents() {
  const std::size_t ops = view_.kind.size();
  dependent_offsets_.assign(ops + 1, 0);
  for (const std::int64_t one : view_.required) ++dependent_offsets_[one + 1];
  for (std::size_t op = 0; op < ops; ++op) dependent_offsets_[op + 1] += dependent_offsets_[op];
  dependents_.resize(view_.required.size());
  std::vector<std::int64_t> place(dependent_offsets_.begin(), dependent_offsets_.end() - 1);
  for (std::size_t op = 0; op < ops; ++op) {
    for (const std::int64_t one : required(static_cast<std::int64_t>(op))) {
      dependents_[place[one]++] = static_cast<std::int64_t>(op);
    }
  }
}

void ProgramTable::order_sends() {
  place_.assign(view_.kind.size(), none);
  send_order_.resize(static_cast<std::size_t>(count()));
  for (std::int32_t program = 0; program < count(); ++program) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sends;  // how many of its rank before; it
    std::int64_t before = 0;
    for (auto op = begin(program); op < end(program); ++op) {
      if (op > begin(program) && view_.rank[op] != view_.rank[op - 1]) before = 0;
      if (kind(op) == OperationKind::send) sends.emplace_back(before++, op);
    }
    std::stable_sort(sends.begin(), sends.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [number, op] : sends) {
      place_[op] = static_cast<std::int32_t>(send_order_[program].size());
      send_order_[program].push_back(op);
    }
    sends_.push_back(static_cast<std::int32_t>(sends.size()));
  }
}

}  // namespace contend
