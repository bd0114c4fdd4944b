// Arrivals: when each flow enters the network; see arrivals.hpp.
#include "engine/arrivals.hpp"

#include <algorithm>
#include <string>

#include "contend/error.hpp"

namespace contend {

Arrivals::Arrivals(const Flows& flows) : flows_(flows) {
  if (!flows_.required_offsets.empty() || !flows_.behind_offsets.empty()) count_requirements();
  for (std::size_t f = 0; f < flows_.start.size(); ++f) {
    const auto flow = static_cast<std::int32_t>(f);
    if (missing_.empty() || missing_[f] == 0) order_.emplace_back(time(flow), flow);
  }
  if (!std::is_sorted(order_.begin(), order_.end())) std::sort(order_.begin(), order_.end());
}

// Calls each(other, waiter) for every end that a flow waits for; ~waiter where it goes behind.
template <typename Each>
void Arrivals::for_each_wait(Each each) const {
  const auto count = static_cast<std::int32_t>(flows_.start.size());
  for (std::int32_t f = 0; f < count && !flows_.required_offsets.empty(); ++f) {
    for (auto i = flows_.required_offsets[f]; i < flows_.required_offsets[f + 1]; ++i) {
      each(flows_.required[i], f);
    }
  }
  for (std::int32_t f = 0; f < count && !flows_.behind_offsets.empty(); ++f) {
    for (auto i = flows_.behind_offsets[f]; i < flows_.behind_offsets[f + 1]; ++i) {
      each(flows_.behind[i], ~f);
    }
  }
}

// Turns the lists of what each flow waits for into the lists of those that wait for it.
void Arrivals::count_requirements() {
  const std::size_t count = flows_.start.size();
  released_.assign(flows_.start.begin(), flows_.start.end());
  if (!flows_.behind_offsets.empty()) cleared_ = released_;
  missing_.assign(count, 0);
  waiters_offsets_.assign(count + 1, 0);
  for_each_wait([this](std::int32_t other, std::int32_t waiter) {
    ++waiters_offsets_[other + 1];
    ++missing_[waiter < 0 ? ~waiter : waiter];
  });
  for (std::size_t f = 0; f < count; ++f) waiters_offsets_[f + 1] += waiters_offsets_[f];
  waiters_.resize(static_cast<std::size_t>(waiters_offsets_.back()));
  std::vector<std::int64_t> place(waiters_offsets_.begin(), waiters_offsets_.end() - 1);
  for_each_wait(
      [&](std::int32_t other, std::int32_t waiter) { waiters_[place[other]++] = waiter; });
}

double Arrivals::next() const {
  const double free = next_free();
  return waiting_.empty() ? free : std::min(free, waiting_.top().first);
}

bool Arrivals::is_free_first() const {
  return taken_ < order_.size() && (waiting_.empty() || next_free() <= waiting_.top().first);
}

std::int32_t Arrivals::first() const {
  return is_free_first() ? order_[taken_].second : waiting_.top().second;
}

std::int32_t Arrivals::take() {
  if (is_free_first()) return order_[taken_++].second;
  const std::int32_t flow = waiting_.top().second;
  waiting_.pop();
  return flow;
}

void Arrivals::end(std::int32_t flow, double now) {
  if (waiters_.empty()) return;
  for (auto i = waiters_offsets_[flow]; i < waiters_offsets_[flow + 1]; ++i) {
    const bool is_behind = waiters_[i] < 0;
    const std::int32_t waiter = is_behind ? ~waiters_[i] : waiters_[i];
    double& earliest = (is_behind ? cleared_ : released_)[waiter];
    earliest = std::max(earliest, now);
    if (--missing_[waiter] == 0) waiting_.emplace(time(waiter), waiter);
  }
}

void Arrivals::check_all_came() const {
  const auto left = std::find_if(missing_.begin(), missing_.end(), [](auto n) { return n > 0; });
  if (left == missing_.end()) return;
  throw Error("flow " + std::to_string(left - missing_.begin()) +
              " never starts: it requires, perhaps through others, itself; remove the circle");
}

}  // namespace contend
