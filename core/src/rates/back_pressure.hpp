// Rules (a) and (c) of the InfiniBand penalties, which every flow of a source has in common.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 4.2, equation 4. With out and in the degrees
// of the hosts, a source s with several flows has rho = out(s) + max k, where k of a flow (s, d) is
//   (a) 0 if no other host sends to d, or if in(d) <= out(s) and all that send to d have out(s);
//   (c) else the sum over all flows (s, d') and all flows (s'', d') with s'' != s of 1 / out(s'').
// Idea: a change at a flow s -> d affects the sources that share a destination with s; the sum over
// the flows into a destination is kept, so that a source costs its own degree in bunches. Of the
// sources with one flow to the same destination one is looked at for all.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "rates/switch_graph.hpp"

namespace contend {

class BackPressure {
 public:
  explicit BackPressure(const SwitchGraph& graph)
      : graph_(graph),
        into_(static_cast<std::size_t>(graph.hosts())),
        share_(static_cast<std::size_t>(graph.hosts())),
        destinations_(graph.hosts()),
        sources_(graph.hosts()) {}

  // A flow src -> dst has started or ended: call while the graph holds the flow.
  void change(std::int32_t src, std::int32_t dst) {
    sources_.add(src);
    destinations_.add(dst);
  }

  // Finds what the changes affect; the graph is as it is after them.
  void update();
  void clear() {
    destinations_.clear();
    sources_.clear();
  }
  const std::vector<std::int32_t>& destinations() const { return destinations_.numbers(); }
  // Those with several flows, and perhaps others.
  const std::vector<std::int32_t>& sources() const { return sources_.numbers(); }

  // Of one of destinations(), or a host that several send to: whether a source with one flow does;
  // and the sum of 1 / out over the sources of the flows into it.
  bool has_single(std::int32_t dst) const { return into_[dst].least_out == 1; }
  double requested(std::int32_t dst) const { return into_[dst].requested; }
  // rho of a source with several flows, by rules (a) and (c).
  double penalty(std::int32_t src) const;

 private:
  // Over the flows into a destination.
  struct Into {
    double requested = 0.0;      // sum of 1 / out of their sources
    std::int32_t least_out = 0;  // of their sources
    std::int32_t free_from = 0;  // rule (a) holds for sources with as many flows
  };
  Into look(std::int32_t dst) const;
  const SwitchGraph& graph_;
  // Does not hold for a destination of one flow: of those that are a bunch one alone is looked at.
  std::vector<Into> into_;
  std::vector<double> share_;  // 1 / out of each source
  Marked destinations_;
  Marked sources_;
};

}  // namespace contend
