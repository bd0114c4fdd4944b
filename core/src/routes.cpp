// Routes: which flow is on which link; see routes.hpp.
#include "routes.hpp"

#include <unordered_map>

#include "lanes.hpp"

namespace contend {
namespace {

std::vector<std::int32_t> links_of(const Setting& setting) {
  const Flows& flows = setting.flows;
  if (!setting.network.offsets.empty()) {
    return {setting.network.links.begin(), setting.network.links.end()};
  }
  std::vector<std::int32_t> links;
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

std::size_t HashOfNumbers::operator()(const std::vector<std::int64_t>& numbers) const {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::int64_t number : numbers) {
    hash = (hash ^ static_cast<std::uint64_t>(number)) * 1099511628211U;
    hash ^= hash >> 29;
  }
  return hash;
}

std::vector<std::int32_t> route_numbers(const Routes& routes, std::size_t flows) {
  std::unordered_map<std::vector<std::int64_t>, std::int32_t, HashOfNumbers> known;
  known.reserve(flows);
  std::vector<std::int32_t> numbers(flows);
  std::vector<std::int64_t> key;
  for (std::size_t f = 0; f < flows; ++f) {
    const auto links = routes.of(static_cast<std::int32_t>(f));
    key.assign(links.begin(), links.end());
    numbers[f] = known.try_emplace(key, static_cast<std::int32_t>(known.size())).first->second;
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

void HeldFlows::put(std::int32_t link, std::int32_t place, Entry entry) {
  on_[link][place] = entry;
  place_[routes_.hop(entry.flow, link)] = place;
}

void HeldFlows::swap(std::int32_t link, std::int32_t a, std::int32_t b) {
  const Entry first = on_[link][a];
  put(link, a, on_[link][b]);
  put(link, b, first);
}

void HeldFlows::add(std::int32_t flow) {
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    std::vector<Entry>& on = on_[routes_.link(hop)];
    place_[hop] = static_cast<std::int32_t>(on.size());
    on.push_back({flow, Lanes::none});
  }
}

void HeldFlows::remove(std::int32_t flow) {
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    const std::int32_t link = routes_.link(hop);
    if (place_[hop] < held_[link]) swap(link, place_[hop], --held_[link]);
    put(link, place_[hop], on_[link].back());
    on_[link].pop_back();
  }
}

void HeldFlows::hold(std::int32_t flow, std::int32_t old_holder, std::int32_t holder) {
  for (std::size_t hop = routes_.first(flow); hop < routes_.first(flow + 1); ++hop) {
    const std::int32_t link = routes_.link(hop);
    on_[link][place_[hop]].holder = holder;
    if (link == old_holder) swap(link, place_[hop], --held_[link]);
    if (link == holder) swap(link, place_[hop], held_[link]++);
  }
}

}  // namespace contend
