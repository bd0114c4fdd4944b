// Flow classes: which flows are alike now; see flow_classes.hpp.
#include "rates/flow_classes.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace contend {
namespace {

constexpr double unbound = std::numeric_limits<double>::infinity();

}  // namespace

// Fowler, Noll, Vo: a factor and an exclusive or per number, folded since their low bits are alike.
std::size_t FlowClasses::Hash::operator()(const std::vector<std::int64_t>& key) const {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::int64_t part : key) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 1099511628211U;
    hash ^= hash >> 29;
  }
  return hash;
}

FlowClasses::FlowClasses(const Setting& setting)
    : routes_(setting),
      link_bound_(routes_.links()),
      route_of_(route_numbers(routes_, setting.flows.start.size())),
      class_of_(route_of_.size(), none),
      links_(static_cast<std::size_t>(routes_.links())),
      next_(route_of_.size()),
      before_(route_of_.size()) {
  find_routes();
}

void FlowClasses::find_routes() {
  for (std::size_t f = 0; f < route_of_.size(); ++f) {
    const auto flow = static_cast<std::int32_t>(f);
    stride_ = std::max(stride_, routes_.of(flow).size());
    const auto route = static_cast<std::size_t>(route_of_[f]);
    table_.resize(std::max(table_.size(), route + 1));
    table_[route].sample = flow;
  }
}

const std::vector<FlowClasses::Move>& FlowClasses::start(std::int32_t flow) {
  forget_empty();
  const std::int32_t route = route_of_[flow];
  Route& own = table_[route];
  own.flows ^= flow;
  if (++own.count == 1) pass(route, 1);
  for (const std::int32_t other : others_) sort_in(other, none);
  sort_in(route, flow);
  return moves_;
}

const std::vector<FlowClasses::Move>& FlowClasses::end(std::int32_t flow) {
  forget_empty();
  const std::int32_t route = route_of_[flow];
  Route& own = table_[route];
  move(flow, own.flow_class, none);
  own.flows ^= flow;
  if (--own.count == 0) {
    own.flow_class = none;
    pass(route, -1);
  } else {
    sort_in(route, none);
  }
  for (const std::int32_t other : others_) sort_in(other, none);
  return moves_;
}

void FlowClasses::forget_empty() {
  for (const std::int32_t one : emptied_) {
    if (bunch_[one].count > 0 || hop_count_[one] == 0) continue;
    const std::int32_t last = links(one).back();
    if (!is_route_[one]) {
      shared_.assign(links(one).begin(), links(one).end() - 1);
      common_.erase(key_of(most_[one]));
    }
    if (is_bundle(last)) free_bundles_.push_back(last);
    hop_count_[one] = 0;
    free_.push_back(one);
  }
  emptied_.clear();
  moves_.clear();
  others_.clear();
}

// Counts a route on its links, and notes the routes for which that makes or ends a link of its own.
void FlowClasses::pass(std::int32_t route, std::int32_t change) {
  for (const std::int32_t l : routes_.of(table_[route].sample)) {
    Link& link = links_[l];
    const bool was_alone = link.count == 1;
    const std::int32_t before = link.routes;
    link.count += change;
    link.routes ^= route;
    if (change > 0 && was_alone) others_.push_back(before);
    if (change < 0 && link.count == 1) others_.push_back(link.routes);
  }
}

// Puts the flows of a route, and the fresh one unless that is none, into the class that is theirs.
void FlowClasses::sort_in(std::int32_t route, std::int32_t fresh) {
  Route& own = table_[route];
  const std::int32_t old = own.flow_class;
  const std::int32_t count = own.count - (fresh == none ? 0 : 1);
  const std::int32_t now = class_for(own);
  own.flow_class = now;
  if (now != old && count == 1) move(own.flows ^ (fresh == none ? 0 : fresh), old, now);
  if (now != old && count > 1) {
    while (bunch_[old].count > 0) move(bunch_[old].flow, old, now);
  }
  if (fresh != none) move(fresh, none, now);
}

std::int32_t FlowClasses::class_for(const Route& route) {
  shared_.clear();
  double most = unbound;
  for (const std::int32_t l : routes_.of(route.sample)) {
    if (links_[l].count > 1) {
      shared_.push_back(l);
    } else {
      most = std::min(most, routes_.capacity(l));
    }
  }
  if (most < unbound && route.count == 1) return common_class(most);
  const std::int32_t old = route.flow_class;
  if (old != none && is_route_[old] && most_[old] == most &&
      std::equal(shared_.begin(), shared_.end(), links(old).begin(),
                 links(old).end() - (most < unbound ? 1 : 0))) {
    return old;
  }
  return make(most, true);
}

std::vector<std::int64_t>& FlowClasses::key_of(double most) {
  key_.assign(shared_.begin(), shared_.end());
  std::sort(key_.begin(), key_.end());
  key_.push_back(std::bit_cast<std::int64_t>(most));
  return key_;
}

std::int32_t FlowClasses::common_class(double most) {
  const auto [found, is_new] = common_.try_emplace(key_of(most), none);
  if (is_new) found->second = make(most, false);
  return found->second;
}

std::int32_t FlowClasses::make(double most, bool is_route) {
  if (free_.empty()) {
    free_.push_back(bound());
    bunch_.push_back({none, 0});
    hop_count_.push_back(0);
    most_.push_back(0.0);
    is_route_.push_back(false);
    hops_.resize(hops_.size() + stride_);
  }
  const std::int32_t one = free_.back();
  free_.pop_back();
  if (most < unbound) {
    if (free_bundles_.empty()) free_bundles_.push_back(link_bound_++);
    shared_.push_back(free_bundles_.back());
    free_bundles_.pop_back();
  }
  std::copy(shared_.begin(), shared_.end(),
            hops_.begin() + static_cast<std::ptrdiff_t>(first(one)));
  hop_count_[one] = static_cast<std::int32_t>(shared_.size());
  most_[one] = most;
  is_route_[one] = is_route;
  return one;
}

void FlowClasses::move(std::int32_t flow, std::int32_t from, std::int32_t to) {
  if (from != none) erase(flow, from);
  if (to != none) insert(flow, to);
  class_of_[flow] = to;
  moves_.push_back({flow, from, to});
}

void FlowClasses::insert(std::int32_t flow, std::int32_t one) {
  before_[flow] = none;
  next_[flow] = bunch_[one].flow;
  if (bunch_[one].flow != none) before_[bunch_[one].flow] = flow;
  bunch_[one].flow = flow;
  ++bunch_[one].count;
}

void FlowClasses::erase(std::int32_t flow, std::int32_t one) {
  if (next_[flow] != none) before_[next_[flow]] = before_[flow];
  (before_[flow] == none ? bunch_[one].flow : next_[before_[flow]]) = next_[flow];
  if (--bunch_[one].count == 0) emptied_.push_back(one);
}

void ClassLists::add(std::int32_t one) {
  place_.resize(classes_.first(classes_.bound()));
  on_.resize(static_cast<std::size_t>(classes_.link_bound()));
  std::size_t hop = classes_.first(one);
  for (const std::int32_t l : classes_.links(one)) {
    place_[hop++] = static_cast<std::int32_t>(on_[l].size());
    on_[l].push_back(one);
  }
}

void ClassLists::remove(std::int32_t one) {
  std::size_t hop = classes_.first(one);
  for (const std::int32_t l : classes_.links(one)) {
    const std::int32_t last = on_[l].back();
    const auto links = classes_.links(last);
    const auto at = std::find(links.begin(), links.end(), l) - links.begin();
    on_[l][place_[hop]] = last;
    place_[classes_.first(last) + static_cast<std::size_t>(at)] = place_[hop];
    on_[l].pop_back();
    ++hop;
  }
}

void ClassLists::follow(const std::vector<FlowClasses::Move>& moves) {
  is_on_.resize(static_cast<std::size_t>(classes_.bound()));
  for (const FlowClasses::Move& move : moves) {
    for (const std::int32_t one : {move.from, move.to}) {
      if (one == FlowClasses::none) continue;
      const bool is_full = classes_.size(one) > 0;
      if (is_full && !is_on_[one]) add(one);
      if (!is_full && is_on_[one]) remove(one);
      is_on_[one] = is_full;
    }
  }
}

}  // namespace contend
