// Arrivals: when each flow enters the network, and the flows in that order.
//
// Idea: flows that wait for no other are sorted once. A flow that requires others is counted down
// to the end of the last of them, and then waits in a heap for its start and latency. A flow that
// goes behind others is counted down likewise, but its latency runs meanwhile.
// Cost: O(n log n) in total, and O(1) per requirement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "contend/sharing.hpp"

namespace contend {

class Arrivals {
 public:
  explicit Arrivals(const Flows& flows);

  // For a flow that requires others: once it is next.
  double time(std::int32_t flow) const {
    const double start = released_.empty() ? flows_.start[flow] : released_[flow];
    const double entry = start + (flows_.latency.empty() ? 0.0 : flows_.latency[flow]);
    return cleared_.empty() ? entry : std::max(entry, cleared_[flow]);
  }
  bool is_done() const { return taken_ == order_.size() && waiting_.empty(); }
  double next() const;         // infinity if none is left, but for those that wait for another
  std::int32_t first() const;  // the one that take() takes
  std::int32_t take();
  // The flow that comes so many flows after the next one, as far as that is known; -1: none.
  std::int32_t ahead(std::size_t places) const {
    return taken_ + places < order_.size() ? order_[taken_ + places].second : -1;
  }
  void end(std::int32_t flow, double now);  // lets those start that required this one last
  void check_all_came() const;              // throws Error for flows that require each other

 private:
  using Entry = std::pair<double, std::int32_t>;  // time, flow

  void count_requirements();
  template <typename Each>
  void for_each_wait(Each each) const;
  bool is_free_first() const;
  double next_free() const {
    return taken_ == order_.size() ? std::numeric_limits<double>::infinity() : order_[taken_].first;
  }

  Flows flows_;
  std::vector<Entry> order_;  // flows that wait for no other
  std::size_t taken_ = 0;
  // The rest is empty where no flow requires another.
  std::vector<double> released_;               // (n_flows,) start, or later
  std::vector<double> cleared_;                // (n_flows,) when what it goes behind has ended
  std::vector<std::int32_t> missing_;          // (n_flows,) requirements that have not ended
  std::vector<std::int64_t> waiters_offsets_;  // (n_flows + 1,)
  std::vector<std::int32_t> waiters_;          // flows that require flow f; ~flow: that go behind
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting_;
};

}  // namespace contend
