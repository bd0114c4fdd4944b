// alpha-fair: rates of greatest utility, from proportional fairness towards max-min fairness.
//
// Source: Mo, Walrand, "Fair end-to-end window-based congestion control", IEEE/ACM Transactions on
// Networking, 2000; Kelly, Maulloo, Tan, "Rate control for communication networks", 1998.
// Idea: maximise the sum of x^(1 - alpha) / (1 - alpha) over the rates x that the links can carry.
// Each link has a price, 0 where it is not full, and x = (sum of the prices of its route)^(-1 /
// alpha): a flow held up at both ends gets less than one held up at one. alpha = 1 is how equal
// windows that wait in queues share (rate times queueing delay is the window); 2 is near what TCP
// makes of losses; a large alpha is max-min fairness. Prices are found one link after another, each
// such that its flows fill it (coordinate descent on the dual, which is convex), until none moves.
// Cost per event: sweeps over the flows of all links connected to those that changed.
// Range: one congested switch or several, long flows under a window-based transport.
// Cannot see: loss and time-outs, slow start, unequal round trip times, luck.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "contend/sharing.hpp"
#include "lanes.hpp"
#include "routes.hpp"

namespace contend::sharing {
namespace {

constexpr int most_sweeps = 10000;
constexpr double settled = 1e-13;  // relative change of a rate in a sweep
constexpr int most_steps = 200;    // of Newton's method, which needs a handful

class AlphaFair : public Sharing {
 public:
  explicit AlphaFair(const Setting& setting)
      : alpha_(setting.parameters[0]),
        bandwidth_(setting.network.bandwidth),
        flow_count_(static_cast<std::int32_t>(setting.flows.start.size())),
        routes_(setting),
        on_(routes_),
        price_(static_cast<std::size_t>(routes_.links())),
        is_reached_(price_.size()),
        rate_(static_cast<std::size_t>(flow_count_)),
        is_shared_(rate_.size()) {}

  void start(std::int32_t flow) override {
    on_.add(flow);
    change(flow);
  }

  void end(std::int32_t flow) override {
    on_.remove(flow);
    change(flow);
  }

  // One lane per flow.
  void share(Lanes& lanes) override {
    if (is_first_) lanes.add(flow_count_);
    is_first_ = false;
    reach();
    for (const std::int32_t l : links_) price_[l] = 0.0;
    for (const std::int32_t f : flows_) rate_[f] = 0.0;
    int sweep = 0;
    do {
      for (const std::int32_t l : links_) price_[l] = fair_price(l);
    } while (move_rates() > settled && ++sweep < most_sweeps);
    for (const std::int32_t f : flows_) {
      lanes.set_rate(f, bandwidth_ * rate_[f] / overload(f));
      lanes.place(f, f);
    }
    forget();
  }

 private:
  void change(std::int32_t flow) {
    for (const std::int32_t l : routes_.of(flow)) reach_link(l);
  }

  void reach_link(std::int32_t l) {
    if (is_reached_[l]) return;
    is_reached_[l] = true;
    links_.push_back(l);
  }

  // All links and flows connected to the links that changed, in order of number: what they get
  // depends on who is there, not on who came first.
  void reach() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      for (const std::int32_t f : on_.on(links_[i])) {
        if (is_shared_[f]) continue;
        is_shared_[f] = true;
        flows_.push_back(f);
        for (const std::int32_t l : routes_.of(f)) reach_link(l);
      }
    }
    std::sort(links_.begin(), links_.end());
    std::sort(flows_.begin(), flows_.end());
  }

  void forget() {
    for (const std::int32_t l : links_) is_reached_[l] = false;
    for (const std::int32_t f : flows_) is_shared_[f] = false;
    links_.clear();
    flows_.clear();
  }

  double capacity(std::int32_t l) const { return routes_.capacity(l) / bandwidth_; }

  double price_elsewhere(std::int32_t flow, std::int32_t link) const {
    double sum = 0.0;
    for (const std::int32_t l : routes_.of(flow)) {
      if (l != link) sum += price_[l];
    }
    return sum;
  }

  // The price at which the flows of a link fill it. Newton's method comes from below and cannot
  // overshoot: the load is convex in the price.
  double fair_price(std::int32_t l) {
    const auto& flows = on_.on(l);
    if (flows.empty()) return 0.0;
    elsewhere_.clear();
    for (const std::int32_t f : flows) elsewhere_.push_back(price_elsewhere(f, l));
    const double least = *std::min_element(elsewhere_.begin(), elsewhere_.end());
    double price = std::max(0.0, std::pow(capacity(l), -alpha_) - least);
    for (int step = 0; step < most_steps; ++step) {
      double load = 0.0;
      double slope = 0.0;
      for (const double other : elsewhere_) {
        const double rate = std::pow(price + other, -1.0 / alpha_);
        load += rate;
        slope += rate / (price + other) / alpha_;
      }
      const double more = (load - capacity(l)) / slope;
      if (!(more > 1e-15 * price)) break;
      price += more;
    }
    return price;
  }

  // The largest relative change of a rate.
  double move_rates() {
    double largest = 0.0;
    for (const std::int32_t f : flows_) {
      const double rate = std::pow(price_elsewhere(f, -1), -1.0 / alpha_);
      largest = std::max(largest, std::abs(rate - rate_[f]) / rate);
      rate_[f] = rate;
    }
    return largest;
  }

  // What the sweeps left on the fullest link of a flow above its capacity, at least 1.
  double overload(std::int32_t flow) const {
    double most = 1.0;
    for (const std::int32_t l : routes_.of(flow)) {
      double load = 0.0;
      for (const std::int32_t f : on_.on(l)) load += rate_[f];
      most = std::max(most, load / capacity(l));
    }
    return most;
  }

  double alpha_;
  double bandwidth_;
  std::int32_t flow_count_;
  Routes routes_;
  LinkFlows on_;
  std::vector<double> price_;  // (n_links,)
  std::vector<char> is_reached_;
  std::vector<double> rate_;  // (n_flows,) over the bandwidth
  std::vector<char> is_shared_;
  std::vector<std::int32_t> links_, flows_;  // connected to what changed
  std::vector<double> elsewhere_;
  bool is_first_ = true;
};

}  // namespace

SharingModel alpha_fair() {
  return {"alpha-fair", {{"alpha", 2.0}}, true, true, [](const Setting& setting) {
            return std::make_unique<AlphaFair>(setting);
          }};
}

}  // namespace contend::sharing
