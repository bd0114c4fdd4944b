// penalty3: penalties with three parameters, to be fitted to measured graphs.
//
// Source: the formula that SimGrid documents as its InfiniBand model, with its default values.
// Idea: a flow (s, d) moves at bandwidth / rho, rho = max(1, out, in), with
//   out = 1 if s has one flow, else out(s) beta_s, times gamma if some flow of s goes to a host
//         that more than two flows reach;
//   in = 1 if in(d) = 1, else (flows s -> d) beta_e (hosts that send to d).
// Cost per event: the flows at both ends of the flows that start or end, by bunches
// (switch_graph.hpp); and the other flows of the sources into d where in(d) passes from 2 to 3 or
// back.
// Range: whatever it was fitted to, on one switch. SimGrid itself keeps outdated penalties when a
// flow ends; here they hold to the formula at every change.
// Cannot see: what slow flows leave to others; capacity; several switches.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "contend/sharing.hpp"
#include "rates/lanes.hpp"
#include "rates/switch_graph.hpp"

namespace contend::sharing {
namespace {

class Penalty3 : public Sharing {
 public:
  Penalty3(const Setting& setting, Lanes& lanes)
      : lanes_(lanes),
        bandwidth_(setting.network.bandwidth),
        beta_e_(setting.parameters[0]),
        beta_s_(setting.parameters[1]),
        gamma_(setting.parameters[2]),
        graph_(setting),
        crowded_(static_cast<std::size_t>(graph_.hosts())),
        sources_(graph_.hosts()),
        destinations_(graph_.hosts()),
        out_(lanes.add(2 * graph_.hosts())),
        in_(out_ + graph_.hosts()) {}

  void start(std::int32_t flow) override {
    graph_.add(flow);
    change(flow);
  }

  void end(std::int32_t flow) override {
    graph_.remove(flow);
    change(flow);
  }

  void share() override {
    for (const std::int32_t d : destinations_.numbers()) note_crowd(d);
    for (const std::int32_t s : sources_.numbers()) {
      if (graph_.out(s) > 0) lanes_.set_rate(out_ + s, bandwidth_ / penalty_out(s));
    }
    for (const std::int32_t d : destinations_.numbers()) {
      if (graph_.in(d) > 0) lanes_.set_rate(in_ + d, bandwidth_ / penalty_in(d, 1));
    }
    graph_.moved([&](std::int32_t f) { lanes_.place(f, lane(f)); });
    const auto put = [&](SwitchGraph::Bunch b) { place(b); };
    for (const std::int32_t s : sources_.numbers()) graph_.from(s, put);
    for (const std::int32_t d : destinations_.numbers()) graph_.into(d, put);
    graph_.clear_moved();
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
    graph_.into(d, [&](SwitchGraph::Bunch b) { sources_.add(b.src); });
  }

  double penalty_out(std::int32_t s) const {
    if (graph_.out(s) == 1) return 1.0;
    bool is_crowded = false;
    graph_.from(s, [&](SwitchGraph::Bunch b) { is_crowded = is_crowded || graph_.in(b.dst) > 2; });
    const double penalty = graph_.out(s) * beta_s_;
    return std::max(1.0, is_crowded ? std::max(penalty, penalty * gamma_) : penalty);
  }

  double penalty_in(std::int32_t d, std::int32_t parallel) const {
    if (graph_.in(d) == 1) return 1.0;
    return std::max(1.0, parallel * beta_e_ * graph_.senders(d));
  }

  // A flow alone in its bunch may be held up elsewhere than before; all others stay in their lane
  // as long as they stay in their bunch.
  void place(SwitchGraph::Bunch bunch) {
    const std::int32_t parallel = graph_.parallel(bunch.flow);
    if (parallel > 1) {
      const std::int32_t s = bunch.src, d = bunch.dst;
      lanes_.set_rate(lane(bunch.flow),
                      std::min(lanes_.rate(out_ + s), bandwidth_ / penalty_in(d, parallel)));
    } else if (bunch.count == 1) {
      lanes_.place(bunch.flow, lane(bunch.flow));
    }
  }

  std::int32_t lane(std::int32_t flow) {
    const std::int32_t s = graph_.src(flow), d = graph_.dst(flow);
    if (graph_.parallel(flow) > 1) return lane_between(s, d);
    if (graph_.out(s) == 1) return in_ + d;
    if (graph_.in(d) == 1) return out_ + s;
    return lanes_.rate(in_ + d) < lanes_.rate(out_ + s) ? in_ + d : out_ + s;
  }

  std::int32_t lane_between(std::int32_t s, std::int32_t d) {
    const auto key = static_cast<std::uint64_t>(s) << 32 | static_cast<std::uint32_t>(d);
    const auto [found, is_new] = between_.try_emplace(key, 0);
    if (is_new) found->second = lanes_.add(1);
    return found->second;
  }

  Lanes& lanes_;
  double bandwidth_, beta_e_, beta_s_, gamma_;
  SwitchGraph graph_;
  std::vector<char> crowded_;
  Marked sources_, destinations_;
  // The first of a lane per source, for flows held up there; and per destination, for those from
  // sources with one flow and those held up there. Parallel flows have a lane of their own.
  std::int32_t out_, in_;
  std::unordered_map<std::uint64_t, std::int32_t> between_;
};

}  // namespace

SharingModel penalty3() {
  return {.name = "penalty3",
          .parameters = {{"beta_e", 0.965}, {"beta_s", 0.925}, {"gamma", 1.35}},
          .has_routes = false,
          .keeps_capacity = false,
          .make = [](const Setting& setting, Lanes& lanes) {
            return std::make_unique<Penalty3>(setting, lanes);
          }};
}

}  // namespace contend::sharing
