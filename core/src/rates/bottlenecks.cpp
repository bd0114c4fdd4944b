// Bottlenecks: max-min rates of the links that an event changes; see bottlenecks.hpp.
#include "rates/bottlenecks.hpp"

#include <algorithm>

namespace contend {
namespace {

// Levels found from what passes a link, until that is summed up anew; each of the changes of its
// guests in between loses 1e-16 of it at most.
constexpr std::uint32_t sum_anew = 64;
// Links on large networks hold few flows, and are far from each other in memory.
constexpr std::size_t few = 8;
// The queue of due links has levels to this part.
constexpr double float_digits = 1e-6;
// Guests are looked at from this part of the level on, against rounding.
constexpr double about = 1.0 - 1e-9;
// How `many_changes_` follows what was seen: down where changing links alone took longer than
// filling, unless that was by chance, and up a little each time, so that it is tried again.
constexpr double fewest_changes = 4.0;
constexpr double learning = 0.5;
constexpr double forgetting = 1.01;

}  // namespace

Bottlenecks::Bottlenecks(const Setting& setting, Lanes& lanes)
    : lanes_(lanes),
      routes_(setting),
      first_lane_(lanes.add(routes_.links())),
      on_(routes_, setting.flows.start.size()),
      links_(static_cast<std::size_t>(routes_.links())) {
  for (std::int32_t l = 0; l < routes_.links(); ++l) {
    links_[l].capacity = routes_.capacity(l);
    links_[l].limit = links_[l].capacity;
  }
}

void Bottlenecks::prefetch(std::int32_t flow) const {
  for (const std::int32_t l : routes_.of(flow)) {
    __builtin_prefetch(&links_[l]);
    __builtin_prefetch(&on_.on(l));
  }
}

void Bottlenecks::expect(std::int32_t flow, bool is_next) {
  if (is_next) {
    prefetch(flow);
  } else {
    routes_.prefetch(flow);
    on_.prefetch(flow);
    lanes_.prefetch_flow(flow);
  }
}

void Bottlenecks::start(std::int32_t flow) {
  prefetch(flow);
  fresh_.push_back(flow);
  changes_ += 1.0;
  HeldClasses::Arrival arrival = on_.arrive(flow);
  const auto slack = routes_.of(flow).subspan(static_cast<std::size_t>(arrival.tight));
  if (arrival.holder != Lanes::none && has_room(slack, bound_of(arrival.holder))) {
    on_.add(flow, arrival);
    join(flow, arrival.holder);
    return;
  }
  arrival.classmates = Lanes::none;
  on_.add(flow, arrival);
  for (const std::int32_t l : on_.tight(flow)) {
    if (links_[l].fresh++ == 0) changed_.push_back(l);
  }
}

// It has their rate before these are found anew: as if it had been there, and its rate had risen.
void Bottlenecks::join(std::int32_t flow, std::int32_t holder) {
  const Link& holding = links_[holder];
  for (const std::int32_t l : on_.slack(flow)) links_[l].passing += holding.bound;
  for (const std::int32_t l : on_.tight(flow)) {
    Link& link = links_[l];
    if (l == holder) {
      ++link.held;
      changed_.push_back(l);
    } else {
      link.passing += holding.level;
      link.fastest = std::max(link.fastest, holding.level);
      if (link.passing > link.limit) changed_.push_back(l);
    }
  }
}

void Bottlenecks::end(std::int32_t flow) {
  prefetch(flow);
  const std::int32_t holder = on_.holder(flow);
  changes_ += 1.0;
  for (const std::int32_t l : on_.slack(flow)) links_[l].passing -= bound_of(holder);
  for (const std::int32_t l : on_.tight(flow)) {
    Link& link = links_[l];
    if (holder == Lanes::none) {
      --link.fresh;
    } else if (l == holder) {
      --link.held;
    } else {
      links_[l].passing -= links_[holder].level;
    }
    // More room on a link that is not full changes nothing.
    if (links_[l].level < unsaturated) changed_.push_back(l);
  }
  on_.remove(flow);
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    const std::int32_t l = routes_.link(hop);
    if (!links_[l].has_slack && links_[l].level == unsaturated) slacken_if_far(l);
  }
}

void Bottlenecks::share() {
  look_at_fresh();
  if (changes_ >= many_changes_) {
    many_changes_ *= forgetting;
    fill();
  } else {
    for (const std::int32_t l : changed_) {
      if (!is_due(l) && !links_[l].has_slack) make_due(l);
    }
  }
  settle();
  changes_ = 0.0;
  changed_.clear();
  fill_lanes();
}

// Until no link is due.
void Bottlenecks::settle() {
  work_ = 0;
  while (true) {
    for (std::size_t i = 0; i < over_.size(); ++i) tighten(over_[i]);
    over_.clear();
    if (due_.empty()) return;
    if (work_ > on_.entries() + routes_.links()) {
      if (changes_ > fewest_changes) many_changes_ = learning * changes_;
      fill();
      work_ = 0;
    } else {
      const std::int32_t l = due_.pop();
      if (!due_.empty()) on_.prefetch_classes(due_.first());
      step(l);
    }
  }
}

// By what the flows that it holds have now; an equal share without any.
double Bottlenecks::key(std::int32_t l) const {
  const Link& link = links_[l];
  const double open = link.held + link.fresh;
  return open > 0.0 ? (link.capacity - links_[l].passing) / open : link.capacity / flows(l);
}

// Of links of one level, those that hold flows go first, so that flows stay where they are.
double Bottlenecks::turn(std::int32_t l, double level) const {
  return links_[l].held > 0 ? level : level * (1.0 + float_digits);
}

void Bottlenecks::make_due(std::int32_t l) {
  links_[l].limit = unsaturated;
  __builtin_prefetch(&on_.on(l));
  due_.push(turn(l, key(l)), l);
}

// A full link is due again with the next change, another one when it carries too much.
void Bottlenecks::rest(std::int32_t l) {
  Link& link = links_[l];
  links_[l].limit = -unsaturated;
  if (link.held > 0) return;
  links_[l].level = unsaturated;
  links_[l].limit = link.capacity * (1.0 + same_level);
  slacken_if_far(l);
}

// The rate of one of its guests has changed.
void Bottlenecks::tell(std::int32_t l, double change, double rate) {
  Link& link = links_[l];
  link.passing += change;
  link.fastest = std::max(link.fastest, rate);
  if (link.passing > link.limit) make_due(l);
}

// All tight links that depend on the flows that it holds.
void Bottlenecks::tell_held(std::int32_t l, double change, double rate) {
  const auto holds = on_.holds(l);
  if (holds.size() <= few) {
    for (const HeldClass& entry : holds) {
      if (entry.others[0] >= 0) __builtin_prefetch(&links_[entry.others[0]]);
      if (entry.others[1] >= 0) __builtin_prefetch(&links_[entry.others[1]]);
    }
  }
  for (const auto& [head, count, others] : holds) {
    const double sum = count * change;
    if (others[0] >= 0) {
      tell(others[0], sum, rate);
      if (others[1] >= 0) tell(others[1], sum, rate);
    } else if (others[0] == HeldClass::several) {
      for (const std::int32_t other : on_.tight(head)) {
        if (other != l) tell(other, sum, rate);
      }
    }
  }
}

// At the rates that its guests have now, unless they would be faster than the level.
double Bottlenecks::level_of(std::int32_t l) {
  Link& link = links_[l];
  const std::int32_t open = link.held + link.fresh;
  has_looked_ = false;
  if (open == flows(l)) {
    note_guests(l, 0.0, 0.0);
    return open == 0 ? unsaturated : link.capacity / open;
  }
  if (open > 0 && ++link.told < sum_anew) {
    const double level = (link.capacity - link.passing) / open;
    if (!is_above(link.fastest, level)) return level;
  }
  return level_with_guests(l);
}

// Guests slower than the level keep their rates, which raises it for the rest, until none is
// slower: Newton's method, from a level that is too low.
double Bottlenecks::level_with_guests(std::int32_t l) {
  const Link& link = links_[l];
  const std::int32_t open = link.held + link.fresh;
  double level =
      about * (open > 0 ? (link.capacity - links_[l].passing) / open : link.capacity / flows(l));
  look_at_guests(l, level);
  if (open > 0 && (link.capacity - links_[l].passing) / open < level) {
    level = 0.0;
    look_at_guests(l, level);
  }
  if (open == 0 && !is_above(links_[l].passing, link.capacity)) return unsaturated;
  for (std::size_t before = static_cast<std::size_t>(flows(l)) + 1;;) {
    double left = link.capacity - slower_rates_;
    std::size_t faster = 0;
    for (const Guest& guest : faster_) {
      const bool is_faster = guest.rate > level;
      left -= is_faster ? 0.0 : guest.count * guest.rate;
      faster += is_faster ? static_cast<std::size_t>(guest.count) : 0;
    }
    if (faster >= before) return level;
    // Those that have no rate yet are faster than any level, and among those that are open.
    const double sharing = link.held + static_cast<double>(faster);
    if (sharing <= 0.0) return unsaturated;
    level = left / sharing;
    before = faster;
  }
}

// Sums up what is passing, without what changes have lost to rounding, and finds the guests that
// are faster than a level.
void Bottlenecks::look_at_guests(std::int32_t l, double level) {
  faster_.clear();
  double slower = 0.0;
  double fastest = 0.0;
  for (const auto& [head, count, others] : on_.guests(l)) {
    const double rate = others[0] == Lanes::none ? unsaturated : links_[others[0]].level;
    if (rate > level) {
      faster_.push_back({head, count, rate});
    } else {
      slower += count * rate;
      fastest = std::max(fastest, rate);
    }
  }
  slower_rates_ = slower;
  fastest_slower_ = fastest;
  for (const Guest& guest : faster_) {
    if (guest.rate == unsaturated) continue;
    slower += guest.count * guest.rate;
    fastest = std::max(fastest, guest.rate);
  }
  note_guests(l, slower, fastest);
  has_looked_ = true;
}

void Bottlenecks::note_guests(std::int32_t l, double passing, double fastest) {
  links_[l].passing = passing;
  links_[l].fastest = fastest;
  links_[l].told = 0;
}

void Bottlenecks::step(std::int32_t l) {
  const double level = level_of(l);
  if (level < unsaturated && due_.is_before(turn(l, level))) {
    due_.push(turn(l, level), l);
    return;
  }
  ++work_;
  if (!is_same(level, links_[l].level)) set_level(l, level);
  if (links_[l].fresh > 0 || is_above(links_[l].fastest, links_[l].level)) take_guests(l);
  rest(l);
}

void Bottlenecks::set_level(std::int32_t l, double level) {
  const double change = level - links_[l].level;
  links_[l].level = level;
  touch(l);
  work_ += 2 * static_cast<std::int64_t>(on_.on(l).held);
  tell_held(l, change, level);
  bound_rates(l);
}

void Bottlenecks::take_guests(std::int32_t l) {
  const double level = links_[l].level;
  if (!has_looked_) look_at_guests(l, about * level);
  double passing = slower_rates_;
  double fastest = fastest_slower_;
  for (const Guest& guest : faster_) {
    if (is_above(guest.rate, level)) {
      take(guest, l);
    } else {
      passing += guest.count * guest.rate;
      fastest = std::max(fastest, guest.rate);
    }
  }
  note_guests(l, passing, fastest);
}

void Bottlenecks::take(const Guest& guest, std::int32_t l) {
  const double level = links_[l].level;
  const std::int32_t old = on_.holder(guest.head);
  const double rate = old == Lanes::none ? 0.0 : links_[old].level;
  hold(guest, old, l);
  for (const std::int32_t other : on_.tight(guest.head)) {
    if (old == Lanes::none) links_[other].fresh -= guest.count;
    if (other != l) tell(other, guest.count * (other == old ? level : level - rate), level);
  }
}

void Bottlenecks::hold(const Guest& guest, std::int32_t old, std::int32_t l) {
  if (old != Lanes::none) links_[old].held -= guest.count;
  links_[l].held += guest.count;
  const double change = links_[l].bound - bound_of(old);
  on_.each_slack(guest.head, guest.count, [&](std::int32_t slack) { tell_slack(slack, change); });
  for (std::int32_t flow = guest.head; flow != Lanes::none; flow = on_.next(flow)) {
    moved_.push_back(flow);
  }
  on_.hold(guest.head, l);
}

void Bottlenecks::touch(std::int32_t l) {
  if (!links_[l].is_touched) touched_.push_back(l);
  links_[l].is_touched = true;
  lanes_.prefetch(first_lane_ + l);
}

void Bottlenecks::fill_lanes() {
  for (const std::int32_t flow : moved_) lanes_.place(flow, first_lane_ + on_.holder(flow));
  for (const std::int32_t l : touched_) {
    links_[l].is_touched = false;
    if (links_[l].held > 0) lanes_.set_rate(first_lane_ + l, links_[l].level);
  }
  moved_.clear();
  touched_.clear();
}

}  // namespace contend
