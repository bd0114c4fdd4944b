// Replay: arguments checked, flows numbered, and all run; see contend/replay.hpp.
#include "contend/replay.hpp"

#include <memory>
#include <string>
#include <utility>

#include "contend/error.hpp"
#include "replay/flow_numbers.hpp"
#include "replay/path.hpp"
#include "replay/program_table.hpp"
#include "replay/ranks.hpp"
#include "replay/traffic.hpp"
#include "replay/transport.hpp"

namespace contend {
namespace {

bool is_collective(std::int8_t kind) {
  return kind >= static_cast<std::int8_t>(TraceKind::collective);
}

bool is_send(std::int8_t kind) {
  return kind == static_cast<std::int8_t>(TraceKind::send) ||
         kind == static_cast<std::int8_t>(TraceKind::sync_send);
}

void check(const TraceOps& trace, std::int32_t calls, const Programs& programs,
           const SizeTimes& sizes, const ReplayNetwork& network) {
  const std::size_t ops = trace.kind.size(), ranks = trace.first.size() - 1;
  if (trace.first.size() < 2 || network.host.size() != ranks) {
    throw Error("the ranks of a trace and their hosts differ in number; give one host per rank");
  }
  const auto wrong = [](const std::string& what) {
    return Error(what + "; give a trace that contend.programs.traces has checked");
  };
  for (const std::size_t size : {trace.call.size(), trace.peer.size(), trace.tag.size(),
                                 trace.size.size(), trace.comm.size(), trace.request.size(),
                                 trace.list.size(), trace.seconds.size(), trace.program.size()}) {
    if (size != ops) throw wrong("columns of a trace differ in length");
  }
  const auto is_below = [](auto value, std::size_t limit) {
    return value >= 0 && static_cast<std::size_t>(value) < limit;
  };
  for (std::size_t op = 0; op < ops; ++op) {
    const std::int8_t kind = trace.kind[op];
    const bool is_right =
        is_below(trace.call[op], static_cast<std::size_t>(calls)) &&
        is_below(trace.size[op], sizes.work.size()) &&
        is_below(trace.comm[op], trace.comm_offsets.size() - 1) &&
        (!is_send(kind) || is_below(trace.peer[op], ranks)) &&
        (!is_collective(kind) || is_below(trace.program[op], programs.first.size() - 1)) &&
        (trace.list[op] < 0 || is_below(trace.list[op] + 1, trace.list_offsets.size()));
    if (!is_right) throw wrong("operation " + std::to_string(op) + " names what is not there");
  }
  for (const std::int32_t host : network.host) {
    if (host < 0 || host >= network.hosts) {
      throw Error("a rank is on host " + std::to_string(host) + " of " +
                  std::to_string(network.hosts) + "; number hosts from 0");
    }
  }
}

}  // namespace

Replayed replay(const TraceOps& trace, std::int32_t calls, const Programs& programs,
                const SizeTimes& sizes, const ReplayNetwork& network, bool is_recorded,
                const RecordLimits& limits) {
  check(trace, calls, programs, sizes, network);
  const ProgramTable table(programs);
  Traffic traffic(network, limits);
  Path path(sizes, network, limits.has_path);
  std::unique_ptr<Carrier> carrier;
  if (network.carriage == Carriage::shared) {
    carrier = make_shared(sizes, network, FlowNumbers(trace, table, network), traffic, path);
  } else if (network.carriage == Carriage::tcp) {
    carrier = make_tcp(sizes, network);
  } else if (network.carriage == Carriage::ports) {
    carrier = make_ports(sizes, network, path);
  } else {
    carrier = make_alone(sizes);
  }
  Transport transport(sizes, network, std::move(carrier), traffic);
  Ranks ranks(trace, calls, table, network, transport, is_recorded, path);
  transport.run(ranks);
  Replayed result = ranks.result();
  traffic.give(result);
  return result;
}

}  // namespace contend
