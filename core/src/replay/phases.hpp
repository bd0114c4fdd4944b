// Phases of a program that were seen before: what happens is looked up in place of replayed.
//
// Idea: at an instant at which all ranks can go on and nothing is under way, all that follows is
// decided by the times of the ranks, apart from a shift, and by their operations. Between two such
// instants lies a phase; where ranks stand as they did before one, and go on with the same
// operations, they end as they did.
// Cost: O(operations of a phase) to compare them, where it recurs as many at once as it has
// recurred, so that columns are read in long runs. Programs in which nothing recurs are given up.
// Restrictions: computation has to recur exactly, to the tolerance below.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contend/replay.hpp"

namespace contend {

// Where ranks stand, (ranks,): the next operation, and since when it could begin.
struct Standing {
  std::vector<std::int64_t> next;
  std::vector<double> time;

  double first_time() const;
};

struct Phase {
  Standing before, after;
  std::vector<double> call_time;  // (ranks * calls,) seconds within calls of each name
  std::int64_t messages;
  std::vector<std::int64_t> until{};  // (ranks,) from `before` on the phase recurs until there
};

class Phases {
 public:
  explicit Phases(const TraceOps& trace) : trace_(trace) {}

  bool is_given_up() const { return is_given_up_; }
  // The phase that begins as ranks stand now; nullptr: none was seen that does.
  const Phase* find(const Standing& now);
  void add(Phase phase);

 private:
  static constexpr std::size_t most = 64;

  bool begins(Phase& phase, const Standing& now) const;
  bool recurs(Phase& phase, std::size_t rank, std::int64_t op, std::int64_t count) const;
  std::int64_t alike(std::int64_t op, std::int64_t other, std::int64_t limit) const;
  std::span<const std::int64_t> list(std::int64_t op) const;

  const TraceOps& trace_;
  std::vector<Phase> phases_;
  std::size_t oldest_ = 0, last_ = 0;  // last: found or added
  std::int64_t misses_ = 0, hits_ = 0;
  bool is_given_up_ = false;
};

}  // namespace contend
