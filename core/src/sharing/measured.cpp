// measured: penalties given by a function of the flows in the network.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 3.3: the penalties of a step are those
// measured of the same graph, started together.
// Idea: at every event the function writes a penalty for each flow: rate = bandwidth / rho.
// Cost per event: what the function takes, and O(flows in the network).
// Range: the graphs that were measured; what holds for others is up to the function.
// Cannot see: anything that is not in the graph: sizes, times, routes.
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "contend/error.hpp"
#include "contend/sharing.hpp"
#include "lanes.hpp"

namespace contend::sharing {
namespace {

class Measured : public Sharing {
 public:
  explicit Measured(const Setting& setting)
      : bandwidth_(setting.network.bandwidth),
        flows_(static_cast<std::int32_t>(setting.flows.start.size())),
        penalties_of_(setting.penalties) {}

  void start(std::int32_t flow) override { in_network_.insert(flow); }
  void end(std::int32_t flow) override { in_network_.erase(flow); }

  // One lane per flow.
  void share(Lanes& lanes) override {
    if (is_first_) lanes.add(flows_);
    is_first_ = false;
    numbers_.assign(in_network_.begin(), in_network_.end());
    penalties_.assign(numbers_.size(), 0.0);
    if (!numbers_.empty()) penalties_of_(numbers_, penalties_);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!(penalties_[i] >= 1.0)) {
        throw Error("flow " + std::to_string(numbers_[i]) + ": a penalty must be at least 1, got " +
                    std::to_string(penalties_[i]));
      }
      lanes.set_rate(numbers_[i], bandwidth_ / penalties_[i]);
      lanes.place(numbers_[i], numbers_[i]);
    }
  }

 private:
  double bandwidth_;
  std::int32_t flows_;
  const Penalties& penalties_of_;
  std::set<std::int32_t> in_network_;
  std::vector<std::int32_t> numbers_;
  std::vector<double> penalties_;
  bool is_first_ = true;
};

}  // namespace

SharingModel measured() {
  return {
      .name = "measured",
      .parameters = {},
      .has_routes = false,
      .keeps_capacity = false,
      .make = [](const Setting& setting) {
        if (!setting.penalties) {
          throw Error("measured needs the penalties of each graph; give a function of the flows");
        }
        return std::make_unique<Measured>(setting);
      }};
}

}  // namespace contend::sharing
