// Bottlenecks: max-min rates, found anew for the links that an event changes alone.
//
// Source: Charny, Clark, Jain, "Congestion control with explicit rate indication", 1995, where each
// link finds its level from the rates that its flows have got elsewhere, until none changes.
// Idea: the level of a full link is the largest rate on it; a flow moves at the least level of its
// links and is held by that link, its bottleneck. On all other links it is a guest. A link's level
// is what its guests leave it, over the flows that it holds; it takes over those guests that would
// be faster. A link that has changed tells the others on the routes of the flows it holds, which
// then are due. The one with the least level goes first, so that most links change once: levels
// follow from lower ones alone. A link that is not full knows the sum of the rates on it, and is
// due only when they are more than it carries.
// Classes: flows with the same tight links and one holder are looked at as one (held_classes.hpp).
// Slack: the level of a link that holds flows has a bound, a few per cent above it, or up to four
// times where it holds hundreds, which are too slow to fill another one. A link that
// could carry its flows at these bounds is not full, whatever the rates are: it has slack, counts
// bounds in the place of rates, and is told of a new bound only. Once bounds are too much it finds
// the rates and is told of each: it is tight, until it is far from full.
// Filling: where an event changes so much that links change again and again, all levels are found
// in one go, from the least one on (progressive filling): a link that has got its level is filled
// and tells the others, which share what is left among the flows that no filled link holds. Ends:
// when no link is due, each flow has a bottleneck and no link carries too much, and only max-min
// rates are so. The least level is right after each link was due once, then stays, and so do the
// others in turn. Invariants, before and after share(), for the flows that are here:
//   each flow is held by one link of its route, and its rate is the level of this link;
//   `passing` is the sum of the rates of a link's guests, none of which exceeds `fastest`;
//   a link that holds flows is full, and no flow on it is faster; the others have room;
//   no level exceeds its bound, and `passing` of a link with slack is a sum of bounds.
// Cost per event: the tight links of the classes held by links whose level changes; and the guests
// of links that take some; at most some times that of filling, the tight links of all classes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/due_links.hpp"
#include "rates/held_classes.hpp"
#include "rates/lanes.hpp"
#include "rates/large_pages.hpp"
#include "rates/routes.hpp"

namespace contend {

class Bottlenecks : public Sharing {
 public:
  Bottlenecks(const Setting& setting, Lanes& lanes);

  void start(std::int32_t flow) override;
  void end(std::int32_t flow) override;
  void share() override;
  void expect(std::int32_t flow, bool is_next) override;

 private:
  static constexpr double unsaturated = std::numeric_limits<double>::infinity();
  // Levels that differ by less are one, found by other roundings.
  static constexpr double same_level = 1e-12;
  static bool is_above(double a, double b) { return a > b * (1.0 + same_level); }
  static bool is_same(double a, double b) { return !is_above(a, b) && !is_above(b, a); }
  struct Guest {
    std::int32_t head;
    std::int32_t count;
    double rate;  // unsaturated for flows that have none yet
  };

  // In a cache line: whoever is told is due soon.
  struct alignas(64) Link {
    double passing = 0.0;  // rates of the guests; with slack, bounds of the rates
    double fastest = 0.0;  // no guest has a higher rate; not with slack
    double limit = 0.0;    // the link is due once more than this is passing
    double level = unsaturated;
    double bound = 0.0;  // of the level, by which links with slack count
    double capacity = 0.0;
    std::int32_t held = 0;    // number of flows that it holds
    std::int32_t fresh = 0;   // those that have no rate yet; not with slack
    std::uint32_t told = 0;   // how often `passing` was used since it was summed up
    bool has_slack = true;    // since no flow is on it
    bool is_touched = false;  // its lane is to be set
    bool is_filled = false;   // has got its level in this filling
  };

  void join(std::int32_t flow, std::int32_t holder);
  std::int32_t flows(std::int32_t l) const { return on_.on(l).flows; }
  void note_guests(std::int32_t l, double passing, double fastest);
  bool is_due(std::int32_t l) const { return links_[l].limit == unsaturated; }
  double key(std::int32_t l) const;
  double turn(std::int32_t l, double level) const;
  void prefetch(std::int32_t flow) const;
  void make_due(std::int32_t l);
  void rest(std::int32_t l);
  void tell(std::int32_t l, double change, double rate);
  void tell_held(std::int32_t l, double change, double rate);
  double level_of(std::int32_t l);
  double level_with_guests(std::int32_t l);
  void look_at_guests(std::int32_t l, double level);
  void settle();
  void step(std::int32_t l);
  void set_level(std::int32_t l, double level);
  void take_guests(std::int32_t l);
  void take(const Guest& guest, std::int32_t l);
  void hold(const Guest& guest, std::int32_t old, std::int32_t l);
  void touch(std::int32_t l);
  void fill_lanes();

  // Filling.
  void fill();
  bool is_open(std::int32_t holder) const {
    return holder == Lanes::none || !links_[holder].is_filled;
  }
  double open_level(std::int32_t l) const;
  void fill_link(std::int32_t l, double level);
  void tell_filled(std::int32_t l, std::int32_t count, double rate);
  void take_open(std::int32_t l);

  // Slack.
  void look_at_fresh();
  bool has_room(std::span<const std::int32_t> slack, double bound) const;
  std::int32_t least_of(std::span<const std::int32_t> links) const;
  void tell_slack(std::int32_t l, double change);
  void bound_rates(std::int32_t l);
  double bound_of(std::int32_t holder) const {
    return holder == Lanes::none ? 0.0 : links_[holder].bound;
  }
  void tighten(std::int32_t l);
  void slacken_if_far(std::int32_t l);

  Lanes& lanes_;
  Routes routes_;
  std::int32_t first_lane_;  // of the links
  HeldClasses on_;
  LargeArray<Link> links_;
  DueLinks due_;  // by their levels, as far as these are known
  std::vector<std::int32_t> changed_, touched_, moved_;
  std::vector<std::int32_t> fresh_;  // flows that have started since share() ended
  std::vector<std::int32_t> over_;   // links whose slack has gone
  // Guests of the link at hand, as look_at_guests() found them.
  std::vector<Guest> faster_;
  double slower_rates_ = 0.0;    // sum
  double fastest_slower_ = 0.0;  // the greatest
  bool has_looked_ = false;
  std::int64_t work_ = 0;              // links told since share() began
  double changes_ = 0.0;               // starts and ends since share() ended
  double many_changes_ = unsaturated;  // from so many on, filling is the shorter way
};

}  // namespace contend
