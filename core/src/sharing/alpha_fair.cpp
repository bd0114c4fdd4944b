// alpha-fair: rates of greatest utility, from proportional fairness towards max-min fairness.
//
// Source: Mo, Walrand, "Fair end-to-end window-based congestion control", IEEE/ACM Transactions on
// Networking, 2000; Kelly, Maulloo, Tan, "Rate control for communication networks", 1998.
// Idea: maximise the sum of x^(1 - alpha) / (1 - alpha) over the rates x that the links can carry.
// Each link has a price, 0 where it is not full, and x = (sum of the prices of its route)^(-1 /
// alpha): a flow held up at both ends gets less than one held up at one. alpha = 1 is how equal
// windows that wait in queues share (rate times queueing delay is the window); 2 is near what TCP
// makes of losses; a large alpha is max-min fairness. How prices are found: fair_prices.hpp.
// Cost per event: that of the links connected, by classes of flows that share them, to those that
// changed; for one such link the number of classes on it.
// Range: one congested switch or several, long flows under a window-based transport. alpha from
// 0.05 to 300.
// Cannot see: loss and time-outs, slow start, unequal round trip times, luck.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/fair_prices.hpp"
#include "rates/flow_classes.hpp"
#include "rates/lanes.hpp"

namespace contend::sharing {
namespace {

class AlphaFair : public Sharing {
 public:
  AlphaFair(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        first_lane_(lanes.add(0)),
        bandwidth_(setting.network.bandwidth),
        classes_(setting),
        lists_(classes_) {
    problem_.alpha = setting.parameters[0];
  }

  void start(std::int32_t flow) override { change(classes_.start(flow)); }
  void end(std::int32_t flow) override { change(classes_.end(flow)); }

  // One lane per class.
  void share() override {
    const auto bound = static_cast<std::size_t>(classes_.bound());
    if (bound > is_shared_.size())
      lanes_.add(classes_.bound() - static_cast<std::int32_t>(is_shared_.size()));
    is_shared_.resize(bound, false);
    place_.resize(static_cast<std::size_t>(classes_.link_bound()), unreached);
    price_.resize(place_.size(), 0.0);
    for (const std::int32_t l : changed_) {
      for (const std::int32_t one : lists_.on(l)) {
        if (!is_shared_[one]) share_with(one);
      }
    }
    for (const std::int32_t one : shared_) is_shared_[one] = false;
    for (const std::int32_t flow : moved_) {
      if (const std::int32_t one = classes_.of(flow); one != FlowClasses::none) {
        lanes_.place(flow, first_lane_ + one);
      }
    }
    shared_.clear();
    changed_.clear();
    moved_.clear();
  }

 private:
  static constexpr std::int32_t unreached = -1;

  void change(const std::vector<FlowClasses::Move>& moves) {
    lists_.follow(moves);
    for (const FlowClasses::Move& move : moves) {
      for (const std::int32_t one : {move.from, move.to}) {
        if (one == FlowClasses::none) continue;
        const auto links = classes_.links(one);
        changed_.insert(changed_.end(), links.begin(), links.end());
      }
      moved_.push_back(move.flow);
    }
  }

  // Shares what this class and all that are connected with it pass.
  void share_with(std::int32_t one) {
    const std::size_t first = shared_.size();
    reach(one);
    for (std::size_t i = first; i < shared_.size(); ++i) {
      for (const std::int32_t l : classes_.links(shared_[i])) reach_all_on(l);
    }
    std::sort(links_.begin(), links_.end());
    problem_.clear();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      place_[links_[i]] = static_cast<std::int32_t>(i);
      problem_.capacity.push_back(classes_.capacity(links_[i]) / bandwidth_);
      problem_.price.push_back(price_[links_[i]]);
    }
    for (std::size_t i = first; i < shared_.size(); ++i) add_class(shared_[i]);
    const std::vector<double>& rates = prices_.rates(problem_);
    for (std::size_t i = first; i < shared_.size(); ++i) {
      lanes_.set_rate(first_lane_ + shared_[i], bandwidth_ * rates[i - first]);
    }
    keep_prices();
    for (const std::int32_t l : links_) place_[l] = unreached;
    links_.clear();
  }

  void reach(std::int32_t one) {
    if (is_shared_[one]) return;
    is_shared_[one] = true;
    shared_.push_back(one);
  }

  // A bundle is of one class alone, and no link of the problem.
  void reach_all_on(std::int32_t l) {
    if (classes_.is_bundle(l) || place_[l] != unreached) return;
    place_[l] = 0;
    links_.push_back(l);
    for (const std::int32_t one : lists_.on(l)) reach(one);
  }

  // What the next problem begins with. A link that is alone has a price as well, that of its rates,
  // which no problem of several links has to begin with.
  void keep_prices() {
    if (links_.size() < 2) return;
    const std::vector<double> prices = prices_.prices();
    for (std::size_t i = 0; i < links_.size(); ++i) price_[links_[i]] = prices[i];
  }

  void add_class(std::int32_t one) {
    for (const std::int32_t l : classes_.links(one)) {
      if (!classes_.is_bundle(l)) problem_.links.push_back(place_[l]);
    }
    problem_.add_class(classes_.size(one), classes_.most(one) / bandwidth_);
  }

  Lanes& lanes_;
  std::int32_t first_lane_;
  double bandwidth_;
  FlowClasses classes_;
  ClassLists lists_;
  FairProblem problem_;
  FairPrices prices_;
  std::vector<std::int32_t> changed_, moved_;  // links, flows
  std::vector<std::int32_t> shared_;           // classes that have got a rate
  std::vector<char> is_shared_;                // (classes,)
  std::vector<std::int32_t> links_;            // connected ones
  std::vector<std::int32_t> place_;            // (links,) in links_
  std::vector<double> price_;                  // (links,) of the last problem that it was in
};

}  // namespace

SharingModel alpha_fair() {
  return {.name = "alpha-fair",
          .parameters = {{.name = "alpha", .initial = 2.0, .least = 0.05, .most = 300.0}},
          .has_routes = true,
          .keeps_capacity = true,
          .make = [](const Setting& setting, Lanes& lanes) {
            return std::make_unique<AlphaFair>(setting, lanes);
          }};
}

}  // namespace contend::sharing
