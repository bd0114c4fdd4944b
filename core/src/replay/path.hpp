// The critical path of a replay: what its time is made of, and so its derivatives.
//
// Source: the derivative of a max-plus program is its critical path, as LLAMP has of the dual of a
// linear program (Shen et al., SC 2024); reverse accumulation (Griewank, Walther 2008).
//
// Idea: each time of a replay is a place: the place before it and one part after that, a latency
// for example; of two times the later one counts. Only the end of a flow whose rate others change
// has several before it: with rates r0, r1, ... rk from its start t0 and from changes t1, ... tk
// on, it moves by r0/rk of what t0 moves by, and by (ri - ri-1)/rk of what ti does. What each place
// is worth then follows backwards from the last end.
//
// Cost: O(1) per time, and for each instant the flows under way; memory likewise. Nothing, if off.
//
// Restrictions: not for TCP, nor where first messages connect ranks. A change must leave the order
// of events as it is. Of changes of rates in one instant the last event counts. A flow's rate is
// its bottleneck's: that others at the same link are limited elsewhere is passed over, so it is
// exact for one link where all that share the link have it as bottleneck, and for all links
// together always.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "contend/replay.hpp"
#include "rates/lanes.hpp"
#include "replay/flat_map.hpp"
#include "replay/messages.hpp"

namespace contend {

class Path {
 public:
  enum class Part : std::int8_t {
    send_overhead,  // the first six by size, as in SizeTimes
    receive_overhead,
    latency,
    gap,
    work,
    tail,
    half,  // of a handshake
    computing,
    shared,  // the end of a flow
  };
  enum class Kind : std::int8_t { computing, overhead, latency, bytes };  // of parts
  enum class Side : std::int8_t { out, in, both };                        // hosts of a message
  static constexpr std::size_t sizes_of_parts = 6;
  static constexpr std::size_t kinds = 4;

  Path(const SizeTimes& sizes, const ReplayNetwork& network, bool is_on);

  bool is_on() const { return is_on_; }
  double time(std::int32_t place) const {
    return place == none || !is_on_ ? 0.0 : places_[static_cast<std::size_t>(place)].time;
  }
  std::int32_t later(std::int32_t a, std::int32_t b) const { return time(b) > time(a) ? b : a; }
  // The place after another one that computing, a part, or a part of a message on its way makes.
  std::int32_t compute(std::int32_t before, double seconds, std::int32_t call);
  std::int32_t step(std::int32_t before, Part part, std::int32_t size, std::int32_t call);
  std::int32_t step(std::int32_t before, Part part, const Message& message, Side side);

  // What the caller of a carrier says and hears: when a message is ready, and then starts; when the
  // processor of its receiver is free; and when its last byte has left.
  std::int32_t at = none, busy = none, left = none;
  // A message was launched: it starts at `at`, and its sender's port is taken from then on.
  void started(Message& message);
  // When the ports of a host are free.
  std::int32_t sending(std::int32_t host) const { return is_on_ ? sending_[host] : none; }
  std::int32_t receiving(std::int32_t host) const { return is_on_ ? receiving_[host] : none; }
  void receive_until(std::int32_t host, std::int32_t place) {
    if (is_on_) receiving_[host] = place;
  }

  // When a message enters, where those between the same ranks go one after the other.
  std::int32_t entered(const Message& message);
  // When its sender is done with it, and when its receiver can be, once both are known.
  struct Ends {
    std::int32_t sent = none, end = none;
  };
  Ends ends(const Message& message);

  // Flows whose rates are shared, over links as Traffic numbers them.
  void start(const Message& message, double now, std::span<const std::int32_t> links);
  void end(std::int32_t flow, double now);
  void share(double now, const Lanes& lanes);  // once the rates of an instant are there

  void give(std::int32_t last, std::int32_t calls, Replayed& result) const;

 private:
  struct Place {
    double time;
    double seconds;       // of the part
    std::int32_t before;  // or of a flow's end its number among them
    std::int32_t size;
    std::int32_t src, dst;  // hosts, or none
    std::int32_t call;      // none: between calls
    Part part;
  };
  struct Edge {
    std::int32_t place;
    double weight;
  };
  struct Share {
    std::int32_t link;
    double seconds;
  };
  struct End {                  // of a flow
    std::size_t edges, shares;  // where those of the next one begin
    double per_work;            // seconds that it ends later for a second of work more
  };
  struct Moving {  // a flow under way
    std::int32_t flow, size, call, begin;
    double since, rate, first_rate;
    std::vector<std::int32_t> links{};   // on its way
    std::vector<std::int32_t> narrow{};  // of these that limit it now
    std::vector<Edge> changes{};         // of its rate
    std::vector<Share> shares{};         // of its work
  };
  struct Last {
    std::int32_t place = none;
    bool operator==(const Last&) const = default;
  };

  std::int32_t add(Place place);
  void give_up();
  double seconds(Part part, std::int32_t size) const;
  std::int64_t pair_of(std::int32_t src, std::int32_t dst) const;
  double pair_latency(const Message& message) const;
  WideKey stream(const Message& message) const {
    return {
        0, static_cast<std::uint64_t>(message.src) << 32 | static_cast<std::uint32_t>(message.dst)};
  }
  void pass(Moving& one, double now);
  void find_narrow();
  void follow(const Place& place, double worth, std::int32_t calls, Replayed& result) const;
  void follow_way(const Place& place, double worth, Replayed& result) const;

  SizeTimes sizes_;
  ReplayNetwork network_;
  bool is_on_, has_ports_, has_routes_;
  std::vector<Place> places_;
  std::vector<std::int32_t> sending_, receiving_;  // (hosts,)
  FlatMap<Last> streams_;                          // by pair of ranks: when the last one left
  std::vector<Edge> edges_;
  std::vector<Share> shares_;
  std::vector<End> ends_;
  std::vector<Moving> moving_;
  std::vector<std::int32_t> flow_left_;         // by flow
  std::int32_t event_ = none;                   // the last start or end of a flow
  std::vector<double> capacity_, load_, most_;  // (links,)
  std::size_t looks_ = 0;
};

}  // namespace contend
