// infiniband: the penalties of the paper, as published.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 4.2, equation 4: rules (a) and (c) are in
// back_pressure.hpp.
// Idea: a flow moves at bandwidth / rho. (b) A source with one flow, which meets exactly one flow
// of a source with several, takes what that one leaves: rho = 1 + 1 / (rho' - 1).
// Erratum: as printed, (b) holds for any number of competitors, which gives 1.25 for c and d of
// graph A where the paper's table has 2.5, and for c, d and e of graph B where it has 3.5.
// Cost per event: the flows of all sources that share a destination with the one that changed, by
// bunches (switch_graph.hpp).
// Range: measured on InfiniBand with up to 8 flows of 20 MB on one switch, errors up to 15 %.
// Cannot see: capacity (penalties may give out more, or less, than a link has), several switches.
#include <cstdint>
#include <memory>

#include "contend/sharing.hpp"
#include "rates/back_pressure.hpp"
#include "rates/lanes.hpp"
#include "rates/switch_graph.hpp"

namespace contend::sharing {
namespace {

class InfiniBand : public Sharing {
 public:
  InfiniBand(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        bandwidth_(setting.network.bandwidth),
        graph_(setting),
        pressure_(graph_),
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
    for (const std::int32_t s : pressure_.sources()) {
      if (graph_.out(s) > 1) share_several(s);
    }
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
    const double rate = bandwidth_ / pressure_.penalty(s);
    if (rate == lanes_.rate(several_ + s)) return;
    lanes_.set_rate(several_ + s, rate);
    graph_.from(s, [&](SwitchGraph::Bunch b) {
      const std::int32_t d = b.dst;
      if (graph_.in(d) == 2 && graph_.senders(d) == 2 && pressure_.has_single(d)) shared_.add(d);
    });
  }

  // rho of the flows into a destination from sources with one flow, of which there are some.
  double single(std::int32_t d) const {
    if (graph_.in(d) == 1) return 1.0;
    if (graph_.in(d) == 2) {
      std::int32_t competitor = Lanes::none;
      graph_.into(d, [&](SwitchGraph::Bunch b) {
        if (graph_.out(b.src) > 1) competitor = b.src;
      });
      if (competitor != Lanes::none) {
        return 1.0 + 1.0 / (bandwidth_ / lanes_.rate(several_ + competitor) - 1.0);
      }
    }
    return pressure_.requested(d);  // one flow, and what the others ask for
  }

  Lanes& lanes_;
  double bandwidth_;
  SwitchGraph graph_;
  BackPressure pressure_;
  Marked shared_;  // destinations whose sources with one flow get another rate
  // The first of a lane per source with several flows; and per destination, for the flows into it
  // from sources with one.
  std::int32_t several_, singles_;
};

}  // namespace

SharingModel infiniband() {
  return {.name = "infiniband",
          .parameters = {},
          .has_routes = false,
          .keeps_capacity = false,
          .make = [](const Setting& setting, Lanes& lanes) {
            return std::make_unique<InfiniBand>(setting, lanes);
          }};
}

}  // namespace contend::sharing
