// measured: penalties given by a function of the flows in the network.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 3.3: the penalties of a step are those
// measured of the same graph, started together.
// Idea: at every event the function writes a penalty for each flow: rate = bandwidth / rho.
// Cost per event: what the function takes, and O(flows in the network): it is given each of them.
// Range: the graphs that were measured; what holds for others is up to the function.
// Cannot see: anything that is not in the graph: sizes, times, routes.
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "contend/error.hpp"
#include "contend/sharing.hpp"
#include "rates/lanes.hpp"

namespace contend::sharing {
namespace {

class Measured : public Sharing {
 public:
  Measured(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        first_lane_(lanes.add(static_cast<std::int32_t>(setting.flows.start.size()))),
        bandwidth_(setting.network.bandwidth),
        penalties_of_(setting.penalties) {}

  void start(std::int32_t flow) override { in_network_.insert(flow); }
  void end(std::int32_t flow) override { in_network_.erase(flow); }

  // One lane per flow.
  void share() override {
    numbers_.assign(in_network_.begin(), in_network_.end());
    penalties_.assign(numbers_.size(), 0.0);
    if (!numbers_.empty()) penalties_of_(numbers_, penalties_);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!(penalties_[i] >= 1.0)) {
        throw Error("flow " + std::to_string(numbers_[i]) + ": a penalty must be at least 1, got " +
                    std::to_string(penalties_[i]));
      }
      lanes_.set_rate(first_lane_ + numbers_[i], bandwidth_ / penalties_[i]);
      lanes_.place(numbers_[i], first_lane_ + numbers_[i]);
    }
  }

 private:
  Lanes& lanes_;
  std::int32_t first_lane_;
  double bandwidth_;
  const Penalties& penalties_of_;
  std::set<std::int32_t> in_network_;
  std::vector<std::int32_t> numbers_;
  std::vector<double> penalties_;
};

}  // namespace

SharingModel measured() {
  return {
      .name = "measured",
      .parameters = {},
      .has_routes = false,
      .keeps_capacity = false,
      .make = [](const Setting& setting, Lanes& lanes) {
        if (!setting.penalties) {
          throw Error("measured needs the penalties of each graph; give a function of the flows");
        }
        return std::make_unique<Measured>(setting, lanes);
      }};
}

}  // namespace contend::sharing
