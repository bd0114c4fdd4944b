// maxmin: max-min fairness over the links of each route.
//
// Source: Bertsekas, Gallager, "Data Networks", 1992, section 6.5.2 (progressive filling).
// Idea: the level of a saturated link is the largest rate on it; a flow moves at the least level of
// its links, its bottleneck, and is in the lane of that link. Progressive filling saturates links
// in ascending order of level, and what happens at a level depends on lower levels only. So after a
// change at rate x all levels below x stay, and filling goes on from x with the links that change
// alone: a link joins when a flow on it turns out slower, or faster, than before. A link that has
// not joined is watched: at its old level it confirms its flows to the links that have.
// Invariants, before and after each call of share(), for the flows that are here:
//   each flow is held by one link of its route, and is in the lane of that link;
//   its rate is the level of this link, and no other link of its route has a lower one;
//   a link with a level is full, and no flow on it is faster; one without a level has room;
//   no link is changed, queued or other than idle.
// Flows that share one link alone never come here: see stars.hpp. Where CONTEND_CHECK_RATES is on
// all rates are found anew after every event, and compared: see refill.hpp.
// Cost per event: the flows on the links that join, and on the links watched.
// Range: long flows under a transport that is fair per flow (TCP on deep buffers, credits with
// round robin per flow).
// Cannot see: loss and time-outs, unequal round trip times, head-of-line blocking.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/lanes.hpp"
#include "rates/refill.hpp"
#include "rates/routes.hpp"
#include "rates/stars.hpp"

namespace contend::sharing {
namespace {

constexpr double unsaturated = std::numeric_limits<double>::infinity();
// A level that differs by less is the old one, found by other roundings.
constexpr double same_level = 1e-12;

class MaxMin : public Sharing {
 public:
  MaxMin(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        routes_(setting),
        first_lane_(lanes.add(routes_.links())),
        on_(routes_),
        links_(static_cast<std::size_t>(routes_.links())),
        queue_place_(links_.size()) {
    for (std::int32_t l = 0; l < routes_.links(); ++l) links_[l].capacity = routes_.capacity(l);
  }

  void start(std::int32_t flow) override {
    on_.add(flow);
    for (const std::int32_t l : routes_.of(flow)) {
      ++links_[l].fresh;
      change(l);
    }
  }

  void end(std::int32_t flow) override {
    on_.remove(flow);
    // More room on an unsaturated link changes nothing.
    for (const std::int32_t l : routes_.of(flow)) {
      if (links_[l].level < unsaturated) change(l);
    }
  }

  void share() override {
    now_ = first_level();
    decided_level_ = 0.0;
    for (const std::int32_t l : changed_) join(l);
    while (filling_ > 0) {
      step(queue_.front().id);
    }
    reset();
  }

 private:
  enum class State : std::uint8_t { idle, watched, filling, decided };

  // A cache line. `left` and `open` hold while the link is filling, and are anything else.
  struct alignas(64) Link {
    double level = unsaturated;
    double decided_above = unsaturated;  // its flows are decided once filling is above this level
    double capacity = 0.0;
    double left = 0.0;       // capacity that decided flows leave
    std::uint32_t open = 0;  // flows on it that are not decided
    std::int32_t fresh = 0;  // flows that start at this instant
    State state = State::idle;
    bool is_raised = false;  // filling beyond the old level
    bool is_changed = false;
    bool is_queued = false;
  };

  void change(std::int32_t l) {
    if (links_[l].is_changed) return;
    links_[l].is_changed = true;
    changed_.push_back(l);
  }

  // No level below this one changes. Links that lose flows rise from their level. Where flows
  // start, those at the level give up their excess over an equal share with them, or less.
  double first_level() const {
    double first = unsaturated;
    for (const std::int32_t l : changed_) {
      const Link& link = links_[l];
      double least = link.level;
      if (link.fresh > 0) {
        const double equal = link.capacity / static_cast<double>(on_.on(l).size());
        const double n = lanes_.size(first_lane_ + l);
        const double given_up = link.level < unsaturated ? link.level * n / (n + link.fresh) : 0.0;
        least = std::min(least, std::max(equal, given_up));
      }
      first = std::min(first, least);
    }
    return first;
  }

  // Whether the rate of a flow with this holder is known, at the present state of the filling.
  bool is_decided(std::int32_t holder) const {
    return holder != Lanes::none && now_ > links_[holder].decided_above;
  }

  bool can_join(const Link& link) const {
    return (link.state == State::idle || link.state == State::watched) &&
           !is_above(now_, link.level);
  }

  void enqueue(std::int32_t l, double key) {
    if (links_[l].is_queued) {
      queue().rekey(static_cast<std::size_t>(queue_place_[l]), key);
    } else {
      queue().push({key, l});
    }
    links_[l].is_queued = true;
  }

  void dequeue(std::int32_t l) {
    queue().erase(static_cast<std::size_t>(queue_place_[l]));
    links_[l].is_queued = false;
  }

  void touch(std::int32_t l, State state) {
    if (links_[l].state == State::idle) touched_.push_back(l);
    links_[l].state = state;
    if (state == State::filling) links_[l].decided_above = unsaturated;
  }

  void watch(std::int32_t l) {
    touch(l, State::watched);
    enqueue(l, std::max(now_, links_[l].level));
  }

  void join(std::int32_t l) {
    Link& link = links_[l];
    touch(l, State::filling);
    link.is_raised = false;
    auto open = static_cast<std::uint32_t>(on_.held_by(l).size());
    double decided = 0.0;
    const double now = now_;
    const Link* const links = links_.data();
    ++filling_;
    for (const auto& [f, holder] : on_.guests_of(l)) {
      if (holder == Lanes::none) {
        ++open;
        continue;
      }
      // Without a branch: half of the flows are decided, in no order that could be foreseen.
      const Link& other = links[holder];
      const bool is_open = now <= other.decided_above;
      decided += is_open ? 0.0 : other.level;
      open += is_open;
      if (is_open & (other.state == State::idle)) watch(holder);
    }
    link.left = link.capacity - decided;
    link.open = open;
    if (open == 0) {
      stay_unsaturated(link);
    } else {
      enqueue(l, key_of(link));
    }
  }

  static bool is_above(double a, double b) { return a > b * (1.0 + same_level); }

  // The level at which this link has something to do next.
  double key_of(const Link& link) const {
    const double full = std::max(now_, link.left / link.open);
    return !link.is_raised && is_above(full, link.level) ? std::max(now_, link.level) : full;
  }

  void step(std::int32_t l) {
    Link& link = links_[l];
    if (link.state == State::watched) {
      now_ = queue_.front().key;
      dequeue(l);
      confirm(l);
    } else if (link.state == State::decided) {
      dequeue(l);
    } else {
      // Levels only rise while a link waits; it waits on if another one is due before.
      const double due = key_of(link);
      if (due > queue_.front().key) {
        enqueue(l, due);
        if (queue_.front().id != l) return;
      }
      dequeue(l);
      now_ = due;
      const double full = std::max(now_, link.left / link.open);
      if (!link.is_raised && is_above(full, link.level)) {
        raise(l);
      } else {
        saturate(l, is_above(link.level, full) || link.is_raised ? full : link.level);
      }
    }
  }

  // The flows of a watched link keep their rate. Those of a link that is filling move at this level
  // too, since it would have been raised below otherwise: the watched link holds them from now on.
  void confirm(std::int32_t l) {
    decide(links_[l], links_[l].level);
    decided_level_ = links_[l].level;
    for (const auto& [f, holder] : on_.held_by(l)) tell(f, links_[l].level);
    for (const auto& [f, holder] : on_.guests_of(l)) {
      if (links_[holder].state == State::filling) moving_.push_back(f);
    }
    for (const std::int32_t f : moving_) {
      tell(f, links_[l].level);
      hold(f, l);
    }
    moving_.clear();
  }

  // The flows of this link go beyond its old level, which changes their other links.
  void raise(std::int32_t l) {
    links_[l].is_raised = true;
    if (is_above(now_, decided_level_)) {
      for (const auto& [f, holder] : on_.held_by(l)) join_others(f);
    } else {
      raise_at_tie(l);
    }
    if (links_[l].state == State::filling) enqueue(l, key_of(links_[l]));
  }

  void raise_at_tie(std::int32_t l) {
    for (const auto& [f, holder] : on_.held_by(l)) moving_.push_back(f);
    for (const std::int32_t f : moving_) {
      if (!is_held(f)) join_others(f);
    }
    moving_.clear();
  }

  // Whether another link was decided at the same level, and holds the flow from now on.
  bool is_held(std::int32_t flow) {
    for (const std::int32_t other : routes_.of(flow)) {
      const Link& link = links_[other];
      if (link.state != State::decided || link.level == unsaturated) continue;
      tell(flow, link.level);
      hold(flow, other);
      return true;
    }
    return false;
  }

  void join_others(std::int32_t flow) {
    for (const std::int32_t other : routes_.of(flow)) {
      if (can_join(links_[other])) join(other);
    }
  }

  void saturate(std::int32_t l, double level) {
    const double old_level = links_[l].level;
    const std::uint32_t open = links_[l].open;
    decide(links_[l], level);
    decided_level_ = level;
    --filling_;
    lanes_.set_rate(first_lane_ + l, level);
    const auto held = on_.held_by(l);
    const bool has_slowed = is_above(old_level, now_);
    for (const auto& [f, holder] : held) tell(f, level);
    if (has_slowed) {
      for (const auto& [f, holder] : held) slow_down(f);
    }
    if (open > held.size()) take_guests(l);
    for (const std::int32_t other : joining_) {
      if (can_join(links_[other])) join(other);
    }
    joining_.clear();
  }

  // The flows that are not decided yet, though another link held them or none did.
  void take_guests(std::int32_t l) {
    const auto guests = on_.guests_of(l);
    moving_.resize(guests.size());
    std::size_t count = 0;
    for (const auto& [f, holder] : guests) {
      moving_[count] = f;
      count += !is_decided(holder);
    }
    moving_.resize(count);
    for (const std::int32_t f : moving_) {
      const std::int32_t holder = on_.holder(f);
      if (holder != Lanes::none && is_above(links_[holder].level, now_)) slow_down(f);
      tell(f, links_[l].level);
      hold(f, l);
    }
    moving_.clear();
  }

  void hold(std::int32_t flow, std::int32_t l) {
    on_.hold(flow, on_.holder(flow), l);
    lanes_.place(flow, first_lane_ + l);
  }

  // Takes a flow that was decided out of the other links. Without a branch on whether they fill:
  // what it does to those that do not is never read.
  void tell(std::int32_t flow, double rate) {
    Link* const links = links_.data();
    for (const std::int32_t other : routes_.of(flow)) {
      Link& link = links[other];
      link.left -= rate;
      if (--link.open == 0 && link.state == State::filling) stay_unsaturated(link);
    }
  }

  // A flow slower than before leaves room, which matters to saturated links alone.
  void slow_down(std::int32_t flow) {
    for (const std::int32_t other : routes_.of(flow)) {
      if (links_[other].level < unsaturated && can_join(links_[other])) joining_.push_back(other);
    }
  }

  static void decide(Link& link, double level) {
    link.level = level;
    link.state = State::decided;
    link.decided_above = -1.0;
  }

  void stay_unsaturated(Link& link) {
    decide(link, unsaturated);
    --filling_;
  }

  void reset() {
    for (const std::int32_t l : touched_) {
      links_[l].state = State::idle;
      links_[l].decided_above = links_[l].level * (1.0 + same_level);
      links_[l].is_queued = false;
    }
    for (const std::int32_t l : changed_) {
      links_[l].fresh = 0;
      links_[l].is_changed = false;
    }
    touched_.clear();
    changed_.clear();
    queue_.clear();
  }

  HeapView<ByKeyAndId> queue() { return {queue_, queue_place_}; }

  Lanes& lanes_;
  Routes routes_;
  std::int32_t first_lane_;  // of the links
  HeldFlows on_;
  std::vector<Link> links_;
  double now_ = 0.0;            // the level that filling has reached
  double decided_level_ = 0.0;  // of the link decided last
  std::int32_t filling_ = 0;
  // Links by the level at which they have something to do; ties by their numbers, so that equal
  // links saturate one after the other, without a trace of rounding on those that then are free.
  std::vector<HeapEntry> queue_;
  std::vector<std::int32_t> queue_place_;
  std::vector<std::int32_t> changed_, touched_, joining_, moving_;
};

// Classes whose own links let them have less than an equal share of what is left have that.
void fill(double left, std::span<Ray> rays) {
  double open = 0.0;
  for (const Ray& ray : rays) open += ray.flows;
  std::vector<Ray*> rest;
  for (Ray& ray : rays) rest.push_back(&ray);
  for (bool is_same = false; !is_same && !rest.empty();) {
    const double equal = left / open;
    const auto slow = std::partition(rest.begin(), rest.end(),
                                     [equal](const Ray* ray) { return ray->most > equal; });
    is_same = slow == rest.end();
    for (auto ray = slow; ray != rest.end(); ++ray) {
      (*ray)->rate = (*ray)->most;
      left -= (*ray)->flows * (*ray)->most;
      open -= (*ray)->flows;
    }
    rest.erase(slow, rest.end());
  }
  for (Ray* ray : rest) ray->rate = left / open;
}

std::unique_ptr<Sharing> make(const Setting& setting, Lanes& lanes) {
  std::unique_ptr<Sharing> found =
      std::make_unique<Stars>(setting, lanes, std::make_unique<MaxMin>(setting, lanes), fill);
  if constexpr (!CONTEND_CHECK_RATES) return found;
  return std::make_unique<Refill>(setting, lanes, std::move(found));
}

}  // namespace

SharingModel maxmin() {
  return {
      .name = "maxmin", .parameters = {}, .has_routes = true, .keeps_capacity = true, .make = make};
}

}  // namespace contend::sharing
