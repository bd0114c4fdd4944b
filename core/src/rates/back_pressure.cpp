// Rules (a) and (c) of the InfiniBand penalties; see back_pressure.hpp for the source.
#include "rates/back_pressure.hpp"

#include <algorithm>

namespace contend {

void BackPressure::update() {
  // A source whose degree changed asks for another share of every destination.
  const std::vector<std::int32_t> changed = sources_.numbers();
  for (const std::int32_t s : changed) {
    share_[s] = 1.0 / std::max(1, graph_.out(s));
    graph_.from(s, [&](SwitchGraph::Bunch b) { destinations_.add(b.dst); });
  }
  for (const std::int32_t d : destinations_.numbers()) {
    into_[d] = look(d);
    graph_.into(d, [&](SwitchGraph::Bunch b) { sources_.add(b.src); });
  }
}

BackPressure::Into BackPressure::look(std::int32_t dst) const {
  constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();
  Into into{0.0, never, 0};
  std::int32_t most_out = 0;
  graph_.into(dst, [&](SwitchGraph::Bunch b) {
    const std::int32_t s = b.src;
    into.requested += b.count * share_[s];
    into.least_out = std::min(into.least_out, graph_.out(s));
    most_out = std::max(most_out, graph_.out(s));
  });
  if (graph_.senders(dst) > 1) into.free_from = into.least_out == most_out ? graph_.in(dst) : never;
  return into;
}

double BackPressure::penalty(std::int32_t src) const {
  const std::int32_t out = graph_.out(src);
  double requested = 0.0;
  std::int32_t free_from = 0;
  graph_.from(src, [&](SwitchGraph::Bunch b) {
    const std::int32_t d = b.dst;
    if (graph_.in(d) > 1) {
      requested += b.count * into_[d].requested;
      free_from = std::max(free_from, into_[d].free_from);
    } else {
      requested += b.count * share_[src];
    }
  });
  if (out >= free_from) return out;
  // Less what the source itself asks for at the destinations of its flows.
  return out + requested - static_cast<double>(graph_.parallel_pairs(src)) / out;
}

}  // namespace contend
