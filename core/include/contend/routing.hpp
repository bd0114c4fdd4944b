// Adaptive routing: each flow takes the least loaded of its candidate paths when it starts.
//
// Source: Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA
// 2008 (UGAL-G: queue times hops).
//
// Idea: a link is a queue that passes on its capacity while it has bytes. All that is known of it
// is when it would be empty, so one number a link is enough, and a flow that starts asks its
// candidates for the longest time until one of their links is empty.
//
// Cost: O(links of the candidates) a flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace contend {

// Flows in order of start. Row f of `links` has `candidates` paths of the same number of places; a
// place without a link is below 0, and a path without links is no candidate.
struct Candidates {
  std::span<const double> start;        // (n_flows,) seconds, ascending
  std::span<const double> bytes;        // (n_flows,)
  std::span<const std::int32_t> links;  // (n_flows * candidates * places,)
  std::size_t candidates;               // at least 1
};

// The number of the candidate that each flow takes. `seconds` has the seconds per byte of each
// link, 0 for one that never counts; `empty_at` is when each would be empty, and is brought up to
// date. Throws Error, naming the first flow at fault.
std::vector<std::int32_t> least_loaded(const Candidates& flows, std::span<const double> seconds,
                                       std::span<double> empty_at);

}  // namespace contend
