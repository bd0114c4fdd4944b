// Phases that were seen before; see phases.hpp.
#include "replay/phases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace contend {
namespace {

template <typename T>
bool equal(std::span<const T> column, std::int64_t op, std::int64_t other, std::int64_t count) {
  const auto begin = column.begin() + op;
  return std::equal(begin, begin + count, column.begin() + other);
}

}  // namespace

double Standing::first_time() const { return *std::min_element(time.begin(), time.end()); }

const Phase* Phases::find(const Standing& now) {
  for (std::size_t i = 0; i < phases_.size(); ++i) {  // first the one that followed
    const std::size_t place = (last_ + 1 + i) % phases_.size();
    if (!begins(phases_[place], now)) continue;
    last_ = place;
    ++hits_;
    return &phases_[place];
  }
  is_given_up_ = ++misses_ > static_cast<std::int64_t>(most) + 8 * hits_;
  return nullptr;
}

void Phases::add(Phase phase) {
  if (phases_.size() < most) {
    phases_.push_back(std::move(phase));
    last_ = phases_.size() - 1;
  } else {
    last_ = oldest_;
    phases_[last_] = std::move(phase);
    oldest_ = (oldest_ + 1) % most;
  }
}

bool Phases::begins(const Phase& phase, const Standing& now) const {
  const double then = phase.before.first_time(), start = now.first_time();
  const double tolerance = 1e-12 * (phase.after.first_time() - then) + 2e-15 * (start + then);
  for (std::size_t rank = 0; rank < now.next.size(); ++rank) {
    const double apart = (now.time[rank] - start) - (phase.before.time[rank] - then);
    const std::int64_t count = phase.after.next[rank] - phase.before.next[rank];
    if (std::abs(apart) > tolerance || now.next[rank] + count > trace_.first[rank + 1] ||
        !is_same(now.next[rank], phase.before.next[rank], count)) {
      return false;
    }
  }
  return true;
}

bool Phases::is_same(std::int64_t op, std::int64_t other, std::int64_t count) const {
  const bool is_equal =
      equal(trace_.kind, op, other, count) && equal(trace_.seconds, op, other, count) &&
      equal(trace_.size, op, other, count) && equal(trace_.peer, op, other, count) &&
      equal(trace_.tag, op, other, count) && equal(trace_.call, op, other, count) &&
      equal(trace_.comm, op, other, count) && equal(trace_.request, op, other, count) &&
      equal(trace_.program, op, other, count);
  if (!is_equal) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    if (trace_.list[op + i] == trace_.list[other + i]) continue;
    const auto one = list(op + i), two = list(other + i);
    if (!std::equal(one.begin(), one.end(), two.begin(), two.end())) return false;
  }
  return true;
}

std::span<const std::int64_t> Phases::list(std::int64_t op) const {
  const std::int32_t number = trace_.list[op];
  if (number < 0) return {};
  const auto begin = static_cast<std::size_t>(trace_.list_offsets[number]);
  return trace_.list_values.subspan(
      begin, static_cast<std::size_t>(trace_.list_offsets[number + 1]) - begin);
}

}  // namespace contend
