// Between switches: penalties at the hosts, max-min beyond; see between_switches.hpp.
#include "rates/between_switches.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rates/lanes.hpp"
#include "rates/routes.hpp"

namespace contend {
namespace {

constexpr double unsaturated = std::numeric_limits<double>::infinity();

// The same flows as if all hosts were on one switch.
Setting on_one_switch(const Setting& setting) {
  Setting bare = setting;
  bare.network = {setting.network.bandwidth, {}, {}, {}};
  return bare;
}

class BetweenSwitches : public Sharing {
 public:
  BetweenSwitches(const Setting& setting, const SharingModel& model, Lanes& lanes)
      : lanes_(lanes),
        first_lane_(lanes.add(0)),
        bare_(on_one_switch(setting)),
        bounds_(setting.flows.start.size()),
        penalties_(model.make(bare_, bounds_)),
        routes_(setting),
        route_of_(route_numbers(routes_, setting.flows.start.size())),
        class_of_(route_of_.size(), none),
        links_(static_cast<std::size_t>(routes_.links())) {}

  void start(std::int32_t flow) override {
    penalties_->start(flow);
    bounds_.enter(flow, 1.0);
  }

  void end(std::int32_t flow) override {
    penalties_->end(flow);
    leave(flow);
  }

  // One lane per class.
  void share() override {
    penalties_->share();
    for (const std::int32_t flow : bounds_.placed()) {
      if (class_of_[flow] != none) leave(flow);
      join(flow);
    }
    bounds_.settle();
    open_links();
    fill();
    used_.clear();
  }

 private:
  static constexpr std::int32_t none = -1;

  // Flows with the same penalty and the same route.
  struct Class {
    std::uint64_t key = 0;       // lane of the penalties, and number of the route
    std::int32_t sample = none;  // a flow with this route
    std::int32_t size = 0;
    std::size_t place = 0;  // in active_
    double rate = 0.0;      // computed
  };
  struct Link {
    double left = 0.0;
    std::vector<std::int32_t> classes{};  // those with flows
    std::int32_t open = 0;                // flows of these, without a rate yet
  };
  using Entry = std::pair<double, std::int32_t>;  // level, and link or class

  void join(std::int32_t flow) {
    const std::uint64_t key = static_cast<std::uint64_t>(bounds_.lane(flow)) << 32 |
                              static_cast<std::uint32_t>(route_of_[flow]);
    const auto [found, is_new] = class_with_.try_emplace(key, none);
    if (is_new) found->second = make(key);
    const std::int32_t one = found->second;
    classes_[one].sample = flow;
    ++classes_[one].size;
    class_of_[flow] = one;
    lanes_.place(flow, first_lane_ + one);
  }

  std::int32_t make(std::uint64_t key) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::int32_t>(classes_.size()));
      classes_.emplace_back();
      lanes_.add(1);
    }
    const std::int32_t one = free_.back();
    free_.pop_back();
    classes_[one].key = key;
    classes_[one].place = active_.size();
    active_.push_back(one);
    return one;
  }

  void leave(std::int32_t flow) {
    const std::int32_t one = class_of_[flow];
    class_of_[flow] = none;
    if (--classes_[one].size > 0) return;
    class_with_.erase(classes_[one].key);
    active_[classes_[one].place] = active_.back();
    classes_[active_.back()].place = classes_[one].place;
    active_.pop_back();
    free_.push_back(one);
  }

  std::span<const std::int32_t> route(const Class& one) const { return routes_.of(one.sample); }

  double bound(const Class& one) const {
    return bounds_.rate(static_cast<std::int32_t>(one.key >> 32));
  }

  void open_links() {
    for (const std::int32_t one : active_) {
      for (const std::int32_t l : route(classes_[one])) {
        Link& link = links_[l];
        if (link.open == 0) {
          link.left = routes_.capacity(l);
          link.classes.clear();
          used_.push_back(l);
        }
        link.classes.push_back(one);
        link.open += classes_[one].size;
      }
    }
  }

  // Raises all rates together: a flow stops at its bound or where a link of its route is full.
  void fill() {
    by_bound_.clear();
    for (const std::int32_t one : active_) {
      by_bound_.emplace_back(bound(classes_[one]), one);
      classes_[one].rate = unsaturated;
    }
    std::sort(by_bound_.begin(), by_bound_.end());
    std::vector<Entry> levels;
    for (const std::int32_t l : used_) levels.emplace_back(level(l), l);
    full_ = Queue(std::greater<>(), std::move(levels));
    for (const auto& [most, one] : by_bound_) {
      saturate_below(most);
      if (is_open(one)) stop(one, most);
    }
    for (const std::int32_t l : used_) links_[l].open = 0;
  }

  bool is_open(std::int32_t one) const { return classes_[one].rate == unsaturated; }

  double level(std::int32_t l) const { return std::max(0.0, links_[l].left) / links_[l].open; }

  // Levels only rise while flows stop elsewhere: an entry that is out of date comes back later.
  void saturate_below(double most) {
    while (!full_.empty() && full_.top().first < most) {
      const auto [due, l] = full_.top();
      full_.pop();
      if (links_[l].open == 0) continue;
      const double now = level(l);
      if (now > due) {
        full_.emplace(now, l);
        continue;
      }
      for (const std::int32_t one : links_[l].classes) {
        if (is_open(one)) stop(one, now);
      }
    }
  }

  void stop(std::int32_t number, double rate) {
    Class& one = classes_[number];
    one.rate = rate;
    for (const std::int32_t l : route(one)) {
      links_[l].left -= one.size * rate;
      links_[l].open -= one.size;
    }
    lanes_.set_rate(first_lane_ + number, rate);
  }

  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  Lanes& lanes_;
  std::int32_t first_lane_;  // of the classes
  Setting bare_;
  Lanes bounds_;  // of the penalties; nothing ever moves in them
  std::unique_ptr<Sharing> penalties_;
  Routes routes_;
  std::vector<std::int32_t> route_of_, class_of_;  // (n_flows,)
  std::vector<Class> classes_;
  std::unordered_map<std::uint64_t, std::int32_t> class_with_;
  std::vector<std::int32_t> active_, free_;  // classes with flows, and without
  std::vector<Link> links_;
  std::vector<std::int32_t> used_;  // links of active classes
  std::vector<Entry> by_bound_;
  Queue full_;  // links that may become full, by level
};

}  // namespace

std::unique_ptr<Sharing> make_sharing(const Setting& setting, const SharingModel& model,
                                      Lanes& lanes) {
  if (model.has_routes || setting.network.offsets.empty()) return model.make(setting, lanes);
  return std::make_unique<BetweenSwitches>(setting, model, lanes);
}

}  // namespace contend
