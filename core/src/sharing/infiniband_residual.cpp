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

#include "contend/sharing.hpp"
#include "rates/back_pressure.hpp"
#include "rates/lanes.hpp"
#include "rates/switch_graph.hpp"

namespace contend::sharing {
namespace {

class InfiniBandResidual : public Sharing {
 public:
  InfiniBandResidual(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        bandwidth_(setting.network.bandwidth),
        graph_(setting),
        pressure_(graph_),
        given_(static_cast<std::size_t>(graph_.hosts())),
        shared_(graph_.hosts()),
        several_(lanes.add(2 * graph_.hosts())),
        singles_(several_ + graph_.hosts()) {}

  void start(std::int32_t flow) override {
    graph_.add(flow);
    pressure_.change(graph_.src(flow), graph_.dst(flow));
  }

  void end(std::int32_t flow) override {
    graph_.remove(flow);
    pressure_.change(graph_.src(flow), graph_.dst(flow));
  }

  void share() override {
    pressure_.update();
    for (const std::int32_t d : pressure_.destinations()) {
      if (pressure_.has_single(d)) shared_.add(d);
    }
    for (const std::int32_t s : pressure_.sources()) share_several(s);
    for (const std::int32_t d : shared_.numbers()) {
      lanes_.set_rate(singles_ + d, bandwidth_ / single(d));
    }
    graph_.moved([&](std::int32_t f) {
      const std::int32_t s = graph_.src(f);
      lanes_.place(f, graph_.out(s) > 1 ? several_ + s : singles_ + graph_.dst(f));
    });
    graph_.clear_moved();
    shared_.clear();
    pressure_.clear();
  }

 private:
  void share_several(std::int32_t s) {
    const double given = graph_.out(s) < 2 ? 0.0 : 1.0 / pressure_.penalty(s);
    if (given == given_[s]) return;
    given_[s] = given;
    if (given > 0.0) lanes_.set_rate(several_ + s, bandwidth_ * given);
    graph_.from(s, [&](SwitchGraph::Bunch b) {
      const std::int32_t d = b.dst;
      if (graph_.senders(d) > 1 && pressure_.has_single(d)) shared_.add(d);
    });
  }

  double single(std::int32_t d) const {
    double left = 1.0;
    std::int32_t singles = 0;
    graph_.into(d, [&](SwitchGraph::Bunch b) {
      const std::int32_t s = b.src;
      left -= b.count * given_[s];
      if (graph_.out(s) == 1) singles += b.count;
    });
    const double least = static_cast<double>(singles) / graph_.in(d);
    return std::max(1.0, singles / std::max(left, least));
  }

  Lanes& lanes_;
  double bandwidth_;
  SwitchGraph graph_;
  BackPressure pressure_;
  std::vector<double> given_;  // 1 / rho of each source with several flows, else 0
  Marked shared_;              // destinations whose rest has to be shared again
  // The first of a lane per source with several flows; and per destination, for the flows into it
  // from sources with one.
  std::int32_t several_, singles_;
};

}  // namespace

SharingModel infiniband_residual() {
  return {.name = "infiniband-residual",
          .parameters = {},
          .has_routes = false,
          .keeps_capacity = false,
          .make = [](const Setting& setting, Lanes& lanes) {
            return std::make_unique<InfiniBandResidual>(setting, lanes);
          }};
}

}  // namespace contend::sharing
