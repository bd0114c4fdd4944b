// Traffic: how busy each link is over time, who loses time there, and the slowest messages.
//
// Idea: time has a bounded number of bins, whose width doubles whenever it outgrows them. What a
// flow has moved is looked at when a bin ends and when the flow does, so that rates need not be
// followed.
// Cost: O(links on the way) per message, and for each bin the flows under way; memory
// O(links * bins + kept messages).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contend/replay.hpp"
#include "rates/lanes.hpp"
#include "replay/messages.hpp"

namespace contend {

class Traffic {
 public:
  Traffic(const ReplayNetwork& network, const RecordLimits& limits);

  bool is_on() const { return bins_ > 0; }
  std::int32_t port_out(std::int32_t host) const { return host; }
  std::int32_t port_in(std::int32_t host) const { return hosts_ + host; }
  std::int32_t link(std::int32_t number) const { return 2 * hosts_ + number; }

  // A flow whose rate is shared, over links as they are numbered here.
  void start(std::int32_t flow, double now, double work, std::span<const std::int32_t> links);
  void end(std::int32_t flow, double now);
  // The time goes on to `now`; no rate has changed since the event before.
  void pass(double now, const Lanes& lanes);

  // A message that has both ports for itself from `begin` to `end`.
  void carry(std::int32_t src_host, std::int32_t dst_host, double begin, double end);
  void lose(std::int32_t link, double seconds) { lost_[link] += std::max(seconds, 0.0); }

  // Of every message: where it enters the network, and when its receiver has it.
  void entered(std::int32_t number, double now);
  void ended(std::int32_t number, const Message& message);

  void give(Replayed& result);

 private:
  struct Pressure {  // of a link: the integral of the flows on it over time
    std::int64_t flows = 0;
    double sum = 0.0;
    double since = 0.0;
  };
  struct Moving {
    std::int32_t flow = none;
    double entered = 0.0;
    double work = 0.0;
    double left = 0.0;  // of the work, when it was looked at last
    std::vector<std::int32_t> links{};
    std::vector<double> sums{};  // of the pressure of each link, when it entered
  };
  struct Kept {
    double start, end;
    std::int32_t src, dst, size;
    double time() const { return end - start; }
  };

  void reach(double time);
  void add(std::vector<double>& bins, std::size_t row, double begin, double end);
  double pressed(std::int32_t link, double now) {
    Pressure& one = pressure_[link];
    one.sum += static_cast<double>(one.flows) * (now - one.since);
    one.since = now;
    return one.sum;
  }

  std::int32_t hosts_;
  std::size_t bins_;
  std::size_t kept_;
  std::vector<double> capacity_;  // (links,)
  double width_ = 0.0;
  std::size_t bin_ = 0;  // that flows have been looked at up to
  std::vector<double> flight_, load_, lost_;
  std::vector<Pressure> pressure_;
  std::vector<Moving> moving_;  // the first `count_` are flows under way
  std::size_t count_ = 0;
  std::vector<std::int32_t> place_;  // by flow, in `moving_`
  std::vector<double> entered_;      // by number of the message
  std::vector<Kept> slowest_;        // a heap whose first one is the fastest
};

}  // namespace contend
