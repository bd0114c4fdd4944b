// Routes: which flow is on which link; see routes.hpp.
#include "rates/routes.hpp"

#include <algorithm>

namespace contend {
namespace {

LargeArray<std::int32_t> links_of(const Setting& setting) {
  const Flows& flows = setting.flows;
  if (!setting.network.offsets.empty()) {
    return {setting.network.links.begin(), setting.network.links.end()};
  }
  LargeArray<std::int32_t> links;
  links.reserve(2 * flows.src.size());
  for (std::size_t f = 0; f < flows.src.size(); ++f) {
    links.push_back(flows.src[f]);
    links.push_back(flows.hosts + flows.dst[f]);
  }
  return links;
}

std::vector<double> capacities_of(const Setting& setting) {
  const Network& network = setting.network;
  if (!network.capacity.empty()) return {network.capacity.begin(), network.capacity.end()};
  return std::vector<double>(2 * static_cast<std::size_t>(setting.flows.hosts), network.bandwidth);
}

}  // namespace

Routes::Routes(const Setting& setting)
    : capacity_(capacities_of(setting)),
      offsets_(setting.network.offsets),
      hops_(links_of(setting)) {}

std::vector<std::int32_t> route_numbers(const Routes& routes, std::size_t flows) {
  // Most routes differ in their first two links, which are beside each other in memory here.
  struct Entry {
    std::uint64_t begin;
    std::int32_t flow;
  };
  const auto entry = [&](std::int32_t flow) {
    std::uint64_t begin = 0;
    for (const std::int32_t l :
         routes.of(flow).first(std::min<std::size_t>(2, routes.of(flow).size())))
      begin = begin << 32 | static_cast<std::uint32_t>(l);
    return Entry{begin, flow};
  };
  const auto is_before = [&](const Entry& a, const Entry& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return std::ranges::lexicographical_compare(routes.of(a.flow), routes.of(b.flow));
  };
  std::vector<Entry> order;
  order.reserve(flows);
  for (std::size_t f = 0; f < flows; ++f) order.push_back(entry(static_cast<std::int32_t>(f)));
  std::sort(order.begin(), order.end(), is_before);
  std::vector<std::int32_t> numbers(flows);
  for (std::size_t i = 1, number = 0; i < flows; ++i) {
    number += is_before(order[i - 1], order[i]);
    numbers[order[i].flow] = static_cast<std::int32_t>(number);
  }
  return numbers;
}

void LinkFlows::add(std::int32_t flow) {
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    std::vector<std::int32_t>& on = on_[routes_.link(hop)];
    place_[hop] = static_cast<std::int32_t>(on.size());
    on.push_back(flow);
  }
}

void LinkFlows::remove(std::int32_t flow) {
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    const std::int32_t link = routes_.link(hop);
    std::vector<std::int32_t>& on = on_[link];
    on[place_[hop]] = on.back();
    place_[routes_.hop(on.back(), link)] = place_[hop];
    on.pop_back();
  }
}

}  // namespace contend
