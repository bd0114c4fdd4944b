// Numbers of flows: the messages from one rank to another are one flow of a sharing model, which
// starts again with each of them.
//
// Idea: they go one after the other, so a flow has at most one of them. What a model keeps of a
// flow then does not grow with the length of a trace, and stays in the cache.
// Cost: O(operations), those of a program once per communicator.
#pragma once

#include <cstdint>
#include <vector>

#include "contend/replay.hpp"
#include "replay/flat_map.hpp"
#include "replay/messages.hpp"
#include "replay/program_table.hpp"

namespace contend {

class FlowNumbers {
 public:
  FlowNumbers(const TraceOps& trace, const ProgramTable& programs, const ReplayNetwork& network);

  // Hosts of each flow, (n_flows,), never the same.
  const std::vector<std::int32_t>& src() const { return src_; }
  const std::vector<std::int32_t>& dst() const { return dst_; }
  // Of a message of the trace between two hosts.
  std::int32_t of(const Message& message) { return number(message.src, message.dst).flow; }

 private:
  struct Number {
    std::int32_t flow = none;
    bool operator==(const Number&) const = default;
  };

  Number& number(std::int64_t src, std::int64_t dst) {
    return numbers_[{0, static_cast<std::uint64_t>(src) << 32 | static_cast<std::uint64_t>(dst)}];
  }
  void add(std::int64_t src, std::int64_t dst, const ReplayNetwork& network);

  FlatMap<Number> numbers_;  // by ranks
  std::vector<std::int32_t> src_, dst_;
};

}  // namespace contend
