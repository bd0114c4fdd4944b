// Bottlenecks: max-min rates of the links that an event changes; see bottlenecks.hpp.
#include "rates/bottlenecks.hpp"

#include <algorithm>

namespace contend {
namespace {

// Changes per guest until what passes a link is summed up anew; each loses 1e-16 of it at most.
constexpr std::uint32_t sum_anew = 64;
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
      links_(static_cast<std::size_t>(routes_.links())),
      on_(routes_, links_, setting.flows.start.size()),
      loads_(links_.size()) {
  for (std::int32_t l = 0; l < routes_.links(); ++l) {
    links_[l].capacity = routes_.capacity(l);
    loads_[l].limit = links_[l].capacity;
  }
}

void Bottlenecks::start(std::int32_t flow) {
  on_.add(flow);
  fresh_.push_back(flow);
  changes_ += 1.0;
  hops_ += static_cast<std::int64_t>(on_.tight(flow).size());
  for (const std::int32_t l : on_.tight(flow)) {
    if (links_[l].fresh++ == 0) changed_.push_back(l);
  }
}

void Bottlenecks::end(std::int32_t flow) {
  const std::int32_t holder = on_.holder(flow);
  changes_ += 1.0;
  hops_ -= static_cast<std::int64_t>(on_.tight(flow).size());
  for (const std::int32_t l : on_.slack(flow)) loads_[l].passing -= bound_of(holder);
  for (const std::int32_t l : on_.tight(flow)) {
    Link& link = links_[l];
    if (holder == Lanes::none) {
      --link.fresh;
    } else if (l != holder) {
      loads_[l].passing -= links_[holder].level;
      ++loads_[l].told;
    }
    // More room on a link that is not full changes nothing.
    if (link.level < unsaturated) changed_.push_back(l);
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
      if (!is_due(l)) make_due(l);
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
    if (work_ > hops_ + routes_.links()) {
      if (changes_ > fewest_changes) many_changes_ = learning * changes_;
      fill();
      work_ = 0;
    } else {
      step(pop());
    }
  }
}

// By what the flows that it holds have now; an equal share without any.
double Bottlenecks::key(std::int32_t l) const {
  const Link& link = links_[l];
  const double open = link.held + link.fresh;
  return open > 0.0 ? (link.capacity - loads_[l].passing) / open : link.capacity / link.flows();
}

void Bottlenecks::make_due(std::int32_t l) {
  loads_[l].limit = unsaturated;
  __builtin_prefetch(links_[l].on.data());
  push(key(l), l);
}

void Bottlenecks::push(double level, std::int32_t l) {
  due_.push_back({level, l});
  std::push_heap(due_.begin(), due_.end(), Later());
}

std::int32_t Bottlenecks::pop() {
  std::pop_heap(due_.begin(), due_.end(), Later());
  const std::int32_t l = due_.back().id;
  due_.pop_back();
  return l;
}

// A full link is due again with the next change, another one when it carries too much.
void Bottlenecks::rest(std::int32_t l) {
  Link& link = links_[l];
  loads_[l].limit = -unsaturated;
  if (link.held > 0) return;
  link.level = unsaturated;
  loads_[l].limit = link.capacity * (1.0 + same_level);
  slacken_if_far(l);
}

// The rate of one of its guests has changed.
void Bottlenecks::tell(std::int32_t l, double change, double rate) {
  Load& load = loads_[l];
  load.passing += change;
  load.fastest = std::max(load.fastest, rate);
  ++load.told;
  if (load.passing > load.limit) make_due(l);
}

// All tight links that depend on the flows that it holds.
void Bottlenecks::tell_held(std::int32_t l, double change, double rate) {
  // Itself too, without a branch: it takes no notice.
  const Load own = loads_[l];
  for (const auto& [flow, holder, others] : links_[l].holds()) {
    if (others[0] >= 0) tell(others[0], change, rate);
    if (others[1] >= 0) tell(others[1], change, rate);
    if (others[0] != HeldFlow::several) continue;
    for (const std::int32_t other : on_.tight(flow)) tell(other, change, rate);
  }
  loads_[l] = own;
}

// Without what changes of `passing` have lost to rounding.
void Bottlenecks::sum_up(std::int32_t l) {
  rates_.clear();
  double passing = 0.0;
  double fastest = 0.0;
  for (const auto& [flow, holder, others] : links_[l].guests()) {
    if (holder == Lanes::none) continue;
    const double rate = links_[holder].level;
    rates_.push_back(rate);
    passing += rate;
    fastest = std::max(fastest, rate);
  }
  loads_[l] = {passing, fastest, loads_[l].limit, 0};
}

// At the rates that its guests have now, unless they would be faster than the level.
double Bottlenecks::level_of(std::int32_t l) {
  const Link& link = links_[l];
  Load& load = loads_[l];
  const std::int32_t open = link.held + link.fresh;
  if (open == link.flows()) {
    load = {0.0, 0.0, load.limit, 0};
    return open == 0 ? unsaturated : link.capacity / open;
  }
  const auto level = [&] { return (link.capacity - load.passing) / open; };
  const bool is_rounded = load.told >= sum_anew * static_cast<std::uint32_t>(link.flows());
  if (open > 0 && !is_rounded && !is_above(load.fastest, level())) return level();
  sum_up(l);
  if (open == 0 && !is_above(load.passing, link.capacity)) return unsaturated;
  if (open > 0 && !is_above(load.fastest, level())) return level();
  return level_with_guests(l);
}

// Guests slower than the level keep their rates, which raises it for the rest, until none is
// slower.
double Bottlenecks::level_with_guests(std::int32_t l) {
  double left = links_[l].capacity;
  double open = links_[l].flows();
  double level = left / open;
  while (true) {
    std::size_t rest = 0;
    for (const double rate : rates_) {
      rates_[rest] = rate;
      const bool is_slower = rate <= level;
      left -= is_slower ? rate : 0.0;
      rest += !is_slower;
    }
    if (rest == rates_.size()) return level;
    open -= static_cast<double>(rates_.size() - rest);
    if (open <= 0.0) return unsaturated;
    level = left / open;
    rates_.resize(rest);
  }
}

void Bottlenecks::step(std::int32_t l) {
  const double level = level_of(l);
  if (!due_.empty() && level < unsaturated && is_above(level, due_.front().key)) {
    push(level, l);
    return;
  }
  const Link& link = links_[l];
  ++work_;
  if (!is_same(level, link.level)) set_level(l, level);
  if (link.fresh > 0 || is_above(loads_[l].fastest, link.level)) take_guests(l);
  rest(l);
}

void Bottlenecks::set_level(std::int32_t l, double level) {
  Link& link = links_[l];
  const double change = level - link.level;
  link.level = level;
  touch(l);
  work_ += 2 * static_cast<std::int64_t>(link.held);
  tell_held(l, change, level);
  bound_rates(l);
}

void Bottlenecks::take_guests(std::int32_t l) {
  const double level = links_[l].level;
  double fastest = 0.0;
  for (const auto& [flow, holder, others] : links_[l].guests()) {
    const double rate = holder == Lanes::none ? unsaturated : links_[holder].level;
    if (is_above(rate, level)) {
      taken_.push_back(flow);
    } else {
      fastest = std::max(fastest, rate);
    }
  }
  loads_[l].fastest = fastest;
  for (const std::int32_t flow : taken_) take(flow, l);
  taken_.clear();
}

void Bottlenecks::take(std::int32_t flow, std::int32_t l) {
  const double level = links_[l].level;
  const std::int32_t old = on_.holder(flow);
  const double rate = old == Lanes::none ? 0.0 : links_[old].level;
  on_.hold(flow, old, l);
  moved_.push_back(flow);
  loads_[l].passing -= rate;
  for (const std::int32_t other : on_.tight(flow)) {
    if (old == Lanes::none) --links_[other].fresh;
    if (other != l) tell(other, other == old ? level : level - rate, level);
  }
  for (const std::int32_t other : on_.slack(flow))
    tell_slack(other, links_[l].bound - bound_of(old));
}

void Bottlenecks::touch(std::int32_t l) {
  if (!links_[l].is_touched) touched_.push_back(l);
  links_[l].is_touched = true;
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
