// When each operation of a schedule is done, without contention, for many sizes at once.
//
// Source: pLogP: Kielmann, Bal, Verstoep 2000; ports as in LogP: Culler et al. 1993. Order: Kahn,
// "Topological sorting of large networks", CACM 5(11), 1962.
//
// Idea: a rank has two ports, one that sends and one that receives, each of which takes its
// operations in the order of the table, one at a time. Who waits for whom does not depend on sizes,
// so the operations are put once into an order in which none waits for a later one; a case, which
// is a gap and a latency for every operation, is then one pass over that order.
//
// Cost: with S the start of a send and R the end of a receive of m bytes: a send is done at
// S + g(m), when the next one can start; R = max(S + L(m), R of the receive before) + g(m), and not
// before what it requires is done. Time and memory of the order, and of each case, grow with the
// number of operations and of what they require.
//
// Messages may also share links, each a queue, first come first served: Lindley, "The theory of
// queues with a single server", 1952. A message comes to its link at S and leaves it when the link
// has carried all that came before and itself, not before S + g(m); what that takes is added to
// L(m).
//
// Restrictions: copying and combining take no time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace contend {

enum class OperationKind : std::int8_t { send, receive, reduce, copy };

// A view of the table of operations; shapes (n_ops,) where no other is given.
struct Schedule {
  std::span<const std::int8_t> kind;       // of OperationKind
  std::span<const std::int64_t> rank;      // never falls
  std::span<const std::int64_t> partner;   // the receive of a send, the send of a receive
  std::span<const std::int64_t> offsets;   // (n_ops + 1,) of the rows of `required`
  std::span<const std::int64_t> required;  // (n_required,) operations that must be done before
};

// What messages take in each case, row by row: (cases, n_ops) seconds, finite, at least 0. The gap
// of a copy and the latency of what is no send do not matter.
struct MessageTimes {
  std::size_t cases;
  std::span<const double> gap;
  std::span<const double> latency;
};

// What a send does at a link that several share; (n_ops,), of other operations nothing matters.
struct SharedLinks {
  std::span<const std::int64_t> link;     // below n_ops; -1 for none
  std::span<const double> service;        // seconds that the link takes to carry it
  std::span<const std::int64_t> awaited;  // earlier send of its rank, answered before; -1 for none
  std::span<const double> answer;         // seconds from its arrival until its sender knows of it
};

// The operations of a schedule in an order in which none waits for a later one.
class ScheduleOrder {
 public:
  // Throws Error, naming an operation at fault, unless the schedule is as its fields demand, and
  // where operations wait for each other in a circle.
  explicit ScheduleOrder(const Schedule& schedule);

  std::size_t size() const { return steps_.size(); }

  // When each operation is done, seconds from the common start; (cases, n_ops).
  std::vector<double> finish_times(const MessageTimes& times) const;

  // When the last operation is done; (cases,), 0 where there is none.
  std::vector<double> ends(const MessageTimes& times) const;

  // When each operation is done in the one case, then how long each message waits at its link;
  // (2, n_ops).
  std::vector<double> queued(const MessageTimes& times, const SharedLinks& shared) const;

 private:
  class Queues;

  struct Step {
    std::int32_t operation;
    std::int32_t before;   // on the same port, -1 for the first
    std::int32_t receive;  // of a send
    std::int32_t end;  // of its row in `required_`, which begins where that of the step before ends
    OperationKind kind;
  };

  void check(const MessageTimes& times) const;
  void evaluate(const double* gap, const double* latency, std::span<double> done) const;

  std::vector<Step> steps_;
  std::vector<std::int32_t> required_;
};

}  // namespace contend
