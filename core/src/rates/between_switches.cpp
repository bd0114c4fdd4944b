// Between switches: penalties at the hosts, max-min beyond; see between_switches.hpp.
#include "rates/between_switches.hpp"

#include <cmath>
#include <cstdint>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "contend/error.hpp"
#include "rates/bounded_shares.hpp"
#include "rates/lanes.hpp"
#include "rates/routes.hpp"

namespace contend {
namespace {

constexpr double tolerance = 1e-9;  // of what filling anew finds

// The same flows as if all hosts were on one switch.
Setting on_one_switch(const Setting& setting) {
  Setting bare = setting;
  bare.network = {setting.network.bandwidth, {}, {}, {}};
  return bare;
}

std::vector<double> capacities(const Routes& routes) {
  std::vector<double> result;
  for (std::int32_t l = 0; l < routes.links(); ++l) result.push_back(routes.capacity(l));
  return result;
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
        shares_(capacities(routes_)) {}

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
    renew_bounds();
    for (const std::int32_t one : shares_.share()) {
      lanes_.set_rate(first_lane_ + one, shares_.rate(one));
    }
    if constexpr (CONTEND_CHECK_RATES) check_rates();
    for (const std::int32_t one : emptied_) close(one);
    emptied_.clear();
  }

 private:
  static constexpr std::int32_t none = -1;

  // Flows with the same penalty and the same route; of those whose route has no link, with the same
  // penalty.
  struct Class {
    std::uint64_t key = 0;  // lane of the penalties, and number of the route
    std::int32_t flows = 0;
    std::size_t place = 0;  // among the classes of the lane
    bool is_renewed = false;
  };
  // Of the penalties, while flows are in it.
  struct Bound {
    double rate = 0.0;
    std::vector<std::int32_t> classes{};
    std::size_t place = 0;  // in used_
  };

  void join(std::int32_t flow) {
    const std::uint64_t key = static_cast<std::uint64_t>(bounds_.lane(flow)) << 32 |
                              static_cast<std::uint32_t>(route_of_[flow]);
    const auto [found, is_new] = class_with_.try_emplace(key, none);
    if (is_new) found->second = make(key, flow);
    const std::int32_t one = found->second;
    ++classes_[one].flows;
    renew(one);
    class_of_[flow] = one;
    lanes_.place(flow, first_lane_ + one);
  }

  void leave(std::int32_t flow) {
    const std::int32_t one = std::exchange(class_of_[flow], none);
    renew(one);
    if (--classes_[one].flows == 0) emptied_.push_back(one);
  }

  std::int32_t make(std::uint64_t key, std::int32_t flow) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::int32_t>(classes_.size()));
      classes_.emplace_back();
      lanes_.add(1);
    }
    const std::int32_t one = free_.back();
    free_.pop_back();
    shares_.open(one, routes_.of(flow));
    Bound& bound = bound_of(lane_of(key));
    classes_[one] = {key, 0, bound.classes.size()};
    bound.classes.push_back(one);
    return one;
  }

  // Unless it has flows again.
  void close(std::int32_t one) {
    if (classes_[one].flows > 0 || !class_with_.erase(classes_[one].key)) return;
    const std::int32_t lane = lane_of(classes_[one].key);
    Bound& bound = bounded_[lane];
    bound.classes[classes_[one].place] = bound.classes.back();
    classes_[bound.classes.back()].place = classes_[one].place;
    bound.classes.pop_back();
    if (bound.classes.empty()) {
      used_[bound.place] = used_.back();
      bounded_[used_.back()].place = bound.place;
      used_.pop_back();
    }
    shares_.close(one);
    free_.push_back(one);
  }

  static std::int32_t lane_of(std::uint64_t key) { return static_cast<std::int32_t>(key >> 32); }

  Bound& bound_of(std::int32_t lane) {
    const auto count = static_cast<std::size_t>(lane) + 1;
    if (bounded_.size() < count) bounded_.resize(count);
    Bound& bound = bounded_[lane];
    if (bound.classes.empty()) {
      bound.place = used_.size();
      used_.push_back(lane);
    }
    return bound;
  }

  void renew(std::int32_t one) {
    if (std::exchange(classes_[one].is_renewed, true)) return;
    renewed_.push_back(one);
  }

  void renew_bounds() {
    for (const std::int32_t lane : used_) {
      Bound& bound = bounded_[lane];
      if (std::exchange(bound.rate, bounds_.rate(lane)) == bound.rate) continue;
      for (const std::int32_t one : bound.classes) renew(one);
    }
    for (const std::int32_t one : renewed_) {
      classes_[one].is_renewed = false;
      shares_.change(one, classes_[one].flows, bounded_[lane_of(classes_[one].key)].rate);
    }
    renewed_.clear();
  }

  void check_rates() const {
    const std::vector<double> expected = shares_.refilled();
    for (const std::int32_t lane : used_) {
      for (const std::int32_t one : bounded_[lane].classes) {
        const double found = shares_.rate(one);
        if (classes_[one].flows == 0 ||
            std::abs(found - expected[one]) <= tolerance * expected[one]) {
          continue;
        }
        std::ostringstream message;
        message << "a class of " << classes_[one].flows << " flows got the rate " << found
                << ", but filling anew gives it " << expected[one]
                << "; this is a mistake of the core";
        throw Error(message.str());
      }
    }
  }

  Lanes& lanes_;
  std::int32_t first_lane_;  // of the classes
  Setting bare_;
  Lanes bounds_;  // of the penalties; nothing ever moves in them
  std::unique_ptr<Sharing> penalties_;
  Routes routes_;
  std::vector<std::int32_t> route_of_, class_of_;  // (n_flows,)
  BoundedShares shares_;
  std::vector<Class> classes_;
  std::unordered_map<std::uint64_t, std::int32_t> class_with_;
  std::vector<Bound> bounded_;                   // (lanes of the penalties,)
  std::vector<std::int32_t> used_;               // lanes of the penalties with classes
  std::vector<std::int32_t> free_;               // numbers of classes that were closed
  std::vector<std::int32_t> renewed_, emptied_;  // classes
};

}  // namespace

std::unique_ptr<Sharing> make_sharing(const Setting& setting, const SharingModel& model,
                                      Lanes& lanes) {
  if (model.has_routes || setting.network.offsets.empty()) return model.make(setting, lanes);
  return std::make_unique<BetweenSwitches>(setting, model, lanes);
}

}  // namespace contend
