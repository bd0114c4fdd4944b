// Phases that were seen before; see phases.hpp.
#include "replay/phases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace contend {

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
  phase.until = phase.after.next;
  if (phases_.size() < most) {
    phases_.push_back(std::move(phase));
    last_ = phases_.size() - 1;
  } else {
    last_ = oldest_;
    phases_[last_] = std::move(phase);
    oldest_ = (oldest_ + 1) % most;
  }
}

bool Phases::begins(Phase& phase, const Standing& now) const {
  const double then = phase.before.first_time(), start = now.first_time();
  const double tolerance = 1e-12 * (phase.after.first_time() - then) + 2e-15 * (start + then);
  for (std::size_t rank = 0; rank < now.next.size(); ++rank) {
    const double apart = (now.time[rank] - start) - (phase.before.time[rank] - then);
    const std::int64_t count = phase.after.next[rank] - phase.before.next[rank];
    if (std::abs(apart) > tolerance || now.next[rank] + count > trace_.first[rank + 1] ||
        !recurs(phase, rank, now.next[rank], count)) {
      return false;
    }
  }
  return true;
}

// Whether the `count` operations of a rank from `op` on are those of the phase.
bool Phases::recurs(Phase& phase, std::size_t rank, std::int64_t op, std::int64_t count) const {
  if (count == 0) return true;
  const std::int64_t begin = phase.before.next[rank];
  std::int64_t& until = phase.until[rank];
  if (op == until) {
    const std::int64_t limit = std::min(until - begin, trace_.first[rank + 1] - until);
    until += alike(until, begin, limit) / count * count;
    return op < until;
  }
  if (begin <= op && op < until && (op - begin) % count == 0) return true;
  return alike(op, begin, count) == count;
}

// How many operations from two places on are the same, of so many at most.
std::int64_t Phases::alike(std::int64_t op, std::int64_t other, std::int64_t limit) const {
  const auto compare = [&](const auto& column) {
    const auto begin = column.begin() + op;
    limit = std::mismatch(begin, begin + limit, column.begin() + other).first - begin;
  };
  compare(trace_.kind);
  compare(trace_.seconds);
  compare(trace_.size);
  compare(trace_.peer);
  compare(trace_.tag);
  compare(trace_.call);
  compare(trace_.comm);
  compare(trace_.request);
  compare(trace_.program);
  for (std::int64_t i = 0; i < limit; ++i) {
    if (trace_.list[op + i] == trace_.list[other + i]) continue;
    const auto one = list(op + i), two = list(other + i);
    if (!std::equal(one.begin(), one.end(), two.begin(), two.end())) return i;
  }
  return limit;
}

std::span<const std::int64_t> Phases::list(std::int64_t op) const {
  const std::int32_t number = trace_.list[op];
  if (number < 0) return {};
  const auto begin = static_cast<std::size_t>(trace_.list_offsets[number]);
  return trace_.list_values.subspan(
      begin, static_cast<std::size_t>(trace_.list_offsets[number + 1]) - begin);
}

}  // namespace contend
