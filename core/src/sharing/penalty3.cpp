// penalty3: penalties with three parameters, to be fitted to measured graphs.
//
// Source: the formula that SimGrid documents as its InfiniBand model, with its default values.
// Idea: a flow (s, d) moves at bandwidth / rho, rho = max(1, out, in), with
//   out = 1 if s has one flow, else out(s) beta_s, times gamma if some flow of s goes to a host
//         that more than two flows reach;
//   in = 1 if in(d) = 1, else (flows s -> d) beta_e (hosts that send to d).
// Cost per event: the flows at both ends of the flows that start or end; and the other flows of
// the sources into d where in(d) passes from two to three or back.
// Range: whatever it was fitted to, on one switch. SimGrid itself keeps outdated penalties when a
// flow ends; here they hold to the formula at every change.
// Cannot see: what slow flows leave to others; capacity; several switches.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "contend/sharing.hpp"
#include "lanes.hpp"
#include "switch_graph.hpp"

namespace contend::sharing {
namespace {

class Penalty3 : public Sharing {
 public:
  explicit Penalty3(const Setting& setting)
      : bandwidth_(setting.network.bandwidth),
        beta_e_(setting.parameters[0]),
        beta_s_(setting.parameters[1]),
        gamma_(setting.parameters[2]),
        graph_(setting),
        crowded_(static_cast<std::size_t>(graph_.hosts())),
        sources_(graph_.hosts()),
        destinations_(graph_.hosts()) {}

  void start(std::int32_t flow) override {
    graph_.add(flow);
    change(flow);
  }

  void end(std::int32_t flow) override {
    graph_.remove(flow);
    change(flow);
  }

  // A lane per source for flows held up there; a lane per flow that is alone or held up at its
  // destination would do, but those with the same penalty share one.
  void share(Lanes& lanes) override {
    if (is_first_) lanes.add(graph_.hosts());
    is_first_ = false;
    for (const std::int32_t d : destinations_.numbers()) note_crowd(d);
    for (const std::int32_t s : sources_.numbers()) {
      if (graph_.out(s) > 0) lanes.set_rate(s, bandwidth_ / penalty_out(s));
    }
    for (const std::int32_t s : sources_.numbers()) {
      for (const std::int32_t f : graph_.from(s)) place(lanes, f);
    }
    for (const std::int32_t d : destinations_.numbers()) {
      for (const std::int32_t f : graph_.into(d)) place(lanes, f);
    }
    sources_.clear();
    destinations_.clear();
  }

 private:
  void change(std::int32_t flow) {
    sources_.add(graph_.src(flow));
    destinations_.add(graph_.dst(flow));
  }

  // gamma holds for a source as soon as one of its destinations is crowded.
  void note_crowd(std::int32_t d) {
    const bool is_crowded = graph_.in(d) > 2;
    if (is_crowded == static_cast<bool>(crowded_[d])) return;
    crowded_[d] = is_crowded;
    for (const std::int32_t f : graph_.into(d)) sources_.add(graph_.src(f));
  }

  double penalty_out(std::int32_t s) const {
    const auto& flows = graph_.from(s);
    if (flows.size() == 1) return 1.0;
    const bool is_crowded = std::any_of(flows.begin(), flows.end(),
                                        [&](auto f) { return graph_.in(graph_.dst(f)) > 2; });
    const double penalty = static_cast<double>(flows.size()) * beta_s_;
    return std::max(1.0, is_crowded ? std::max(penalty, penalty * gamma_) : penalty);
  }

  double penalty_in(std::int32_t flow) const {
    const std::int32_t d = graph_.dst(flow);
    if (graph_.in(d) == 1) return 1.0;
    return graph_.parallel(flow) * beta_e_ * graph_.senders(d);
  }

  void place(Lanes& lanes, std::int32_t flow) {
    const std::int32_t s = graph_.src(flow);
    const double rate = bandwidth_ / penalty_in(flow);
    if (rate >= lanes.rate(s)) {
      lanes.place(flow, s);
    } else {
      const std::int32_t lane = lane_into(lanes, flow);
      lanes.set_rate(lane, rate);
      lanes.place(flow, lane);
    }
  }

  // The lane of the flows into a host that have as many parallel to them.
  std::int32_t lane_into(Lanes& lanes, std::int32_t flow) {
    const auto key = static_cast<std::uint64_t>(graph_.dst(flow)) << 32 |
                     static_cast<std::uint32_t>(graph_.parallel(flow));
    const auto [found, is_new] = lanes_into_.try_emplace(key, 0);
    if (is_new) found->second = lanes.add(1);
    return found->second;
  }

  double bandwidth_, beta_e_, beta_s_, gamma_;
  SwitchGraph graph_;
  std::vector<char> crowded_;
  Marked sources_, destinations_;
  std::unordered_map<std::uint64_t, std::int32_t> lanes_into_;
  bool is_first_ = true;
};

}  // namespace

SharingModel penalty3() {
  return {.name = "penalty3",
          .parameters = {{"beta_e", 0.965}, {"beta_s", 0.925}, {"gamma", 1.35}},
          .has_routes = false,
          .keeps_capacity = false,
          .make = [](const Setting& setting) { return std::make_unique<Penalty3>(setting); }};
}

}  // namespace contend::sharing
