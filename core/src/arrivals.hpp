// When flows enter the network: at the time given, or once others have ended.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "contend/sharing.hpp"

namespace contend {

// Hands out flows in order of the time at which they enter. Flows that wait for others come up when
// the last of these has been reported to have ended.
class Arrivals {
 public:
  explicit Arrivals(const Flows& flows);

  double next() const;  // infinity if none is known to come
  std::int32_t take();
  void end(std::int32_t flow, double when);  // releases those that waited for it
  // Its start and latency; later where it waited for others. Of a flow that has been taken.
  double time(std::int32_t flow) const;
  // A flow that was never taken, or -1.
  std::int32_t stuck() const;

 private:
  struct Later {
    double time;
    std::int32_t flow;
    bool operator<(const Later& other) const {  // the queue has its largest on top
      return std::pair(time, flow) > std::pair(other.time, other.flow);
    }
  };

  void link();
  double latency(std::int32_t flow) const {
    return flows_.latency.empty() ? 0.0 : flows_.latency[flow];
  }

  Flows flows_;
  std::vector<std::int32_t> order_;  // that wait for none
  std::size_t taken_ = 0;
  std::priority_queue<Later> released_;
  // Empty unless flows wait for others.
  std::vector<double> time_;           // earliest time of each flow, as far as it is known
  std::vector<std::int32_t> missing_;  // ends that it waits for
  std::vector<std::int64_t> rows_;     // (n_flows + 1,), of waiting_
  std::vector<std::int32_t> waiting_;  // the flows that start after each, ~flow: go behind it
};

}  // namespace contend
