// Schedules whose messages share links: ScheduleOrder::queued; see contend/schedule.hpp.
//
// Idea: sends over links are taken in the order in which they begin (a heap). What follows from one
// of them, and is no send over a link itself, is worked off at once: nothing that becomes known
// later can begin before the send that was taken last, so that each link sees its messages in
// order.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "contend/error.hpp"
#include "contend/schedule.hpp"
#include "schedule/waiting.hpp"

namespace contend {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

struct Start {
  double time;
  std::int32_t send;
  bool operator>(const Start& other) const {
    return time > other.time || (time == other.time && send > other.send);
  }
};

void check_seconds(const char* name, std::span<const double> column, std::size_t count) {
  check_count(name, column.size(), count);
  if (std::all_of(column.begin(), column.end(), is_amount)) return;
  throw Error(std::string(name) + " must be finite and at least 0");
}

void check_indices(const char* name, std::span<const std::int64_t> column, std::size_t count) {
  check_count(name, column.size(), count);
  const auto is_index = [&](std::int64_t i) {
    return i >= -1 && i < static_cast<std::int64_t>(count);
  };
  if (std::all_of(column.begin(), column.end(), is_index)) return;
  throw Error(std::string(name) + " has to be -1 or below the number of operations, " +
              std::to_string(count));
}

}  // namespace

class ScheduleOrder::Queues {
 public:
  Queues(const ScheduleOrder& order, const MessageTimes& times, const SharedLinks& shared)
      : order_(order),
        gap_(times.gap),
        latency_(times.latency),
        shared_(shared),
        place_(order.size()),
        missing_(order.size()),
        offsets_(order.size() + 1),
        free_at_(order.size()),
        arrival_(order.size()),
        answered_(order.size()),
        found_(2 * order.size()) {
    find_followers();
  }

  std::vector<double> run() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (missing_[i] == 0) ready_.push_back(static_cast<std::int32_t>(i));
    }
    work_off();
    while (!starts_.empty()) {
      const Start next = starts_.top();
      starts_.pop();
      send(next);
      work_off();
    }
    return std::move(found_);
  }

 private:
  std::size_t row_of(std::size_t step) const {
    return step == 0 ? 0 : index(order_.steps_[step - 1].end);
  }

  // Calls `visit` with every operation that the one of a step requires.
  template <typename Visit>
  void each_required_by(std::size_t step, Visit visit) const {
    for (std::size_t at = row_of(step); at < index(order_.steps_[step].end); ++at) {
      visit(index(order_.required_[at]));
    }
  }

  // Calls `visit` with every pair of an operation and one that waits for it.
  template <typename Visit>
  void each_pair(Visit visit) const {
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const Step& step = order_.steps_[at];
      each_required_by(at, [&](std::size_t one) { visit(one, step.operation); });
      if (step.before != Waiting::none) visit(index(step.before), step.operation);
      if (step.kind == OperationKind::send) visit(index(step.operation), step.receive);
    }
  }

  void find_followers() {
    for (std::size_t at = 0; at < order_.size(); ++at) {
      place_[index(order_.steps_[at].operation)] = static_cast<std::int32_t>(at);
    }
    each_pair([&](std::size_t one, std::int32_t follower) {
      ++offsets_[one + 1];
      ++missing_[index(follower)];
    });
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    followers_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    each_pair([&](std::size_t one, std::int32_t follower) { followers_[next[one]++] = follower; });
  }

  void work_off() {
    while (!ready_.empty()) {
      const std::size_t operation = index(ready_.back());
      ready_.pop_back();
      begin(operation);
    }
  }

  // What it waits for is done.
  void begin(std::size_t operation) {
    const std::size_t at = index(place_[operation]);
    const Step& step = order_.steps_[at];
    double ready = 0.0;
    each_required_by(at, [&](std::size_t one) { ready = std::max(ready, found_[one]); });
    const double free = step.before == Waiting::none ? 0.0 : found_[index(step.before)];
    if (step.kind == OperationKind::send) {
      begin_send({std::max(ready, free), step.operation});
    } else if (step.kind == OperationKind::copy) {
      finish(operation, ready);
    } else {
      finish(operation, std::max(std::max(arrival_[operation], free) + gap_[operation], ready));
    }
  }

  void begin_send(Start start) {
    const std::int64_t awaited = shared_.awaited[index(start.send)];
    if (awaited >= 0) start.time = std::max(start.time, answered_[index(awaited)]);
    if (shared_.link[index(start.send)] < 0) {
      send(start);
    } else {
      starts_.push(start);
    }
  }

  void send(Start start) {
    const std::size_t operation = index(start.send);
    const double end = start.time + gap_[operation];
    double wait = 0.0;
    if (shared_.link[operation] >= 0) {
      double& free_at = free_at_[index(shared_.link[operation])];
      free_at = std::max(free_at, start.time) + shared_.service[operation];
      wait = std::max(free_at - end, 0.0);
    }
    const double latency = latency_[operation] + wait;
    arrival_[index(order_.steps_[index(place_[operation])].receive)] = start.time + latency;
    answered_[operation] = end + latency + shared_.answer[operation];
    found_[order_.size() + operation] = wait;
    finish(operation, end);
  }

  void finish(std::size_t operation, double time) {
    found_[operation] = time;
    for (std::size_t at = offsets_[operation]; at < offsets_[operation + 1]; ++at) {
      if (--missing_[index(followers_[at])] == 0) ready_.push_back(followers_[at]);
    }
  }

  const ScheduleOrder& order_;
  std::span<const double> gap_, latency_;
  const SharedLinks& shared_;
  std::vector<std::int32_t> place_;         // of an operation among the steps
  std::vector<std::int32_t> missing_;       // how much of what it waits for is not done yet
  std::vector<std::size_t> offsets_;        // the rows of `followers_`
  std::vector<std::int32_t> followers_;     // what waits for each operation
  std::vector<double> free_at_;             // when a link has carried what came so far
  std::vector<double> arrival_, answered_;  // of the first byte; when the sender knows of the last
  std::vector<double> found_;               // ends, then waits
  std::vector<std::int32_t> ready_;
  std::priority_queue<Start, std::vector<Start>, std::greater<>> starts_;
};

std::vector<double> ScheduleOrder::queued(const MessageTimes& times,
                                          const SharedLinks& shared) const {
  if (times.cases != 1) throw Error("got " + std::to_string(times.cases) + " cases; give one");
  check(times);
  check_indices("link", shared.link, size());
  check_seconds("service", shared.service, size());
  check_indices("awaited", shared.awaited, size());
  check_seconds("answer", shared.answer, size());
  return Queues(*this, times, shared).run();
}

}  // namespace contend
