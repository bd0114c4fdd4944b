// Bottlenecks: all levels in one go, by progressive filling; see bottlenecks.hpp.
//
// Source: Bertsekas, Gallager, "Data Networks", 1992, section 6.5.2.
// Cost: the links of all routes, and the flows on each link.
#include <algorithm>

#include "rates/bottlenecks.hpp"

namespace contend {

// Whatever was found before: but flows stay where they are held if they may.
void Bottlenecks::fill() {
  due_.clear();
  for (std::int32_t l = 0; l < routes_.links(); ++l) {
    links_[l].is_filled = links_[l].flows() == 0;
    if (links_[l].has_slack) continue;
    loads_[l] = {0.0, 0.0, unsaturated, 0};
    if (links_[l].flows() > 0) due_.push_back({open_level(l), l});
  }
  std::make_heap(due_.begin(), due_.end(), Later());
  while (!due_.empty()) {
    const std::int32_t l = pop();
    const double level = open_level(l);
    if (level < unsaturated && !due_.empty() && is_above(level, due_.front().key)) {
      push(level, l);
    } else {
      fill_link(l, level);
    }
  }
  for (std::int32_t l = 0; l < routes_.links(); ++l) {
    if (links_[l].has_slack) continue;
    links_[l].fresh = 0;
    loads_[l].told = 0;
    rest(l);
  }
}

// Meanwhile `told` counts the guests that filled links hold, and `passing` is what they have.
double Bottlenecks::open_level(std::int32_t l) const {
  const auto open = static_cast<std::uint32_t>(links_[l].flows()) - loads_[l].told;
  return open == 0 ? unsaturated : (links_[l].capacity - loads_[l].passing) / open;
}

void Bottlenecks::fill_link(std::int32_t l, double level) {
  Link& link = links_[l];
  link.is_filled = true;
  if (level == unsaturated) return;
  if (!is_same(level, link.level)) {
    link.level = level;
    touch(l);
    bound_rates(l);
  }
  if (static_cast<std::int32_t>(loads_[l].told) + link.held < link.flows()) {
    for (const auto& [flow, holder, others] : links_[l].guests()) {
      if (is_open(holder)) taken_.push_back(flow);
    }
  }
  for (const std::int32_t flow : taken_) {
    const std::int32_t old = on_.holder(flow);
    on_.hold(flow, old, l);
    for (const std::int32_t other : on_.slack(flow))
      tell_slack(other, links_[l].bound - bound_of(old));
    moved_.push_back(flow);
  }
  taken_.clear();
  tell_held(l, link.level, link.level);
}

}  // namespace contend
