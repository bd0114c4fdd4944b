// Numbers of flows: each message of a trace is a flow of a sharing model.
//
// Idea: flows are numbered in the order in which ranks come to them, if all were equally fast:
// messages that are under way together then stand together in memory.
// Cost: O(operations), those of programs once per instance.
#pragma once

#include <cstdint>
#include <vector>

#include "contend/replay.hpp"
#include "replay/flat_map.hpp"
#include "replay/messages.hpp"
#include "replay/program_table.hpp"

namespace contend {

struct FirstFlow {
  std::int32_t flow = none;
  bool operator==(const FirstFlow&) const = default;
};

// An instance of a program: the operations that a communicator has had before.
inline WideKey instance_key(std::int32_t comm, std::int64_t sequence) {
  return {static_cast<std::uint64_t>(comm), static_cast<std::uint64_t>(sequence)};
}

struct FlowNumbers {
  std::vector<std::int32_t> of_op{};       // (n_ops,) of a send; empty: nothing is shared
  std::vector<std::int32_t> src{}, dst{};  // (n_flows,) hosts; the same where nothing is shared
  FlatMap<FirstFlow> of_instance{};        // of an instance; the others follow it
};

FlowNumbers number_flows(const TraceOps& trace, const ProgramTable& programs,
                         const ReplayNetwork& network);

}  // namespace contend
