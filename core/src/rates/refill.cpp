// Refilling: max-min rates from scratch; see refill.hpp for the source.
#include "rates/refill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "contend/error.hpp"
#include "rates/lanes.hpp"

namespace contend {
namespace {

constexpr double tolerance = 1e-9;
// Levels that differ by less are one, found by other roundings.
constexpr double same_level = 1e-12;

}  // namespace

Refill::Refill(const Setting& setting, Lanes& lanes, std::unique_ptr<Sharing> checked)
    : lanes_(lanes),
      checked_(std::move(checked)),
      routes_(setting),
      rate_(setting.flows.start.size()),
      links_(static_cast<std::size_t>(routes_.links())) {}

void Refill::start(std::int32_t flow) {
  checked_->start(flow);
  active_.push_back(flow);
}

void Refill::end(std::int32_t flow) {
  checked_->end(flow);
  std::erase(active_, flow);
}

void Refill::share() {
  checked_->share();
  fill();
  for (const std::int32_t f : active_) {
    const double found = lanes_.rate(lanes_.lane(f));
    if (std::abs(found - rate_[f]) <= tolerance * rate_[f]) continue;
    std::ostringstream message;
    message << "flow " << f << ", one of " << active_.size() << ", got the rate " << found
            << ", but filling anew gives it " << rate_[f] << "; this is a mistake of the core";
    throw Error(message.str());
  }
}

void Refill::fill() {
  for (std::int32_t l = 0; l < routes_.links(); ++l) links_[l] = {routes_.capacity(l), 0};
  for (const std::int32_t f : active_) {
    for (const std::int32_t l : routes_.of(f)) ++links_[l].open;
  }
  open_ = active_;
  while (!open_.empty()) {
    const double level = lowest_level();
    const auto is_full = [&](std::int32_t l) {
      return links_[l].left <= level * (1.0 + same_level) * links_[l].open;
    };
    // All at once: flows that stop leave their links as full as they are.
    const auto stopped = std::partition(open_.begin(), open_.end(), [&](std::int32_t f) {
      return std::ranges::none_of(routes_.of(f), is_full);
    });
    for (auto f = stopped; f != open_.end(); ++f) {
      rate_[*f] = level;
      for (const std::int32_t l : routes_.of(*f)) {
        links_[l].left -= level;
        --links_[l].open;
      }
    }
    open_.erase(stopped, open_.end());
  }
}

double Refill::lowest_level() const {
  double level = std::numeric_limits<double>::infinity();
  for (const Link& link : links_) {
    if (link.open > 0) level = std::min(level, link.left / link.open);
  }
  return level;
}

}  // namespace contend
