// infiniband: the penalties of the paper, as published.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 4.2, equation 4: rules (a) and (c) are in
// back_pressure.hpp.
// Idea: a flow moves at bandwidth / rho. (b) A source with one flow, which meets exactly one flow
// of a source with several, takes what that one leaves: rho = 1 + 1 / (rho' - 1).
// Erratum: as printed, (b) holds for any number of competitors, which gives 1.25 for c and d of
// graph A where the paper's table has 2.5, and for c, d and e of graph B where it has 3.5.
// Cost per event: the flows of all sources that share a destination with the one that changed.
// Range: measured on InfiniBand with up to 8 flows of 20 MB on one switch, errors up to 15 %.
// Cannot see: capacity (penalties may give out more, or less, than a link has), several switches.
#include <cstdint>
#include <memory>

#include "back_pressure.hpp"
#include "contend/sharing.hpp"
#include "lanes.hpp"
#include "switch_graph.hpp"

namespace contend::sharing {
namespace {

class InfiniBand : public Sharing {
 public:
  explicit InfiniBand(const Setting& setting)
      : bandwidth_(setting.network.bandwidth),
        graph_(setting),
        pressure_(graph_),
        singles_(graph_.hosts()) {}

  void start(std::int32_t flow) override {
    graph_.add(flow);
    started_.push_back(flow);
    pressure_.change(graph_.src(flow), graph_.dst(flow));
  }

  void end(std::int32_t flow) override {
    pressure_.change(graph_.src(flow), graph_.dst(flow));
    graph_.remove(flow);
  }

  // One lane per source.
  void share(Lanes& lanes) override {
    if (is_first_) lanes.add(graph_.hosts());
    is_first_ = false;
    pressure_.update();
    for (const std::int32_t s : pressure_.sources()) {
      if (graph_.out(s) > 1) share_several(lanes, s);
      if (graph_.out(s) == 1) singles_.add(s);
    }
    for (const std::int32_t s : singles_.numbers())
      lanes.set_rate(s, bandwidth_ / single(lanes, s));
    for (const std::int32_t f : started_) lanes.place(f, graph_.src(f));
    started_.clear();
    singles_.clear();
    pressure_.clear();
  }

 private:
  void share_several(Lanes& lanes, std::int32_t s) {
    const double rate = bandwidth_ / pressure_.penalty(s);
    if (rate == lanes.rate(s)) return;
    lanes.set_rate(s, rate);
    for (const std::int32_t f : graph_.from(s)) {
      if (graph_.in(graph_.dst(f)) != 2) continue;
      if (const std::int32_t c = competitor(f); graph_.out(c) == 1) singles_.add(c);
    }
  }

  // The source of the other one of the two flows into the destination of this one.
  std::int32_t competitor(std::int32_t flow) const {
    const auto& into = graph_.into(graph_.dst(flow));
    return graph_.src(into[0] == flow ? into[1] : into[0]);
  }

  double single(const Lanes& lanes, std::int32_t s) const {
    const std::int32_t flow = graph_.from(s).front();
    if (pressure_.is_free(flow)) return 1.0;
    if (graph_.in(graph_.dst(flow)) == 2) {
      const std::int32_t c = competitor(flow);
      if (graph_.out(c) > 1) return 1.0 + 1.0 / (bandwidth_ / lanes.rate(c) - 1.0);
    }
    return 1.0 + pressure_.excess(s);
  }

  double bandwidth_;
  SwitchGraph graph_;
  BackPressure pressure_;
  Marked singles_;
  std::vector<std::int32_t> started_;
  bool is_first_ = true;
};

}  // namespace

SharingModel infiniband() {
  return {.name = "infiniband",
          .parameters = {},
          .has_routes = false,
          .keeps_capacity = false,
          .make = [](const Setting& setting) { return std::make_unique<InfiniBand>(setting); }};
}

}  // namespace contend::sharing
