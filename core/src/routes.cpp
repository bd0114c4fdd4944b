// Routes: which flow is on which link; see routes.hpp.
#include "routes.hpp"

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
      links_(links_of(setting)),
      place_(links_.size()),
      on_(capacity_.size()) {}

void Routes::add(std::int32_t flow) {
  for (std::size_t i = first(flow); i < first(flow + 1); ++i) {
    std::vector<std::int32_t>& on = on_[links_[i]];
    place_[i] = static_cast<std::int32_t>(on.size());
    on.push_back(flow);
  }
}

void Routes::remove(std::int32_t flow) {
  for (std::size_t i = first(flow); i < first(flow + 1); ++i) {
    std::vector<std::int32_t>& on = on_[links_[i]];
    const std::int32_t last = on.back();
    on[place_[i]] = last;
    for (std::size_t j = first(last); j < first(last + 1); ++j) {
      if (links_[j] == links_[i]) place_[j] = place_[i];
    }
    on.pop_back();
  }
}

}  // namespace contend
