// Lanes: flows that move at one rate, ordered by how far the lane moves until each of them ends.
//
// Source: Parekh, Gallager, "A generalized processor sharing approach to flow control", 1993
// (virtual time): while all flows of a lane move at the same rate, their order of ending never
// changes.
//
// Idea: a lane counts the bytes that each of its flows has moved, `moved`; a flow that enters with
// b bytes left ends when the lane has moved to moved + b. A new rate costs O(log lanes), whatever
// the number of flows; a flow that enters or changes the lane costs O(log flows in the lane).
// The queue of next ends learns of an earlier end at once, and then takes it for a little earlier
// still; of a later one when the lane comes first.
//
// Tolerance: a flow may leave when no more than this part of its bytes is left, and would leave
// within this part of the time since the first start. The queue has the time from which on the
// first flow of a lane may leave; the next event is the first end that is due.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rates/heap.hpp"
#include "rates/large_pages.hpp"

namespace contend {

class Lanes {
 public:
  static constexpr std::int32_t none = -1;

  explicit Lanes(std::size_t flows) : lane_(flows, none), place_(flows, none), finish_(flows) {}

  // For the models.
  std::int32_t add(std::int32_t count);              // empty lanes; the number of the first one
  void place(std::int32_t flow, std::int32_t lane);  // with the bytes that the flow has left
  void set_rate(std::int32_t lane, double rate);     // bytes per second of each flow in the lane
  double rate(std::int32_t lane) const { return lanes_[lane].rate; }
  void prefetch(std::int32_t lane) const { __builtin_prefetch(&lanes_[lane]); }
  void prefetch_flow(std::int32_t flow) const {
    __builtin_prefetch(&lane_[flow]);
    __builtin_prefetch(&place_[flow]);
    __builtin_prefetch(&finish_[flow]);
  }
  std::int32_t size(std::int32_t lane) const {
    return static_cast<std::int32_t>(lanes_[lane].flows.size());
  }
  // Where the flow is, or was last: `none` before it is placed.
  std::int32_t lane(std::int32_t flow) const { return lane_[flow]; }
  // Flows that came to another lane since rates were settled last.
  const std::vector<std::int32_t>& placed() const { return placed_; }

  // For the engine.
  // A flow may enter again once it has ended.
  void enter(std::int32_t flow, double bytes) {
    finish_[flow] = bytes;
    lane_[flow] = none;
  }
  void advance(double now) { now_ = now; }
  // Before any flow is placed: `bytes` (n_flows,) outlive the lanes.
  void tolerate(double tolerance, std::span<const double> bytes);
  double next_end() const {
    return ends_.empty() ? never : tolerance_ > 0.0 ? first_due() : ends_.front().key;
  }
  // Bytes that a flow in a lane has left at a time, if no rate changes until then.
  double left(std::int32_t flow, double time) const {
    const Lane& lane = lanes_[lane_[flow]];
    return std::max(0.0, finish_[flow] - lane.moved - lane.rate * (time - lane.since));
  }
  void take_ended(double until, std::vector<std::int32_t>& ended);
  // How long a flow that was taken would have moved on in its lane; 0 without a tolerance.
  double time_left(std::int32_t flow) const;
  void settle();  // once all rates of the instant are set

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  // In a cache line: most that change have another rate, and the same flows.
  struct alignas(64) Lane {
    double rate = 0.0;
    double moved = 0.0;  // bytes, at time `since`
    double since = 0.0;
    double first = 0.0;              // the value of `moved` at which the first of the flows ends
    std::vector<HeapEntry> flows{};  // by the same of each
    // The time that the queue has, or a little later.
    float queued = std::numeric_limits<float>::infinity();
    bool is_touched = false;
  };

  void touch(std::int32_t lane);
  void push(Lane& lane, HeapEntry entry);
  void erase(Lane& lane, std::size_t position);
  double tolerated(std::int32_t flow) const {
    return tolerance_ > 0.0 ? tolerance_ * bytes_[flow] : 0.0;
  }
  // When the first flow of a lane has so many bytes left.
  double time_of(const Lane& lane, double bytes_left) const;
  double leave_of(const Lane& lane) const;
  void queue(std::int32_t lane, std::size_t place, double time);
  double first_due() const;

  double now_ = 0.0;
  double tolerance_ = 0.0;
  // The queue may have a lane by this part of its time earlier, so that rates that rise by less
  // leave it as it is; it learns the time when the lane comes first.
  double early_ = 0.05;
  std::span<const double> bytes_{};
  LargeArray<Lane> lanes_;
  std::vector<std::int32_t> touched_;  // lanes whose next end has to be found again
  std::vector<std::int32_t> placed_;
  LargeArray<std::int32_t> lane_;    // (n_flows,)
  std::vector<std::int32_t> place_;  // (n_flows,) position within the lane's heap
  LargeArray<double> finish_;        // (n_flows,) bytes, before the first lane, then as in `flows`
  std::vector<HeapEntry> ends_;      // every lane by a time not after that of its next end
  std::vector<std::int32_t> end_place_;
  mutable std::vector<std::size_t> visited_;
};

}  // namespace contend
