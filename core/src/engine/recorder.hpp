// Recorder: the stretches in which each flow moved at one rate.
//
// Cost: O(flows in the network) per event, and nothing unless it is asked for.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "contend/engine.hpp"
#include "rates/lanes.hpp"

namespace contend {

class Recorder {
 public:
  explicit Recorder(bool is_on) : is_on_(is_on) {}

  void start(std::int32_t flow) {
    if (is_on_) open_[flow] = {flow, 0.0, 0.0, 0.0};
  }
  void end(std::int32_t flow, double now) {
    if (!is_on_) return;
    close(open_.at(flow), now);
    open_.erase(flow);
  }
  // After all rates of the instant are set.
  void note(double now, const Lanes& lanes) {
    for (auto& [flow, stretch] : open_) {
      const double rate = lanes.rate(lanes.lane(flow));
      // A rate that differs in the last digits is the same one, summed up in another order.
      if (std::abs(rate - stretch.rate) <= tie_tolerance * rate) continue;
      if (stretch.rate > 0.0) close(stretch, now);
      stretch = {flow, now, now, rate};
    }
  }
  std::vector<Stretch> take() { return std::move(closed_); }

 private:
  void close(Stretch stretch, double now) {
    stretch.until = now;
    closed_.push_back(stretch);
  }

  bool is_on_;
  std::map<std::int32_t, Stretch> open_;
  std::vector<Stretch> closed_;
};

}  // namespace contend
