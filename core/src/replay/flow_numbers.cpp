// Numbers of flows; see flow_numbers.hpp.
#include "replay/flow_numbers.hpp"

#include <utility>

#include "contend/error.hpp"

namespace contend {
namespace {

class Numbering {
 public:
  Numbering(const TraceOps& trace, const ProgramTable& programs, const ReplayNetwork& network)
      : trace_(trace), programs_(programs), network_(network) {}

  FlowNumbers number() {
    flows_.of_op.assign(trace_.kind.size(), none);
    std::vector<std::int32_t> open(trace_.first.size() - 1);
    for (std::size_t r = 0; r < open.size(); ++r) open[r] = static_cast<std::int32_t>(r);
    for (std::int64_t level = 0; !open.empty(); ++level) {
      std::erase_if(open,
                    [&](std::int32_t r) { return trace_.first[r] + level >= trace_.first[r + 1]; });
      for (const std::int32_t r : open) number(trace_.first[r] + level, r);
    }
    return std::move(flows_);
  }

 private:
  void number(std::int64_t op, std::int32_t rank) {
    const auto kind = static_cast<TraceKind>(trace_.kind[op]);
    if (kind == TraceKind::send || kind == TraceKind::sync_send) {
      flows_.of_op[op] = add(rank, trace_.peer[op]);
    } else if (kind >= TraceKind::collective) {
      number_instance(op, rank);
    }
  }

  void number_instance(std::int64_t op, std::int32_t rank) {
    const std::int32_t comm = trace_.comm[op];
    const std::int64_t sequence =
        sequences_[{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(comm)}]++;
    FirstFlow& first = flows_.of_instance[instance_key(comm, sequence)];
    if (first.flow != none) return;
    first.flow = static_cast<std::int32_t>(flows_.src.size());
    const auto members =
        trace_.members.subspan(static_cast<std::size_t>(trace_.comm_offsets[comm]));
    const auto& view = programs_.view();
    for (const std::int64_t send : programs_.send_order(trace_.program[op])) {
      add(members[view.rank[send]], members[view.rank[view.partner[send]]]);
    }
  }

  std::int32_t add(std::int64_t src, std::int64_t dst) {
    if (flows_.src.size() == 0x7fffffff) {
      throw Error("more than 2147483647 messages; replay a part of the trace");
    }
    flows_.src.push_back(network_.host[src]);
    flows_.dst.push_back(network_.host[dst]);
    return static_cast<std::int32_t>(flows_.src.size()) - 1;
  }

  const TraceOps& trace_;
  const ProgramTable& programs_;
  const ReplayNetwork& network_;
  FlatMap<std::int64_t> sequences_;  // by rank and communicator: operations so far
  FlowNumbers flows_;
};

}  // namespace

FlowNumbers number_flows(const TraceOps& trace, const ProgramTable& programs,
                         const ReplayNetwork& network) {
  return Numbering(trace, programs, network).number();
}

}  // namespace contend
