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

void Lanes::push(Lane& lane, HeapEntry entry) {
  HeapView<>(lane.flows, place_).push(entry);
  lane.first = lane.flows.front().key;
}

void Lanes::erase(Lane& lane, std::size_t position) {
  HeapView<>(lane.flows, place_).erase(position);
  if (!lane.flows.empty()) lane.first = lane.flows.front().key;
}

void Lanes::place(std::int32_t flow, std::int32_t number) {
  double left = finish_[flow];
  if (const std::int32_t old = lane_[flow]; old != none) {
    if (old == number) return;
    touch(old);
    left = std::max(0.0, left - lanes_[old].moved);
    erase(lanes_[old], static_cast<std::size_t>(place_[flow]));
  }
  touch(number);
  placed_.push_back(flow);
  lane_[flow] = number;
  finish_[flow] = lanes_[number].moved + left;
  push(lanes_[number], {finish_[flow], flow});
}

void Lanes::set_rate(std::int32_t number, double rate) {
  if (lanes_[number].rate == rate) return;
  touch(number);
  lanes_[number].rate = rate;
}

void Lanes::tolerate(double tolerance, std::span<const double> bytes) {
  tolerance_ = tolerance;
  bytes_ = bytes;
  early_ = 0.0;
}

void Lanes::take_ended(double until, std::vector<std::int32_t>& ended) {
  while (!ends_.empty() && ends_.front().key <= until) {
    const std::int32_t number = ends_.front().id;
    Lane& lane = lanes_[number];
    if (const double leave = leave_of(lane); leave > until) {
      queue(number, 0, leave);
      continue;
    }
    touch(number);
    // The first one ends by definition, whatever rounding has made of `moved`.
    const double moved = lane.moved + lane.rate * (until - now_);
    const double soon = tolerance_ * until * lane.rate;
    const auto early = [&](const HeapEntry& entry) {
      return entry.key - std::min(tolerated(entry.id), soon);
    };
    const double limit = std::max(early(lane.flows.front()), moved);
    while (!lane.flows.empty() && early(lane.flows.front()) <= limit) {
      ended.push_back(lane.flows.front().id);
      erase(lane, 0);
    }
    queue(number, 0, leave_of(lane));
  }
}

double Lanes::time_left(std::int32_t flow) const {
  if (tolerance_ <= 0.0) return 0.0;
  const Lane& lane = lanes_[lane_[flow]];
  return std::max(0.0, finish_[flow] - lane.moved) / lane.rate;
}

double Lanes::time_of(const Lane& lane, double bytes_left) const {
  if (lane.flows.empty()) return never;
  const double left = std::max(0.0, lane.first - bytes_left - lane.moved);
  return lane.since + left / lane.rate;
}

double Lanes::leave_of(const Lane& lane) const {
  if (tolerance_ <= 0.0) return time_of(lane, 0.0);
  if (lane.flows.empty()) return never;
  // Not before the time left is that part of the time since the first start as well.
  return std::max(time_of(lane, tolerated(lane.flows.front().id)),
                  time_of(lane, 0.0) / (1.0 + tolerance_));
}

// The entries that are before the end found so far hang together, from the front on.
double Lanes::first_due() const {
  double first = never;
  visited_.assign(1, 0);
  while (!visited_.empty()) {
    const std::size_t position = visited_.back();
    visited_.pop_back();
    if (ends_[position].key >= first) continue;
    first = std::min(first, time_of(lanes_[ends_[position].id], 0.0));
    const std::size_t child = 4 * position + 1;
    for (std::size_t next = child; next < std::min(child + 4, ends_.size()); ++next) {
      visited_.push_back(next);
    }
  }
  return first;
}

void Lanes::queue(std::int32_t number, std::size_t place, double time) {
  constexpr float later = 1.0F + 1e-6F;
  HeapView<>(ends_, end_place_).rekey(place, time);
  lanes_[number].queued = later * static_cast<float>(time) + std::numeric_limits<float>::min();
}

void Lanes::settle() {
  for (const std::int32_t number : touched_) {
    Lane& lane = lanes_[number];
    lane.is_touched = false;
    const double leave = leave_of(lane);
    if (leave >= lane.queued) continue;
    const auto place = static_cast<std::size_t>(end_place_[number]);
    if (leave < ends_[place].key) queue(number, place, leave - early_ * (leave - now_));
  }
  touched_.clear();
  placed_.clear();
  while (!ends_.empty()) {
    const double leave = leave_of(lanes_[ends_.front().id]);
    if (leave <= ends_.front().key) break;
    queue(ends_.front().id, 0, leave);
  }
}

}  // namespace contend
