// The links that each flow passes, and the flows that are on each link now.
//
// Cost: O(links of the route) to add or remove a flow; two numbers per flow and link.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/large_pages.hpp"

namespace contend {

class Routes {
 public:
  explicit Routes(const Setting& setting);

  std::int32_t links() const { return static_cast<std::int32_t>(capacity_.size()); }
  double capacity(std::int32_t link) const { return capacity_[link]; }
  std::span<const std::int32_t> of(std::int32_t flow) const {
    return {hops_.data() + first(flow), first(flow + 1) - first(flow)};
  }
  // Hops are the links of all routes, one after the other: those of a flow are first(flow) to
  // first(flow + 1).
  std::size_t hops() const { return hops_.size(); }
  std::size_t first(std::int32_t flow) const {
    const auto f = static_cast<std::size_t>(flow);
    return offsets_.empty() ? 2 * f : static_cast<std::size_t>(offsets_[f]);
  }
  std::int32_t link(std::size_t hop) const { return hops_[hop]; }
  std::size_t hop(std::int32_t flow, std::int32_t link) const {
    std::size_t hop = first(flow);
    while (hops_[hop] != link) ++hop;
    return hop;
  }
  void prefetch(std::int32_t flow) const { __builtin_prefetch(hops_.data() + first(flow)); }
  // The order of links within a route means nothing to max-min shares.
  void swap(std::size_t a, std::size_t b) { std::swap(hops_[a], hops_[b]); }

 private:
  std::vector<double> capacity_;           // (n_links,)
  std::span<const std::int64_t> offsets_;  // as in Network
  LargeArray<std::int32_t> hops_;          // as links in Network; on one switch two for each flow
};

// A number per flow, (n_flows,), counted from 0: flows with the same links have the same one.
std::vector<std::int32_t> route_numbers(const Routes& routes, std::size_t flows);

// The flows on each link, in no order.
class LinkFlows {
 public:
  explicit LinkFlows(const Routes& routes)
      : routes_(routes), place_(routes.hops()), on_(static_cast<std::size_t>(routes.links())) {}

  const std::vector<std::int32_t>& on(std::int32_t link) const { return on_[link]; }
  void add(std::int32_t flow);
  void remove(std::int32_t flow);

 private:
  const Routes& routes_;
  std::vector<std::int32_t> place_;            // (n_hops,) where the flow is in on_
  std::vector<std::vector<std::int32_t>> on_;  // (n_links,)
};

}  // namespace contend
