// Bottlenecks: links that are far from full, which count bounds in the place of rates; see
// bottlenecks.hpp.
//
// Cost: the links with slack on the routes of the flows held by a link whose bound changes; and the
// flows on a link that becomes tight, or slack.
#include <algorithm>

#include "rates/bottlenecks.hpp"

namespace contend {
namespace {

// A new bound leaves a level so much room, and more by this part of the link's capacity for each
// flow, but at most twice: bounds of a hot link are new at each doubling of its level alone, and
// other links hardly see them.
constexpr double least_room = 1.02;
constexpr double room_per_flow = 1e-3;
constexpr double most_room = 2.0;
// A link has slack from this part of its capacity down; up to the capacity by bounds, later.
constexpr double far = 0.93;
// Against rounding: changes of the sum of bounds lose 1e-16 of the capacity each.
constexpr double full = 1.0 - 1e-8;
constexpr std::uint32_t sum_anew = 1U << 24;

}  // namespace

// Each needs a tight link that will hold it: whichever would give it least.
void Bottlenecks::look_at_fresh() {
  for (const std::int32_t flow : fresh_) {
    if (!on_.is_here(flow)) continue;
    if (on_.holder(flow) != Lanes::none) {
      moved_.push_back(flow);
      continue;
    }
    double level = unsaturated;
    for (const std::int32_t l : on_.tight(flow)) level = std::min(level, key(l));
    for (const std::int32_t l : on_.slack(flow)) {
      if (links_[l].capacity - links_[l].passing < level) over_.push_back(l);
    }
    if (on_.tight(flow).empty()) over_.assign(1, least_of(on_.slack(flow)));
    for (const std::int32_t l : over_) tighten(l);
    over_.clear();
  }
  fresh_.clear();
}

// Whether links with slack keep it with a flow of this bound more.
bool Bottlenecks::has_room(std::span<const std::int32_t> slack, double bound) const {
  return std::ranges::all_of(
      slack, [&](std::int32_t l) { return links_[l].passing + bound <= links_[l].limit; });
}

// The link whose room, shared equally, is least.
std::int32_t Bottlenecks::least_of(std::span<const std::int32_t> links) const {
  return *std::ranges::min_element(links, {}, [this](std::int32_t l) {
    return (links_[l].capacity - links_[l].passing) / flows(l);
  });
}

// Of a flow that passes the link.
void Bottlenecks::tell_slack(std::int32_t l, double change) {
  Link& link = links_[l];
  link.passing += change;
  if (link.passing <= link.limit && ++link.told < sum_anew) return;
  link.limit = unsaturated;
  over_.push_back(l);
}

void Bottlenecks::bound_rates(std::int32_t l) {
  Link& link = links_[l];
  const double room = std::min(most_room, least_room + room_per_flow * link.held);
  if (link.level <= link.bound && link.bound <= room * room * 1.01 * link.level) return;
  if (link.level == unsaturated) return;
  const double change = room * link.level - link.bound;
  link.bound = room * link.level;
  for (const auto& [head, count, others] : on_.holds(l)) {
    on_.each_slack(head, count, [&](std::int32_t slack) { tell_slack(slack, change); });
  }
}

void Bottlenecks::tighten(std::int32_t l) {
  if (!links_[l].has_slack) return;
  Link& link = links_[l];
  on_.tighten(l);
  link.has_slack = false;
  look_at_guests(l, std::numeric_limits<double>::max());
  link.fresh = 0;
  for (const Guest& guest : faster_) link.fresh += guest.count;
  links_[l].limit = link.capacity * (1.0 + same_level);
  if (link.fresh > 0 || links_[l].passing > links_[l].limit) make_due(l);
}

// A link that is not full, and not due.
void Bottlenecks::slacken_if_far(std::int32_t l) {
  Link& link = links_[l];
  if (links_[l].passing > far * link.capacity || link.fresh > 0) return;
  double passing = 0.0;
  for (const auto& [head, count, others] : on_.guests(l)) {
    passing += count * links_[others[0]].bound;
  }
  const double limit = full * link.capacity;
  if (passing > limit) return;
  on_.slacken(l);
  link.has_slack = true;
  note_guests(l, passing, 0.0);
  link.limit = limit;
}

}  // namespace contend
