// Lanes: flows that move at one rate; see lanes.hpp for the source.
#include "rates/lanes.hpp"

#include <algorithm>

namespace contend {

std::int32_t Lanes::add(std::int32_t count) {
  const auto first = static_cast<std::int32_t>(lanes_.size());
  lanes_.resize(lanes_.size() + static_cast<std::size_t>(count));
  end_place_.resize(lanes_.size());
  for (std::int32_t lane = first; lane < first + count; ++lane) {
    HeapView<>(ends_, end_place_).push({never, lane});
  }
  return first;
}

// Brings `moved` up to now, before the rate or the flows change.
void Lanes::touch(std::int32_t number) {
  Lane& lane = lanes_[number];
  lane.moved = lane.flows.empty() ? 0.0 : lane.moved + lane.rate * (now_ - lane.since);
  lane.since = now_;
  if (!lane.is_touched) touched_.push_back(number);
  lane.is_touched = true;
}

void Lanes::place(std::int32_t flow, std::int32_t number) {
  double left = finish_[flow];
  if (const std::int32_t old = lane_[flow]; old != none) {
    if (old == number) return;
    touch(old);
    left = std::max(0.0, left - lanes_[old].moved);
    heap(lanes_[old]).erase(static_cast<std::size_t>(place_[flow]));
  }
  touch(number);
  placed_.push_back(flow);
  lane_[flow] = number;
  finish_[flow] = lanes_[number].moved + left;
  heap(lanes_[number]).push({finish_[flow], flow});
}

void Lanes::set_rate(std::int32_t number, double rate) {
  if (lanes_[number].rate == rate) return;
  touch(number);
  lanes_[number].rate = rate;
}

void Lanes::take_ended(double until, std::vector<std::int32_t>& ended) {
  while (next_end() <= until) {
    const std::int32_t number = ends_.front().id;
    touch(number);
    Lane& lane = lanes_[number];
    // The first one ends by definition, whatever rounding has made of `moved`.
    const double limit = std::max(lane.flows.front().key, lane.moved + lane.rate * (until - now_));
    while (!lane.flows.empty() && lane.flows.front().key <= limit) {
      ended.push_back(lane.flows.front().id);
      heap(lane).erase(0);
    }
    HeapView<>(ends_, end_place_).rekey(0, end_of(lane));
  }
}

double Lanes::end_of(const Lane& lane) const {
  if (lane.flows.empty()) return never;
  const double left = std::max(0.0, lane.flows.front().key - lane.moved);
  return lane.since + left / lane.rate;
}

void Lanes::settle() {
  for (const std::int32_t number : touched_) {
    lanes_[number].is_touched = false;
    HeapView<>(ends_, end_place_)
        .rekey(static_cast<std::size_t>(end_place_[number]), end_of(lanes_[number]));
  }
  touched_.clear();
  placed_.clear();
}

}  // namespace contend
