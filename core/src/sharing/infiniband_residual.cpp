// infiniband-residual: sources with one flow share what the others leave at their destination.
//
// Source: contend's own, after Martinasso, Mehaut, Euro-Par 2011, section 4.2; empirical, not a
// derivation: of three packet-level explanations tried, none gives the measured times.
// Idea: sources with several flows have the penalties of rules (a) and (c), see back_pressure.hpp.
// The sources with one flow into d share the rest equally:
//   rho = max(1, their number / (1 - sum over the other flows into d of 1 / rho)).
// Where rule (c) gives out more than a link carries nothing is left: they get an equal share of the
// link then, rho = in(d), and never less than that.
// Cost per event: as infiniband.
// Range: within 0.8 % of all ten measured times of the paper's graphs A and B, where the published
// rules are off by up to 6.5 %. InfiniBand, one switch, long flows.
// Cannot see: capacity at destinations of sources with several flows, latency, several switches.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "back_pressure.hpp"
#include "contend/sharing.hpp"
#include "lanes.hpp"
#include "switch_graph.hpp"

namespace contend::sharing {
namespace {

class InfiniBandResidual : public Sharing {
 public:
  explicit InfiniBandResidual(const Setting& setting)
      : bandwidth_(setting.network.bandwidth),
        graph_(setting),
        pressure_(graph_),
        given_(static_cast<std::size_t>(graph_.hosts())),
        shared_(graph_.hosts()),
        moving_(graph_.hosts()) {}

  void start(std::int32_t flow) override {
    graph_.add(flow);
    change(flow);
  }

  void end(std::int32_t flow) override {
    change(flow);
    graph_.remove(flow);
  }

  // A lane per source, for sources with several flows; then a lane per destination, for the flows
  // into it from sources with one.
  void share(Lanes& lanes) override {
    if (is_first_) lanes.add(2 * graph_.hosts());
    is_first_ = false;
    pressure_.update();
    for (const std::int32_t d : pressure_.destinations()) {
      if (pressure_.has_single(d)) shared_.add(d);
    }
    for (const std::int32_t s : pressure_.sources()) share_several(lanes, s);
    for (const std::int32_t d : shared_.numbers()) {
      lanes.set_rate(graph_.hosts() + d, bandwidth_ / single(d));
    }
    for (const std::int32_t s : moving_.numbers()) {
      for (const std::int32_t f : graph_.from(s)) lanes.place(f, lane(f));
    }
    moving_.clear();
    shared_.clear();
    pressure_.clear();
  }

 private:
  void change(std::int32_t flow) {
    moving_.add(graph_.src(flow));
    pressure_.change(graph_.src(flow), graph_.dst(flow));
  }

  std::int32_t lane(std::int32_t flow) const {
    const std::int32_t s = graph_.src(flow);
    return graph_.out(s) > 1 ? s : graph_.hosts() + graph_.dst(flow);
  }

  void share_several(Lanes& lanes, std::int32_t s) {
    const double given = graph_.out(s) < 2 ? 0.0 : 1.0 / pressure_.penalty(s);
    if (given == given_[s]) return;
    given_[s] = given;
    if (given > 0.0) lanes.set_rate(s, bandwidth_ * given);
    for (const std::int32_t f : graph_.from(s)) {
      if (pressure_.has_single(graph_.dst(f))) shared_.add(graph_.dst(f));
    }
  }

  double single(std::int32_t d) const {
    double left = 1.0;
    std::int32_t singles = 0;
    for (const std::int32_t f : graph_.into(d)) {
      const std::int32_t s = graph_.src(f);
      left -= given_[s];
      singles += graph_.out(s) == 1;
    }
    if (singles == 0) return 1.0;
    const double least = static_cast<double>(singles) / graph_.in(d);
    return std::max(1.0, singles / std::max(left, least));
  }

  double bandwidth_;
  SwitchGraph graph_;
  BackPressure pressure_;
  std::vector<double> given_;  // 1 / rho of each source with several flows, else 0
  Marked shared_;              // destinations whose rest has to be shared again
  Marked moving_;              // sources whose degree changed
  bool is_first_ = true;
};

}  // namespace

SharingModel infiniband_residual() {
  return {
      .name = "infiniband-residual",
      .parameters = {},
      .has_routes = false,
      .keeps_capacity = false,
      .make = [](const Setting& setting) { return std::make_unique<InfiniBandResidual>(setting); }};
}

}  // namespace contend::sharing
