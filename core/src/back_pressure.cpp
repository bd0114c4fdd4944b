// Rules (a) and (c) of the InfiniBand penalties; see back_pressure.hpp for the source.
#include "back_pressure.hpp"

#include <algorithm>

namespace contend {

void BackPressure::update() {
  // A source whose degree changed asks for another share of every destination.
  const std::vector<std::int32_t> changed = sources_.numbers();
  for (const std::int32_t s : changed) {
    share_[s] = 1.0 / std::max(1, graph_.out(s));
    for (const std::int32_t f : graph_.from(s)) destinations_.add(graph_.dst(f));
  }
  for (const std::int32_t d : destinations_.numbers()) {
    into_[d] = look(d);
    for (const std::int32_t f : graph_.into(d)) sources_.add(graph_.src(f));
  }
}

BackPressure::Into BackPressure::look(std::int32_t dst) const {
  constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();
  Into into{0.0, never, 0};
  std::int32_t most_out = 0;
  for (const std::int32_t f : graph_.into(dst)) {
    const std::int32_t s = graph_.src(f);
    into.requested += share_[s];
    into.least_out = std::min(into.least_out, graph_.out(s));
    most_out = std::max(most_out, graph_.out(s));
  }
  if (graph_.senders(dst) > 1) into.free_from = into.least_out == most_out ? graph_.in(dst) : never;
  return into;
}

double BackPressure::excess(std::int32_t src) const {
  double sum = 0.0;
  for (const std::int32_t f : graph_.from(src)) sum += into_[graph_.dst(f)].requested;
  // Less what the source itself asks for at the destinations of its flows.
  return sum - static_cast<double>(graph_.parallel_pairs(src)) / graph_.out(src);
}

double BackPressure::penalty(std::int32_t src) const {
  const std::vector<std::int32_t>& flows = graph_.from(src);
  const bool all_free = std::all_of(flows.begin(), flows.end(), [&](auto f) { return is_free(f); });
  return graph_.out(src) + (all_free ? 0.0 : excess(src));
}

}  // namespace contend
