// Bounded shares: links that agree on their levels; see bounded_shares.hpp for the source.
#include "rates/bounded_shares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace contend {
namespace {

// A level that differs by less is the old one, found by other roundings.
constexpr double same_level = 1e-13;

bool is_same(double a, double b) {
  return a == b || (std::isfinite(b) && std::abs(a - b) <= same_level * b);
}

}  // namespace

BoundedShares::BoundedShares(const std::vector<double>& capacity, std::size_t patience)
    : patience_(patience), links_(capacity.size()) {
  for (std::size_t l = 0; l < links_.size(); ++l) links_[l].capacity = capacity[l];
}

void BoundedShares::open(std::int32_t number, std::span<const std::int32_t> links) {
  if (static_cast<std::size_t>(number) >= classes_.size()) {
    classes_.resize(static_cast<std::size_t>(number) + 1);
  }
  Class& one = classes_[number];
  one.links = links;
  one.places.clear();
  one.flows = 0;
  one.bound = one.rate = 0.0;
  one.is_open = true;
  for (const std::int32_t l : links) {
    one.places.push_back(static_cast<std::int32_t>(links_[l].classes.size()));
    links_[l].classes.push_back(number);
  }
}

void BoundedShares::close(std::int32_t number) {
  Class& one = classes_[number];
  for (std::size_t hop = 0; hop < one.links.size(); ++hop) {
    const std::int32_t l = one.links[hop];
    std::vector<std::int32_t>& classes = links_[l].classes;
    Class& last = classes_[classes.back()];
    for (std::size_t other = 0; other < last.links.size(); ++other) {
      if (last.links[other] == l) last.places[other] = one.places[hop];
    }
    classes[one.places[hop]] = classes.back();
    classes.pop_back();
  }
  one.is_open = false;
}

// A link with room stays as it is with less to carry, and any link with a level below both bounds.
void BoundedShares::change(std::int32_t number, std::int32_t flows, double bound) {
  Class& one = classes_[number];
  const double least = std::min(one.bound, bound);
  const bool is_more = flows > one.flows || bound > one.bound;
  for (const std::int32_t l : one.links) {
    const double level = links_[l].level;
    if (level == unsaturated ? is_more : (flows != one.flows || least < level)) wait(l);
  }
  one.flows = flows;
  one.bound = bound;
  touch(number);
}

void BoundedShares::touch(std::int32_t one) {
  if (classes_[one].is_touched) return;
  classes_[one].is_touched = true;
  touched_.push_back(one);
}

void BoundedShares::wait(std::int32_t link) {
  if (links_[link].is_waiting) return;
  links_[link].is_waiting = true;
  waiting_.push_back(link);
}

const std::vector<std::int32_t>& BoundedShares::share() {
  changed_.clear();
  if (!agree()) fill();
  for (const std::int32_t number : touched_) {
    Class& one = classes_[number];
    one.is_touched = false;
    if (!one.is_open || one.flows == 0) continue;
    const double rate = most_beside(one, -1);
    if (rate == one.rate) continue;
    one.rate = rate;
    changed_.push_back(number);
  }
  touched_.clear();
  return changed_;
}

// Of the bound and all links but one.
double BoundedShares::most_beside(const Class& one, std::int32_t link) const {
  double most = one.bound;
  for (const std::int32_t l : one.links) {
    if (l != link) most = std::min(most, links_[l].level);
  }
  return most;
}

// What flows would have on this link is concave in its level: after the first step of Newton's
// method, from anywhere, all others go up, and to the level at last.
double BoundedShares::find_level(std::int32_t number) {
  const Link& link = links_[number];
  demands_.clear();
  double wanted = 0.0;
  double flows = 0.0;
  for (const std::int32_t c : link.classes) {
    const Class& one = classes_[c];
    if (one.flows == 0) continue;
    demands_.push_back({most_beside(one, number), static_cast<double>(one.flows)});
    wanted += demands_.back().flows * demands_.back().most;
    flows += demands_.back().flows;
  }
  if (wanted <= link.capacity) return unsaturated;
  const double equal = link.capacity / flows;
  double level = link.level < unsaturated ? link.level : equal;
  for (bool is_first = true;; is_first = false) {
    double left = link.capacity;
    double open = 0.0;
    for (const Demand& demand : demands_) {
      const bool is_slow = demand.most <= level;
      left -= is_slow ? demand.flows * demand.most : 0.0;
      open += is_slow ? 0.0 : demand.flows;
    }
    // Above all that flows want: from below then, unless that is rounding.
    if (open == 0.0 && !is_first) return level;
    const double next = open > 0.0 ? left / open : equal;
    if (is_same(next, level)) return next;
    level = next;
  }
}

void BoundedShares::spread(std::int32_t number, double level) {
  const double old = std::exchange(links_[number].level, level);
  const double least = std::min(old, level);
  for (const std::int32_t c : links_[number].classes) {
    const Class& one = classes_[c];
    if (one.bound <= least) continue;
    touch(c);
    for (const std::int32_t l : one.links) {
      if (l == number) continue;
      // What the others let it have, be this link where it may.
      const Link& other = links_[l];
      if (other.level == unsaturated ? level > old : least < other.level) wait(l);
    }
  }
}

// Whether all links agree; some may be left that wait.
bool BoundedShares::agree() {
  const std::size_t most = patience_ * links_.size();
  for (std::size_t next = 0; next < waiting_.size(); ++next) {
    if (next == most) return false;
    const std::int32_t l = waiting_[next];
    links_[l].is_waiting = false;
    const double level = find_level(l);
    if (!is_same(level, links_[l].level)) spread(l, level);
  }
  waiting_.clear();
  return true;
}

void BoundedShares::fill() {
  for (const std::int32_t l : waiting_) links_[l].is_waiting = false;
  waiting_.clear();
  const std::vector<double> levels = filled();
  for (std::size_t l = 0; l < links_.size(); ++l) links_[l].level = levels[l];
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (classes_[c].is_open) touch(static_cast<std::int32_t>(c));
  }
}

// Raises all rates together: a flow stops at its bound or where a link of its route is full.
std::vector<double> BoundedShares::filled() const {
  struct Room {
    double left = 0.0;
    double open = 0.0;  // flows without a rate yet
    double level() const { return std::max(0.0, left) / open; }
  };
  using Entry = std::pair<double, std::int32_t>;  // level, and link or class
  std::vector<Room> rooms(links_.size());
  std::vector<Entry> bounds, dues;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const Class& one = classes_[c];
    if (!one.is_open || one.flows == 0) continue;
    bounds.emplace_back(one.bound, static_cast<std::int32_t>(c));
    for (const std::int32_t l : one.links) rooms[l].open += one.flows;
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {
    rooms[l].left = links_[l].capacity;
    if (rooms[l].open > 0.0) dues.emplace_back(rooms[l].level(), static_cast<std::int32_t>(l));
  }
  std::sort(bounds.begin(), bounds.end());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> full(std::greater<>(),
                                                                      std::move(dues));
  std::vector<double> levels(links_.size(), unsaturated);
  std::vector<char> has_stopped(classes_.size());
  const auto stop = [&](std::int32_t c, double rate) {
    if (std::exchange(has_stopped[c], true)) return;
    for (const std::int32_t l : classes_[c].links) {
      rooms[l].left -= classes_[c].flows * rate;
      rooms[l].open -= classes_[c].flows;
    }
  };
  // Levels only rise while flows stop elsewhere: an entry that is out of date comes back later.
  const auto saturate_below = [&](double most) {
    while (!full.empty() && full.top().first < most) {
      const auto [due, l] = full.top();
      full.pop();
      if (rooms[l].open == 0.0) continue;
      const double level = rooms[l].level();
      if (level > due) {
        full.emplace(level, l);
        continue;
      }
      levels[l] = level;
      for (const std::int32_t c : links_[l].classes) {
        if (classes_[c].flows > 0) stop(c, level);
      }
    }
  };
  for (const auto& [bound, c] : bounds) {
    if (has_stopped[c]) continue;
    saturate_below(bound);
    stop(c, bound);
  }
  return levels;
}

std::vector<double> BoundedShares::refilled() const {
  const std::vector<double> levels = filled();
  std::vector<double> rates;
  for (const Class& one : classes_) {
    double rate = one.bound;
    for (const std::int32_t l : one.links) rate = std::min(rate, levels[l]);
    rates.push_back(one.is_open && one.flows > 0 ? rate : 0.0);
  }
  return rates;
}

}  // namespace contend
