// The links that each flow passes, and the flows that are on each link now.
//
// Cost: O(links of the route) to add or remove a flow; two numbers per flow and link.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contend/sharing.hpp"

namespace contend {

class Routes {
 public:
  explicit Routes(const Setting& setting);

  std::int32_t links() const { return static_cast<std::int32_t>(on_.size()); }
  double capacity(std::int32_t link) const { return capacity_[link]; }
  std::span<const std::int32_t> of(std::int32_t flow) const {
    return {links_.data() + first(flow), first(flow + 1) - first(flow)};
  }
  const std::vector<std::int32_t>& on(std::int32_t link) const { return on_[link]; }

  void add(std::int32_t flow);
  void remove(std::int32_t flow);

 private:
  std::size_t first(std::int32_t flow) const {
    const auto f = static_cast<std::size_t>(flow);
    return offsets_.empty() ? 2 * f : static_cast<std::size_t>(offsets_[f]);
  }

  std::vector<double> capacity_;               // (n_links,)
  std::span<const std::int64_t> offsets_;      // as in Network
  std::vector<std::int32_t> links_;            // as in Network; on one switch the two of each flow
  std::vector<std::int32_t> place_;            // as links_: where the flow is in on_ of that link
  std::vector<std::vector<std::int32_t>> on_;  // (n_links,) flows
};

}  // namespace contend
