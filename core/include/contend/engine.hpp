// The engine: the end time of every flow of a dynamic contention graph.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 3.2 (equations 1 to 3), with any start times.
//
// Idea: between two changes of the set of flows every rate is constant, so the next event is the
// earliest of all starts and ends. The sharing model sets the rates that a change affects; what a
// flow has moved is read off its lane, so that an event costs what the model changes, not the
// number of flows. A flow enters the network `latency` after its start and leaves it with its last
// byte. A flow that requires others starts with the end of the last of them.
//
// With a tolerance above 0 events are merged: a flow may leave the network with up to `tolerance`
// of its bytes left, and enter it early by up to `tolerance` of the time that it would take alone,
// each within `tolerance` of the time since the first start. Its end is when those bytes would have
// come at its last rate. So rates over time are exactly those of flows that are smaller by at most
// `tolerance`, and begin earlier by at most that part of their times.
//
// Restrictions: events closer than tie_tolerance of the time since the first start are one event.
// Time and memory of a recorded solution grow with the number of changes of rate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contend/sharing.hpp"

namespace contend {

// Rounding sets apart ends that are equal on paper by some 1e-14 of the time.
inline constexpr double tie_tolerance = 1e-12;

// Beyond it ends are of no use.
inline constexpr double most_tolerance = 0.1;

// A stretch of time in which a flow moves at one rate; in order of `until`, then of flow.
struct Stretch {
  std::int32_t flow;
  double from;   // seconds
  double until;  // seconds
  double rate;   // bytes per second
};

// Every field is computed.
struct Solution {
  std::vector<double> end;         // (n_flows,) seconds
  std::vector<Stretch> stretches;  // empty unless asked for
  std::int64_t events;             // instants at which flows started or ended
};

// Throws Error, naming the first flow or link at fault, unless all is as the fields demand.
void validate(const Setting& setting, const SharingModel& model);

// Validates, then solves; `setting.parameters` are the model's.
Solution solve(const Setting& setting, const SharingModel& model, bool is_recorded = false,
               double tolerance = 0.0);

}  // namespace contend
