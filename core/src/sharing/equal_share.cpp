// equal_share: a link's bandwidth over its number of flows; a flow gets the least of its links.
//
// Source: Kim, Lee, "Measurement and prediction of communication delays in Myrinet networks", 2001.
// Idea: rate = min over the links of the route of capacity / flows on the link. A flow is in the
// lane of the link that gives it least.
// Cost per event: the flows on the links of the flows that start or end, times links per route.
// Range: flows that are held up everywhere at once, as in lock step.
// Cannot see: what flows that are slow elsewhere leave to the others.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/lanes.hpp"
#include "rates/routes.hpp"
#include "rates/stars.hpp"

namespace contend::sharing {
namespace {

class EqualShare : public Sharing {
 public:
  EqualShare(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        routes_(setting),
        on_(routes_),
        rate_(static_cast<std::size_t>(routes_.links())),
        is_changed_(rate_.size()),
        first_lane_(lanes.add(routes_.links())) {}

  void start(std::int32_t flow) override {
    on_.add(flow);
    change(flow);
  }

  void end(std::int32_t flow) override {
    on_.remove(flow);
    change(flow);
  }

  // One lane per link.
  void share() override {
    for (const std::int32_t l : changed_) {
      if (on_.on(l).empty()) continue;
      rate_[l] = routes_.capacity(l) / static_cast<double>(on_.on(l).size());
      lanes_.set_rate(first_lane_ + l, rate_[l]);
    }
    for (const std::int32_t l : changed_) {
      for (const std::int32_t f : on_.on(l)) lanes_.place(f, first_lane_ + slowest(f));
      is_changed_[l] = false;
    }
    changed_.clear();
  }

 private:
  void change(std::int32_t flow) {
    for (const std::int32_t l : routes_.of(flow)) {
      if (!is_changed_[l]) changed_.push_back(l);
      is_changed_[l] = true;
    }
  }

  std::int32_t slowest(std::int32_t flow) const {
    std::int32_t least = routes_.of(flow).front();
    for (const std::int32_t l : routes_.of(flow)) {
      if (rate_[l] < rate_[least]) least = l;
    }
    return least;
  }

  Lanes& lanes_;
  Routes routes_;
  LinkFlows on_;
  std::vector<double> rate_;  // (links,) of a flow that the link holds up
  std::vector<bool> is_changed_;
  std::vector<std::int32_t> changed_;
  std::int32_t first_lane_;
};

void divide(double capacity, std::span<Ray> rays) {
  double flows = 0.0;
  for (const Ray& ray : rays) flows += ray.flows;
  for (Ray& ray : rays) ray.rate = std::min(ray.most, capacity / flows);
}

}  // namespace

SharingModel equal_share() {
  return {.name = "equal_share",
          .parameters = {},
          .has_routes = true,
          .keeps_capacity = true,
          .make = [](const Setting& setting, Lanes& lanes) {
            return std::make_unique<Stars>(setting, lanes,
                                           std::make_unique<EqualShare>(setting, lanes), divide);
          }};
}

}  // namespace contend::sharing
