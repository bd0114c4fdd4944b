// Held flows: the flows on each link, by the link that holds each; and the tight links of routes.
//
// Idea: a link with slack is one that its flows cannot fill as things are, the others are tight.
// The tight links of a route come first, and an entry of a flow names two of them beside its own,
// so that one walk along a link's entries reaches all that depend on it.
// Cost: O(links of the route) to add or remove a flow; four numbers per flow and link in the
// network, two for each that is not; O(flows on it) for a link that becomes tight, or slack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rates/routes.hpp"

namespace contend {

// A flow on a link.
struct HeldFlow {
  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t several = -2;

  std::int32_t flow;
  // Of tight links only, as is what follows: a link, or none.
  std::int32_t holder;
  // The other tight links of the route: one, then none; two; none at all; or several and none.
  std::array<std::int32_t, 2> others;
};

// The flows on a link: those first that the link holds.
struct FlowsOnLink {
  std::vector<HeldFlow> all{};
  std::int32_t held = 0;
  bool has_slack = true;  // since there is none

  std::int32_t count() const { return static_cast<std::int32_t>(all.size()); }
  std::span<const HeldFlow> holds() const {
    return std::span<const HeldFlow>(all).first(static_cast<std::size_t>(held));
  }
  std::span<const HeldFlow> guests() const {
    return std::span<const HeldFlow>(all).subspan(static_cast<std::size_t>(held));
  }
};

class HeldFlows {
 public:
  static constexpr std::int32_t none = HeldFlow::none;

  // The links of a route change their order.
  HeldFlows(Routes& routes, std::size_t flows)
      : routes_(routes),
        links_(static_cast<std::size_t>(routes.links())),
        place_(routes.hops()),
        tight_(flows, none) {}

  const FlowsOnLink& on(std::int32_t link) const { return links_[link]; }
  bool is_here(std::int32_t flow) const { return tight_[flow] != none; }
  // Of a flow that is here; none before a link holds it.
  std::int32_t holder(std::int32_t flow) const {
    if (tight_[flow] == 0) return none;
    const std::size_t hop = routes_.first(flow);
    return links_[routes_.link(hop)].all[place_[hop]].holder;
  }
  std::span<const std::int32_t> tight(std::int32_t flow) const {
    return routes_.of(flow).first(static_cast<std::size_t>(tight_[flow]));
  }
  std::span<const std::int32_t> slack(std::int32_t flow) const {
    return routes_.of(flow).subspan(static_cast<std::size_t>(tight_[flow]));
  }

  void add(std::int32_t flow);
  void remove(std::int32_t flow);
  void hold(std::int32_t flow, std::int32_t old_holder, std::int32_t holder);
  void tighten(std::int32_t link);
  void slacken(std::int32_t link);  // which holds no flow

 private:
  void put(std::int32_t link, std::int32_t place, const HeldFlow& entry);
  void swap(std::int32_t link, std::int32_t a, std::int32_t b);
  void swap_hops(std::size_t a, std::size_t b);
  void name_others(std::int32_t flow);

  Routes& routes_;
  std::vector<FlowsOnLink> links_;
  std::vector<std::int32_t> place_;  // (n_hops,) on the link
  std::vector<std::int32_t> tight_;  // (n_flows,) number of tight links; none: not here
};

}  // namespace contend
