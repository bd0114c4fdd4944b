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
    links_[l].is_filled = flows(l) == 0;
    if (links_[l].has_slack) continue;
    note_guests(l, 0.0, 0.0);
    links_[l].limit = unsaturated;
    if (flows(l) > 0) due_.push(open_level(l), l);
  }
  while (!due_.empty()) {
    const std::int32_t l = due_.pop();
    const double level = open_level(l);
    if (level < unsaturated && due_.is_before(level)) {
      due_.push(level, l);
    } else {
      fill_link(l, level);
    }
  }
  for (std::int32_t l = 0; l < routes_.links(); ++l) {
    if (links_[l].has_slack) continue;
    links_[l].fresh = 0;
    links_[l].told = 0;
    rest(l);
  }
}

// Meanwhile `told` counts the guests that filled links hold, and `passing` is what they have.
double Bottlenecks::open_level(std::int32_t l) const {
  const auto open = static_cast<std::uint32_t>(flows(l)) - links_[l].told;
  return open == 0 ? unsaturated : (links_[l].capacity - links_[l].passing) / open;
}

void Bottlenecks::fill_link(std::int32_t l, double level) {
  Link& link = links_[l];
  link.is_filled = true;
  if (level == unsaturated) return;
  if (!is_same(level, links_[l].level)) {
    links_[l].level = level;
    touch(l);
    bound_rates(l);
  }
  if (static_cast<std::int32_t>(links_[l].told) + link.held < flows(l)) take_open(l);
  const double rate = links_[l].level;
  for (const auto& [head, count, others] : on_.holds(l)) {
    if (others[0] >= 0) {
      tell_filled(others[0], count, rate);
      if (others[1] >= 0) tell_filled(others[1], count, rate);
    } else if (others[0] == HeldClass::several) {
      for (const std::int32_t other : on_.tight(head)) {
        if (other != l) tell_filled(other, count, rate);
      }
    }
  }
}

// Guests have got their rate; those of links that are filled before are held already.
void Bottlenecks::tell_filled(std::int32_t l, std::int32_t count, double rate) {
  Link& link = links_[l];
  link.passing += count * rate;
  link.fastest = std::max(link.fastest, rate);
  link.told += static_cast<std::uint32_t>(count);
}

void Bottlenecks::take_open(std::int32_t l) {
  faster_.clear();
  for (const auto& [head, count, others] : on_.guests(l)) {
    if (is_open(others[0])) faster_.push_back({head, count, unsaturated});
  }
  for (const Guest& guest : faster_) hold(guest, on_.holder(guest.head), l);
}

}  // namespace contend
