// Alone: the least time in which the bytes of a flow can move, were it alone in the network.
//
// Cost: O(links of the route).
#pragma once

#include <algorithm>
#include <cstdint>

#include "contend/sharing.hpp"

namespace contend {

class Alone {
 public:
  Alone(const Setting& setting, const SharingModel& model)
      : setting_(setting), has_routes_(model.has_routes) {}

  double seconds(std::int32_t flow) const { return setting_.flows.bytes[flow] / rate(flow); }

 private:
  double rate(std::int32_t flow) const {
    const Network& network = setting_.network;
    if (!has_routes_ || network.capacity.empty()) return network.bandwidth;
    if (network.offsets.empty()) {
      return std::min(network.capacity[setting_.flows.src[flow]],
                      network.capacity[setting_.flows.hosts + setting_.flows.dst[flow]]);
    }
    double least = network.capacity[network.links[network.offsets[flow]]];
    for (auto hop = network.offsets[flow] + 1; hop < network.offsets[flow + 1]; ++hop) {
      least = std::min(least, network.capacity[network.links[hop]]);
    }
    return least;
  }

  const Setting& setting_;
  bool has_routes_;  // the model's
};

}  // namespace contend
