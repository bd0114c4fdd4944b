// Stars: one rate for all flows of a class on a link; see stars.hpp.
#include "rates/stars.hpp"

#include <utility>

#include "rates/lanes.hpp"

namespace contend {

Stars::Stars(const Setting& setting, Lanes& lanes, std::unique_ptr<Sharing> others, Divide divide)
    : lanes_(lanes),
      classes_(setting),
      lists_(classes_),
      others_(std::move(others)),
      divide_(std::move(divide)),
      first_lane_(lanes.add(0)),
      place_(setting.flows.start.size(), Place::outside),
      several_(static_cast<std::size_t>(classes_.link_bound())) {}

void Stars::end(std::int32_t flow) {
  if (place_[flow] == Place::other) others_->end(flow);
  place_[flow] = Place::outside;
  follow(classes_.end(flow));
}

void Stars::follow(const std::vector<FlowClasses::Move>& moves) {
  lists_.follow(moves);
  is_counted_.resize(static_cast<std::size_t>(classes_.bound()), false);
  for (const FlowClasses::Move& move : moves) {
    for (const std::int32_t one : {move.from, move.to}) {
      if (one == FlowClasses::none) continue;
      const auto links = classes_.links(one);
      changed_.insert(changed_.end(), links.begin(), links.end());
      count(one);
    }
    moved_.push_back(move.flow);
  }
}

void Stars::count(std::int32_t one) {
  const auto links = shared_links(one);
  const bool is_counted = links.size() > 1 && classes_.size(one) > 0;
  if (is_counted == static_cast<bool>(is_counted_[one])) return;
  is_counted_[one] = is_counted;
  for (const std::int32_t l : links) {
    if (several_[l] == (is_counted ? 0 : 1)) turned_.push_back(l);
    several_[l] += is_counted ? 1 : -1;
  }
}

// The bundle is the last link.
std::span<const std::int32_t> Stars::shared_links(std::int32_t one) const {
  const auto links = classes_.links(one);
  return links.first(links.size() - (classes_.is_bundle(links.back()) ? 1 : 0));
}

bool Stars::is_star(std::int32_t one) const {
  const auto links = shared_links(one);
  return links.empty() || (links.size() == 1 && several_[links[0]] == 0);
}

void Stars::share() {
  if (classes_.bound() > lane_count_) lanes_.add(classes_.bound() - lane_count_);
  lane_count_ = classes_.bound();
  for (const std::int32_t flow : moved_) put(flow);
  for (const std::int32_t l : turned_) {
    for (const std::int32_t one : lists_.on(l)) {
      for (auto f = classes_.head(one); f != FlowClasses::none; f = classes_.next(f)) put(f);
    }
  }
  others_->share();
  for (const auto* links : {&changed_, &turned_}) {
    for (const std::int32_t l : *links) divide_link(l);
  }
  moved_.clear();
  changed_.clear();
  turned_.clear();
}

// A flow that comes to a star leaves its lane before the others are shared, and the other way
// round.
void Stars::put(std::int32_t flow) {
  const std::int32_t one = classes_.of(flow);
  if (one == FlowClasses::none) return;
  if (is_star(one)) {
    if (place_[flow] == Place::other) others_->end(flow);
    place_[flow] = Place::star;
    lanes_.place(flow, first_lane_ + one);
  } else {
    if (place_[flow] != Place::other) others_->start(flow);
    place_[flow] = Place::other;
  }
}

void Stars::divide_link(std::int32_t l) {
  const auto& on = lists_.on(l);
  if (on.empty() || !is_star(on.front())) return;
  if (classes_.is_bundle(l)) {
    if (shared_links(on.front()).empty()) {
      lanes_.set_rate(first_lane_ + on.front(), classes_.most(on.front()));
    }
    return;
  }
  rays_.clear();
  for (const std::int32_t one : on) {
    rays_.push_back({static_cast<double>(classes_.size(one)), classes_.most(one)});
  }
  divide_(classes_.capacity(l), rays_);
  for (std::size_t i = 0; i < on.size(); ++i) lanes_.set_rate(first_lane_ + on[i], rays_[i].rate);
}

}  // namespace contend
