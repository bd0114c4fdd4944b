// The engine: starts and ends of flows in order of time; see engine.hpp for the source.
#include "contend/engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "checks.hpp"
#include "contend/error.hpp"
#include "engine/alone.hpp"
#include "engine/arrivals.hpp"
#include "engine/recorder.hpp"
#include "rates/between_switches.hpp"
#include "rates/lanes.hpp"

namespace contend {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double last = std::numeric_limits<double>::max();

// Times within are counted from the first arrival, so that they keep their digits.
class Run {
 public:
  Run(const Setting& setting, const SharingModel& model, bool is_recorded, double tolerance)
      : setting_(setting),
        tolerance_(tolerance),
        arrivals_(setting.flows),
        origin_(arrivals_.is_done() ? 0.0 : arrivals_.next()),
        lanes_(setting.flows.start.size()),
        sharing_(make_sharing(setting, model, lanes_)),
        recorder_(is_recorded),
        solution_{std::vector<double>(setting.flows.start.size()), {}, 0} {
    if (tolerance > 0.0) {
      lanes_.tolerate(tolerance, setting.flows.bytes);
      alone_.emplace(setting, model);
    }
  }

  Solution solve() {
    for (double now = next(); now < never; now = next()) {
      lanes_.advance(now);
      const double until = std::min(now + tie_tolerance * now, last);
      end_flows(now, until);
      start_flows(until);
      sharing_->share();
      lanes_.settle();
      recorder_.note(origin_ + now, lanes_);
      ++solution_.events;
    }
    if (in_network_ > 0) {
      throw Error(std::to_string(in_network_) +
                  " flows never end; give a bandwidth that moves their bytes in finite time");
    }
    arrivals_.check_all_came();
    if (!arrivals_.is_done()) throw too_late(arrivals_.take());
    solution_.stretches = recorder_.take();
    return std::move(solution_);
  }

 private:
  double next() const { return std::min(arrivals_.next() - origin_, lanes_.next_end()); }

  void end_flows(double now, double until) {
    ended_.clear();
    lanes_.take_ended(until, ended_);
    for (const std::int32_t flow : ended_) {
      // Of two times that differ by rounding only, a flow never ends before it begins.
      note_end(flow, std::max(origin_ + now + lanes_.time_left(flow), arrivals_.time(flow)));
      sharing_->end(flow);
      recorder_.end(flow, solution_.end[flow]);
      --in_network_;
    }
  }

  void start_flows(double until) {
    while (!arrivals_.is_done() && is_here(until)) {
      const std::int32_t flow = arrivals_.take();
      look_ahead();
      const double bytes = setting_.flows.bytes[flow];
      if (bytes > 0.0) {
        lanes_.enter(flow, bytes);
        sharing_->start(flow);
        recorder_.start(flow);
        ++in_network_;
      } else {
        note_end(flow, arrivals_.time(flow));
      }
    }
  }

  // Flows that come one after the other may be far from each other in memory.
  void look_ahead() {
    if (const std::int32_t later = arrivals_.ahead(4); later >= 0) {
      __builtin_prefetch(&setting_.flows.bytes[later]);
      __builtin_prefetch(&setting_.flows.start[later]);
      sharing_->expect(later, false);
    }
    if (const std::int32_t next = arrivals_.ahead(1); next >= 0) sharing_->expect(next, true);
  }

  // Whether the next flow has come, or comes so soon that the tolerance lets it in.
  bool is_here(double until) const {
    const double early = arrivals_.next() - origin_ - until;
    if (early <= 0.0 || !alone_) return early <= 0.0;
    return early <= tolerance_ * std::min(until, alone_->seconds(arrivals_.first()));
  }

  void note_end(std::int32_t flow, double end) {
    if (!std::isfinite(end - setting_.flows.start[flow])) throw too_late(flow);
    solution_.end[flow] = end;
    arrivals_.end(flow, end);
  }

  static Error too_late(std::int32_t flow) {
    return Error("flow " + std::to_string(flow) +
                 " would take until an infinite time; give starts, latencies and sizes whose sums "
                 "are finite");
  }

  const Setting& setting_;
  double tolerance_;
  std::optional<Alone> alone_;
  Arrivals arrivals_;
  double origin_;
  Lanes lanes_;
  std::unique_ptr<Sharing> sharing_;
  Recorder recorder_;
  Solution solution_;
  std::vector<std::int32_t> ended_;
  std::int64_t in_network_ = 0;
};

}  // namespace

Solution solve(const Setting& setting, const SharingModel& model, bool is_recorded,
               double tolerance) {
  validate(setting, model);
  if (!(tolerance >= 0.0 && tolerance <= most_tolerance)) {
    throw Error("tolerance must be from 0 to " + text(most_tolerance) + ", got " + text(tolerance));
  }
  return Run(setting, model, is_recorded, tolerance).solve();
}

}  // namespace contend
