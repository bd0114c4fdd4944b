// Between switches: penalties at the hosts, max-min beyond; see between_switches.hpp.
#include "between_switches.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "lanes.hpp"

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
  BetweenSwitches(const Setting& setting, const SharingModel& model)
      : network_(setting.network),
        bare_(on_one_switch(setting)),
        penalties_(model.make(bare_)),
        bounds_(setting.flows.start.size()),
        place_(setting.flows.start.size()),
        links_(network_.capacity.size()) {}

  void start(std::int32_t flow) override {
    penalties_->start(flow);
    bounds_.enter(flow, 1.0);
    place_[flow] = active_.size();
    active_.push_back(flow);
  }

  void end(std::int32_t flow) override {
    penalties_->end(flow);
    active_[place_[flow]] = active_.back();
    place_[active_.back()] = place_[flow];
    active_.pop_back();
  }

  // One lane per flow.
  void share(Lanes& lanes) override {
    if (is_first_) lanes.add(static_cast<std::int32_t>(place_.size()));
    is_first_ = false;
    penalties_->share(bounds_);
    open_links();
    fill(lanes);
    used_.clear();
  }

 private:
  struct Link {
    double left = 0.0;
    std::vector<std::int32_t> flows{};  // those in the network
    std::int32_t open = 0;              // of these, without a rate yet
  };
  using Entry = std::pair<double, std::int32_t>;  // level, and link or flow

  std::span<const std::int32_t> route(std::int32_t flow) const {
    const auto first = static_cast<std::size_t>(network_.offsets[flow]);
    return network_.links.subspan(first,
                                  static_cast<std::size_t>(network_.offsets[flow + 1]) - first);
  }

  double bound(std::int32_t flow) const { return bounds_.rate(bounds_.lane(flow)); }

  void open_links() {
    for (const std::int32_t f : active_) {
      for (const std::int32_t l : route(f)) {
        Link& link = links_[l];
        if (link.open == 0) {
          link.left = network_.capacity[l];
          link.flows.clear();
          used_.push_back(l);
        }
        link.flows.push_back(f);
        ++link.open;
      }
    }
  }

  // Raises all rates together: a flow stops at its bound or where a link of its route is full.
  void fill(Lanes& lanes) {
    by_bound_.clear();
    for (const std::int32_t f : active_) by_bound_.emplace_back(bound(f), f);
    std::sort(by_bound_.begin(), by_bound_.end());
    rates_.assign(active_.size(), unsaturated);
    std::vector<Entry> levels;
    for (const std::int32_t l : used_) levels.emplace_back(level(l), l);
    full_ = Queue(std::greater<>(), std::move(levels));
    for (const auto& [most, f] : by_bound_) {
      saturate_below(most, lanes);
      if (is_open(f)) stop(f, most, lanes);
    }
    for (const std::int32_t l : used_) links_[l].open = 0;
  }

  bool is_open(std::int32_t flow) const { return rates_[place_[flow]] == unsaturated; }

  double level(std::int32_t l) const { return std::max(0.0, links_[l].left) / links_[l].open; }

  // Levels only rise while flows stop elsewhere: an entry that is out of date comes back later.
  void saturate_below(double most, Lanes& lanes) {
    while (!full_.empty() && full_.top().first < most) {
      const auto [due, l] = full_.top();
      full_.pop();
      if (links_[l].open == 0) continue;
      const double now = level(l);
      if (now > due) {
        full_.emplace(now, l);
        continue;
      }
      for (const std::int32_t f : links_[l].flows) {
        if (is_open(f)) stop(f, now, lanes);
      }
    }
  }

  void stop(std::int32_t flow, double rate, Lanes& lanes) {
    rates_[place_[flow]] = rate;
    for (const std::int32_t l : route(flow)) {
      links_[l].left -= rate;
      --links_[l].open;
    }
    lanes.set_rate(flow, rate);
    lanes.place(flow, flow);
  }

  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  const Network& network_;
  Setting bare_;
  std::unique_ptr<Sharing> penalties_;
  Lanes bounds_;  // of the penalties; nothing ever moves in them
  std::vector<std::int32_t> active_;
  std::vector<std::size_t> place_;  // (n_flows,) of an active flow in active_
  std::vector<Link> links_;
  std::vector<std::int32_t> used_;  // links of active flows
  std::vector<Entry> by_bound_;
  std::vector<double> rates_;  // (active flows,)
  Queue full_;                 // links that may become full, by level
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<Sharing> make_sharing(const Setting& setting, const SharingModel& model) {
  if (model.has_routes || setting.network.offsets.empty()) return model.make(setting);
  return std::make_unique<BetweenSwitches>(setting, model);
}

}  // namespace contend
