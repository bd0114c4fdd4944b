// Held flows: which flow is on which link, and which links of its route are tight; see
// held_flows.hpp.
#include "rates/held_flows.hpp"

namespace contend {

void HeldFlows::put(std::int32_t link, std::int32_t place, const HeldFlow& entry) {
  links_[link].all[place] = entry;
  place_[routes_.hop(entry.flow, link)] = place;
}

void HeldFlows::swap(std::int32_t link, std::int32_t a, std::int32_t b) {
  if (a == b) return;
  const HeldFlow first = links_[link].all[a];
  put(link, a, links_[link].all[b]);
  put(link, b, first);
}

void HeldFlows::swap_hops(std::size_t a, std::size_t b) {
  routes_.swap(a, b);
  std::swap(place_[a], place_[b]);
}

void HeldFlows::name_others(std::int32_t flow) {
  const std::size_t first = routes_.first(flow);
  const auto tight = this->tight(flow);
  for (std::size_t own = 0; own < tight.size(); ++own) {
    std::array<std::int32_t, 2> others{tight.size() > 3 ? HeldFlow::several : none, none};
    for (std::size_t i = 0, named = 0; i < tight.size() && tight.size() <= 3; ++i) {
      if (i != own) others[named++] = tight[i];
    }
    links_[tight[own]].all[place_[first + own]].others = others;
  }
}

void HeldFlows::add(std::int32_t flow) {
  const std::size_t first = routes_.first(flow);
  std::int32_t tight = 0;
  for (std::size_t hop = first; hop < routes_.first(flow + 1); ++hop) {
    FlowsOnLink& link = links_[routes_.link(hop)];
    place_[hop] = link.count();
    link.all.push_back({flow, none, {none, none}});
    if (!link.has_slack) swap_hops(hop, first + static_cast<std::size_t>(tight++));
  }
  tight_[flow] = tight;
  name_others(flow);
}

void HeldFlows::remove(std::int32_t flow) {
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    const std::int32_t l = routes_.link(hop);
    FlowsOnLink& link = links_[l];
    if (place_[hop] < link.held) swap(l, place_[hop], --link.held);
    const HeldFlow last = link.all.back();
    link.all.pop_back();
    if (last.flow != flow) put(l, place_[hop], last);
  }
  tight_[flow] = none;
}

void HeldFlows::hold(std::int32_t flow, std::int32_t old_holder, std::int32_t holder) {
  const std::size_t first = routes_.first(flow);
  for (std::size_t hop = first; hop < first + static_cast<std::size_t>(tight_[flow]); ++hop) {
    const std::int32_t link = routes_.link(hop);
    links_[link].all[place_[hop]].holder = holder;
    if (link == old_holder) swap(link, place_[hop], --links_[link].held);
    if (link == holder) swap(link, place_[hop], links_[link].held++);
  }
}

void HeldFlows::tighten(std::int32_t link) {
  links_[link].has_slack = false;
  for (HeldFlow& own : links_[link].all) {
    own.holder = holder(own.flow);
    const auto tight = static_cast<std::size_t>(tight_[own.flow]++);
    swap_hops(routes_.hop(own.flow, link), routes_.first(own.flow) + tight);
    own.others = {HeldFlow::several, none};
    if (tight < 4) name_others(own.flow);
  }
}

void HeldFlows::slacken(std::int32_t link) {
  links_[link].has_slack = true;
  for (const HeldFlow& own : links_[link].all) {
    const auto tight = static_cast<std::size_t>(--tight_[own.flow]);
    swap_hops(routes_.hop(own.flow, link), routes_.first(own.flow) + tight);
    if (tight < 4) name_others(own.flow);
  }
}

}  // namespace contend
