#include "arrivals.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace contend {
namespace {

// Calls `each(before, flow)` for every end that a flow waits for by these rows.
template <typename Each>
void for_each_wait(std::span<const std::int64_t> offsets, std::span<const std::int32_t> ends,
                   Each each) {
  for (std::size_t f = 0; f + 1 < offsets.size(); ++f) {
    for (std::int64_t i = offsets[f]; i < offsets[f + 1]; ++i) {
      each(ends[i], static_cast<std::int32_t>(f));
    }
  }
}

}  // namespace

Arrivals::Arrivals(const Flows& flows) : flows_(flows) {
  if (!flows.after_offsets.empty() || !flows.behind_offsets.empty()) link();
  order_.reserve(flows.start.size());
  for (std::int32_t f = 0; f < static_cast<std::int32_t>(flows.start.size()); ++f) {
    if (missing_.empty() || missing_[f] == 0) order_.push_back(f);
  }
  const auto is_earlier = [this](std::int32_t a, std::int32_t b) { return time(a) < time(b); };
  if (!std::is_sorted(order_.begin(), order_.end(), is_earlier)) {
    std::stable_sort(order_.begin(), order_.end(), is_earlier);
  }
}

void Arrivals::link() {
  const std::size_t count = flows_.start.size();
  missing_.assign(count, 0);
  rows_.assign(count + 1, 0);
  const auto count_wait = [this](std::int32_t before, std::int32_t flow) {
    ++missing_[flow];
    ++rows_[before + 1];
  };
  for_each_wait(flows_.after_offsets, flows_.after, count_wait);
  for_each_wait(flows_.behind_offsets, flows_.behind, count_wait);
  std::partial_sum(rows_.begin(), rows_.end(), rows_.begin());
  waiting_.resize(static_cast<std::size_t>(rows_.back()));
  std::vector<std::int64_t> place(rows_.begin(), rows_.end() - 1);
  for_each_wait(flows_.after_offsets, flows_.after,
                [&](std::int32_t before, std::int32_t flow) { waiting_[place[before]++] = flow; });
  for_each_wait(flows_.behind_offsets, flows_.behind,
                [&](std::int32_t before, std::int32_t flow) { waiting_[place[before]++] = ~flow; });
  time_.resize(count);
  for (std::int32_t f = 0; f < static_cast<std::int32_t>(count); ++f) {
    time_[f] = flows_.start[f] + latency(f);
  }
}

double Arrivals::time(std::int32_t flow) const {
  return time_.empty() ? flows_.start[flow] + latency(flow) : time_[flow];
}

double Arrivals::next() const {
  const double given =
      taken_ < order_.size() ? time(order_[taken_]) : std::numeric_limits<double>::infinity();
  return released_.empty() ? given : std::min(given, released_.top().time);
}

std::int32_t Arrivals::take() {
  if (!released_.empty() &&
      (taken_ == order_.size() || released_.top().time < time(order_[taken_]))) {
    const std::int32_t flow = released_.top().flow;
    released_.pop();
    return flow;
  }
  return order_[taken_++];
}

void Arrivals::end(std::int32_t flow, double when) {
  if (missing_.empty()) return;
  for (std::int64_t i = rows_[flow]; i < rows_[flow + 1]; ++i) {
    const bool is_behind = waiting_[i] < 0;
    const std::int32_t next = is_behind ? ~waiting_[i] : waiting_[i];
    time_[next] = std::max(time_[next], is_behind ? when : when + latency(next));
    if (--missing_[next] == 0) released_.push({time_[next], next});
  }
}

std::int32_t Arrivals::stuck() const {
  const auto found =
      std::find_if(missing_.begin(), missing_.end(), [](std::int32_t m) { return m > 0; });
  return found == missing_.end() ? -1 : static_cast<std::int32_t>(found - missing_.begin());
}

}  // namespace contend
