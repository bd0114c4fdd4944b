// Stars: flows that share one link alone, without a look at each of them.
//
// Idea: where the classes of flows on a link (flow_classes.hpp) share no other one, the link is the
// centre of a star: one hot host, or one trunk. What it gives to each class follows from how many
// flows each has, and from what the links of its own let it have. All flows of a class are in one
// lane. The other flows are left to a model that looks at each; no link carries flows of both
// kinds.
//
// Cost per event: the classes on the links of the flows that start or end; all flows on a link that
// becomes a star, or ceases to be one.
// Restrictions: models that follow routes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/flow_classes.hpp"

namespace contend {

// A class on the link in the middle: its flows, and the most that each may get elsewhere.
struct Ray {
  double flows;
  double most;
  double rate = 0.0;  // computed, of each flow
};

class Stars : public Sharing {
 public:
  using Divide = std::function<void(double capacity, std::span<Ray> rays)>;

  Stars(const Setting& setting, Lanes& lanes, std::unique_ptr<Sharing> others, Divide divide);

  void start(std::int32_t flow) override { follow(classes_.start(flow)); }
  void end(std::int32_t flow) override;
  void share() override;

 private:
  enum class Place : std::uint8_t { outside, star, other };

  void follow(const std::vector<FlowClasses::Move>& moves);
  void count(std::int32_t one);
  std::span<const std::int32_t> shared_links(std::int32_t one) const;
  bool is_star(std::int32_t one) const;
  void put(std::int32_t flow);
  void divide_link(std::int32_t l);

  Lanes& lanes_;
  FlowClasses classes_;
  ClassLists lists_;
  std::unique_ptr<Sharing> others_;
  Divide divide_;
  std::int32_t first_lane_;  // of the classes
  std::int32_t lane_count_ = 0;
  std::vector<Place> place_;           // (n_flows,)
  std::vector<char> is_counted_;       // (classes,) among several_
  std::vector<std::int32_t> several_;  // (n_links,) classes on it that share other links too
  std::vector<std::int32_t> moved_, changed_, turned_;  // flows, links, links that may turn
  std::vector<Ray> rays_;
};

}  // namespace contend
