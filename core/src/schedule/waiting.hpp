// Who waits for whom in a schedule, and the order that follows from it; see contend/schedule.hpp.
//
// Idea: an operation waits for what it requires, for the operation before it on its port, and a
// receive for its send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contend/schedule.hpp"

namespace contend {

inline OperationKind kind_of(const Schedule& schedule, std::size_t i) {
  return static_cast<OperationKind>(schedule.kind[i]);
}

inline bool is_receive(OperationKind kind) {
  return kind == OperationKind::receive || kind == OperationKind::reduce;
}

// Calls `visit` with every operation that i requires.
template <typename Visit>
void each_required(const Schedule& schedule, std::size_t i, Visit visit) {
  for (auto at = schedule.offsets[i]; at < schedule.offsets[i + 1]; ++at) {
    visit(static_cast<std::size_t>(schedule.required[static_cast<std::size_t>(at)]));
  }
}

class Waiting {
 public:
  static constexpr std::int32_t none = -1;

  // The schedule is as its fields demand, and lives as long.
  explicit Waiting(const Schedule& schedule);

  // The operation before i on its port.
  std::int32_t before(std::size_t i) const { return before_[i]; }

  // All operations, each after what it waits for; fewer if some wait for each other.
  std::vector<std::int32_t> sorted();

  // The least operation of a circle, once `sorted` has left some out.
  std::size_t in_circle() const;

 private:
  void find_ports();
  void find_waiting();
  std::size_t awaited(std::size_t i) const;

  template <typename Visit>
  void each_waiting(std::size_t i, Visit visit) const;

  const Schedule& schedule_;
  std::vector<std::int32_t> before_;             // on the same port
  std::vector<std::int32_t> after_;              // on the same port
  std::vector<std::int32_t> missing_;            // how much of what it waits for is not sorted yet
  std::vector<std::int32_t> offsets_, waiting_;  // the rows of `required` the other way round
};

}  // namespace contend
