// Numbers of flows; see flow_numbers.hpp.
#include "replay/flow_numbers.hpp"

#include "contend/error.hpp"

namespace contend {

FlowNumbers::FlowNumbers(const TraceOps& trace, const ProgramTable& programs,
                         const ReplayNetwork& network) {
  struct Seen {
    bool is_seen = false;
    bool operator==(const Seen&) const = default;
  };
  FlatMap<Seen> seen;  // programs, by their communicators
  const auto add_program = [&](std::int32_t program, std::int32_t comm) {
    bool& is_seen =
        seen[{static_cast<std::uint64_t>(program), static_cast<std::uint64_t>(comm)}].is_seen;
    if (is_seen) return;
    is_seen = true;
    const auto members = trace.members.subspan(static_cast<std::size_t>(trace.comm_offsets[comm]));
    const auto& view = programs.view();
    for (auto op = programs.begin(program); op < programs.end(program); ++op) {
      if (programs.kind(op) != OperationKind::send) continue;
      add(members[view.rank[op]], members[view.rank[view.partner[op]]], network);
    }
  };
  for (std::size_t rank = 0; rank + 1 < trace.first.size(); ++rank) {
    for (auto op = trace.first[rank]; op < trace.first[rank + 1]; ++op) {
      const auto kind = static_cast<TraceKind>(trace.kind[op]);
      if (kind == TraceKind::send || kind == TraceKind::sync_send) {
        add(static_cast<std::int64_t>(rank), trace.peer[op], network);
      } else if (kind >= TraceKind::collective) {
        add_program(trace.program[op], trace.comm[op]);
      }
    }
  }
}

void FlowNumbers::add(std::int64_t src, std::int64_t dst, const ReplayNetwork& network) {
  if (network.host[src] == network.host[dst]) return;
  std::int32_t& flow = number(src, dst).flow;
  if (flow != none) return;
  if (src_.size() == 0x7fffffff) {
    throw Error(
        "more than 2147483647 pairs of ranks exchange messages; replay a part of the ranks");
  }
  flow = static_cast<std::int32_t>(src_.size());
  src_.push_back(network.host[src]);
  dst_.push_back(network.host[dst]);
}

}  // namespace contend
