// What the engine refuses, with the first flow or link at fault.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "checks.hpp"
#include "contend/engine.hpp"
#include "contend/error.hpp"

namespace contend {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0.0; }

// Within these, shares of any number of flows and sums over them are numbers with all their digits.
constexpr double least_rate = 1e-150;
constexpr double most_rate = 1e150;

void check_rate(const std::string& name, double value) {
  if (!is_positive(value)) {
    throw Error(name + " must be finite and above 0 bytes per second, got " + text(value));
  }
  if (value < least_rate || value > most_rate) {
    throw Error(name + " must be from " + text(least_rate) + " to " + text(most_rate) +
                " bytes per second, got " + text(value));
  }
}

std::string flow(std::size_t f) { return "flow " + std::to_string(f) + ": "; }

void check_host(const char* role, std::int32_t host, std::size_t f, std::int32_t hosts) {
  if (host >= 0 && host < hosts) return;
  throw Error(flow(f) + role + " is host " + std::to_string(host) + ", but with " +
              std::to_string(hosts) + " hosts they are 0 to " + std::to_string(hosts - 1));
}

void check_flow(const Flows& flows, std::size_t f) {
  check_host("src", flows.src[f], f, flows.hosts);
  check_host("dst", flows.dst[f], f, flows.hosts);
  if (flows.src[f] == flows.dst[f]) {
    throw Error(flow(f) + "host " + std::to_string(flows.src[f]) +
                " sends to itself, which does not cross the network; leave it out");
  }
  if (!is_amount(flows.bytes[f])) {
    throw Error(flow(f) + "bytes must be finite and at least 0, got " + text(flows.bytes[f]));
  }
  if (!std::isfinite(flows.start[f])) {
    throw Error(flow(f) + "start must be a finite time in seconds, got " + text(flows.start[f]));
  }
  if (!flows.latency.empty() && !is_amount(flows.latency[f])) {
    throw Error(flow(f) + "latency must be finite and at least 0, got " + text(flows.latency[f]));
  }
  if (!flows.latency.empty() && !std::isfinite(flows.start[f] + flows.latency[f])) {
    throw Error(flow(f) + "start " + text(flows.start[f]) + " and latency " +
                text(flows.latency[f]) + " add up to an infinite time; give smaller ones");
  }
}

void check_flows(const Flows& flows) {
  const std::size_t count = flows.start.size();
  if (flows.hosts < 1) {
    throw Error("there must be at least 1 host, got " + std::to_string(flows.hosts));
  }
  if (count > static_cast<std::size_t>(1) << 30) {
    throw Error("got " + std::to_string(count) + " flows; give at most 2^30");
  }
  check_count("src", flows.src.size(), count);
  check_count("dst", flows.dst.size(), count);
  check_count("bytes", flows.bytes.size(), count);
  if (!flows.latency.empty()) check_count("latency", flows.latency.size(), count);
  for (std::size_t f = 0; f < count; ++f) check_flow(flows, f);
  if (!std::isfinite(std::accumulate(flows.bytes.begin(), flows.bytes.end(), 0.0))) {
    throw Error("the bytes of all flows add up to an infinite number; give smaller ones");
  }
}

// What flows wait for, as rows of flows.
void check_waits(const char* name, std::span<const std::int64_t> offsets,
                 std::span<const std::int32_t> ends, std::size_t count) {
  if (offsets.empty()) return;
  check_count(name, offsets.size() - 1, count);
  if (offsets[0] != 0) throw Error("the offset of the first flow must be 0");
  for (std::size_t f = 0; f < count; ++f) {
    const std::int64_t first = offsets[f];
    const std::int64_t last = offsets[f + 1];
    if (first > last || last > static_cast<std::int64_t>(ends.size())) {
      throw Error(flow(f) + "the offsets of what it waits for must ascend within the list");
    }
    for (std::int64_t i = first; i < last; ++i) {
      const std::int32_t other = ends[static_cast<std::size_t>(i)];
      if (other >= 0 && static_cast<std::size_t>(other) < count) continue;
      throw Error(flow(f) + "it waits for flow " + std::to_string(other) + ", but with " +
                  std::to_string(count) + " flows they are 0 to " + std::to_string(count - 1));
    }
  }
}

void check_route(const Network& network, std::size_t f, bool is_between) {
  const std::int64_t first = network.offsets[f];
  const std::int64_t last = network.offsets[f + 1];
  if (first > last || last > static_cast<std::int64_t>(network.links.size()) ||
      (first == last && !is_between)) {
    throw Error(flow(f) + "its route has no link; give at least one");
  }
  const auto route = network.links.subspan(static_cast<std::size_t>(first),
                                           static_cast<std::size_t>(last - first));
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (route[i] < 0 || static_cast<std::size_t>(route[i]) >= network.capacity.size()) {
      throw Error(flow(f) + "its route names link " + std::to_string(route[i]) + ", but with " +
                  std::to_string(network.capacity.size()) + " links they are 0 to " +
                  std::to_string(static_cast<std::int64_t>(network.capacity.size()) - 1));
    }
    if (std::find(route.begin(), route.begin() + static_cast<std::ptrdiff_t>(i), route[i]) !=
        route.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw Error(flow(f) + "its route passes link " + std::to_string(route[i]) +
                  " twice; name each link once");
    }
  }
}

void check_network(const Setting& setting, const SharingModel& model) {
  const Network& network = setting.network;
  const std::size_t flows = setting.flows.start.size();
  check_rate("bandwidth", network.bandwidth);
  for (std::size_t l = 0; l < network.capacity.size(); ++l) {
    check_rate("link " + std::to_string(l) + ": capacity", network.capacity[l]);
  }
  if (network.offsets.empty()) {
    const std::size_t links = 2 * static_cast<std::size_t>(setting.flows.hosts);
    if (!network.capacity.empty() && network.capacity.size() != links) {
      throw Error("one switch has " + std::to_string(links) +
                  " links, out of each host and then into each host, got " +
                  std::to_string(network.capacity.size()) + " capacities; give routes otherwise");
    }
    return;
  }
  check_count("routes", network.offsets.size() - 1, flows);
  if (network.offsets[0] != 0) throw Error("the offset of the first route must be 0");
  for (std::size_t f = 0; f < flows; ++f) check_route(network, f, !model.has_routes);
}

std::string range(const Parameter& parameter) {
  if (!std::isfinite(parameter.most)) return "finite and above 0";
  return "from " + text(parameter.least) + " to " + text(parameter.most);
}

void check_model(const Setting& setting, const SharingModel& model) {
  const Network& network = setting.network;
  if (!model.has_routes && network.offsets.empty() && !network.capacity.empty()) {
    throw Error(model.name +
                " holds for hosts of one bandwidth; leave the capacities out, or take maxmin or "
                "equal_share");
  }
  if (setting.parameters.size() != model.parameters.size()) {
    throw Error(model.name + " has " + std::to_string(model.parameters.size()) +
                " parameters, got " + std::to_string(setting.parameters.size()));
  }
  for (std::size_t p = 0; p < setting.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    const double value = setting.parameters[p];
    if (is_positive(value) && value >= parameter.least && value <= parameter.most) continue;
    throw Error(model.name + ": " + parameter.name + " must be " + range(parameter) + ", got " +
                text(value));
  }
}

}  // namespace

void validate(const Setting& setting, const SharingModel& model) {
  check_flows(setting.flows);
  const Flows& flows = setting.flows;
  check_waits("required", flows.required_offsets, flows.required, flows.start.size());
  check_waits("behind", flows.behind_offsets, flows.behind, flows.start.size());
  check_network(setting, model);
  check_model(setting, model);
}

}  // namespace contend
