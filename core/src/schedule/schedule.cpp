#include "contend/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "checks.hpp"
#include "contend/error.hpp"
#include "schedule/waiting.hpp"

namespace contend {
namespace {

// Operations and what they require are counted in 32 bits.
constexpr std::size_t most_entries = std::size_t{1} << 30;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::string operation(std::size_t i) { return "operation " + std::to_string(i) + ": "; }

void check_sizes(const Schedule& schedule) {
  const std::size_t count = schedule.kind.size();
  const std::size_t rows = schedule.required.size();
  if (std::max(count, rows) > most_entries) {
    throw Error("got " + std::to_string(count) + " operations that require " +
                std::to_string(rows) + "; give at most 2^30 of each");
  }
  check_count("rank", schedule.rank.size(), count);
  check_count("partner", schedule.partner.size(), count);
  check_count("offsets", schedule.offsets.size(), count + 1);
  const auto& offsets = schedule.offsets;
  if (offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(rows) ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    throw Error("offsets must ascend from 0 to the number of entries of required, " +
                std::to_string(rows));
  }
}

void check_entry(const char* role, std::int64_t entry, std::size_t i, std::size_t count) {
  if (entry >= 0 && static_cast<std::size_t>(entry) < count) return;
  throw Error(operation(i) + role + " is operation " + std::to_string(entry) + ", but with " +
              std::to_string(count) + " operations they are 0 to " + std::to_string(count - 1));
}

bool are_partners(const Schedule& schedule, std::size_t i, std::size_t partner) {
  const bool is_send = kind_of(schedule, i) == OperationKind::send;
  const std::size_t send = is_send ? i : partner;
  const std::size_t receive = is_send ? partner : i;
  return kind_of(schedule, send) == OperationKind::send && is_receive(kind_of(schedule, receive)) &&
         schedule.partner[partner] == static_cast<std::int64_t>(i);
}

void check_kind(const Schedule& schedule, std::size_t i) {
  if (schedule.kind[i] < 0 || kind_of(schedule, i) > OperationKind::copy) {
    throw Error(operation(i) + "its kind is " + std::to_string(schedule.kind[i]) +
                "; give 0 to 3 for send, receive, reduce and copy");
  }
}

void check_operation(const Schedule& schedule, std::size_t i) {
  if (i > 0 && schedule.rank[i] < schedule.rank[i - 1]) {
    throw Error(operation(i) + "its rank is below that of the one before; sort them by rank");
  }
  if (kind_of(schedule, i) == OperationKind::copy) return;
  check_entry("its partner", schedule.partner[i], i, schedule.kind.size());
  if (!are_partners(schedule, i, static_cast<std::size_t>(schedule.partner[i]))) {
    throw Error(operation(i) + "operation " + std::to_string(schedule.partner[i]) +
                " is not its partner in turn; pair each send with one receive");
  }
}

void check_schedule(const Schedule& schedule) {
  check_sizes(schedule);
  const std::size_t count = schedule.kind.size();
  for (std::size_t i = 0; i < count; ++i) check_kind(schedule, i);
  for (std::size_t i = 0; i < count; ++i) {
    check_operation(schedule, i);
    for (auto at = schedule.offsets[i]; at < schedule.offsets[i + 1]; ++at) {
      check_entry("what it requires", schedule.required[static_cast<std::size_t>(at)], i, count);
    }
  }
}

// `count` operations in each case.
void check_amounts(const char* name, std::span<const double> values, std::size_t count) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), is_amount);
  if (wrong == values.end()) return;
  throw Error(operation(static_cast<std::size_t>(wrong - values.begin()) % count) + "its " + name +
              " must be finite and at least 0, got " + text(*wrong));
}

}  // namespace

ScheduleOrder::ScheduleOrder(const Schedule& schedule) {
  check_schedule(schedule);
  Waiting waiting(schedule);
  const std::vector<std::int32_t> order = waiting.sorted();
  if (order.size() < schedule.kind.size()) {
    const std::size_t stuck = waiting.in_circle();
    throw Error("the schedule never ends: operation " + std::to_string(stuck) + " of rank " +
                std::to_string(schedule.rank[stuck]) +
                " waits for itself by way of others; break the circle of what operations require");
  }
  steps_.reserve(order.size());
  required_.reserve(schedule.required.size());
  for (const std::int32_t next : order) {
    each_required(schedule, index(next),
                  [&](std::size_t one) { required_.push_back(static_cast<std::int32_t>(one)); });
    steps_.push_back({next, waiting.before(index(next)),
                      static_cast<std::int32_t>(schedule.partner[index(next)]),
                      static_cast<std::int32_t>(required_.size()), kind_of(schedule, index(next))});
  }
}

std::vector<double> ScheduleOrder::finish_times(const MessageTimes& times) const {
  check(times);
  std::vector<double> done(times.cases * size());
  const std::span<double> all(done);
  for (std::size_t row = 0; row < done.size(); row += size()) {
    evaluate(&times.gap[row], &times.latency[row], all.subspan(row, size()));
  }
  return done;
}

std::vector<double> ScheduleOrder::ends(const MessageTimes& times) const {
  check(times);
  std::vector<double> found(times.cases);
  if (steps_.empty()) return found;
  std::vector<double> done(size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    evaluate(&times.gap[i * size()], &times.latency[i * size()], done);
    found[i] = *std::max_element(done.begin(), done.end());
  }
  return found;
}

void ScheduleOrder::check(const MessageTimes& times) const {
  check_count("gap", times.gap.size(), times.cases * size());
  check_count("latency", times.latency.size(), times.cases * size());
  check_amounts("gap", times.gap, size());
  check_amounts("latency", times.latency, size());
}

void ScheduleOrder::evaluate(const double* gap, const double* latency,
                             std::span<double> done) const {
  std::size_t at = 0;
  for (const Step& step : steps_) {
    double ready = 0.0;
    for (; at < index(step.end); ++at) ready = std::max(ready, done[index(required_[at])]);
    const double free = step.before == Waiting::none ? 0.0 : done[index(step.before)];
    double& end = done[index(step.operation)];
    if (step.kind == OperationKind::send) {
      const double start = std::max(ready, free);
      end = start + gap[step.operation];
      // When its first byte can come in, until the receive replaces that by its own end.
      done[index(step.receive)] = start + latency[step.operation];
    } else if (step.kind == OperationKind::copy) {
      end = ready;
    } else {
      end = std::max(std::max(end, free) + gap[step.operation], ready);
    }
  }
}

}  // namespace contend
