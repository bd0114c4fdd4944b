// Message exchange digraph: validation, port loads and lower bounds; see graph.hpp for the source.
#include "contend/graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "checks.hpp"
#include "contend/error.hpp"

namespace contend {
namespace {

std::string arc(std::size_t e) { return "message " + std::to_string(e) + ": "; }

void check_vertex(const char* role, std::int32_t vertex, std::size_t e, std::int32_t n) {
  if (vertex < 0 || vertex >= n) {
    throw Error(arc(e) + role + " is " + std::to_string(vertex) + ", but with n = " +
                std::to_string(n) + " the vertices are 0 to " + std::to_string(n - 1));
  }
}

void check_sizes(const MessageGraph& graph) {
  if (graph.n < 1) {
    throw Error("n must be at least 1, got " + std::to_string(graph.n));
  }
  const std::size_t messages = graph.src.size();
  if (graph.dst.size() != messages || graph.bytes.size() != messages) {
    throw Error("src, dst and bytes have " + std::to_string(messages) + ", " +
                std::to_string(graph.dst.size()) + " and " + std::to_string(graph.bytes.size()) +
                " entries; give one of each per message");
  }
}

void check_arc(const MessageGraph& graph, std::size_t e) {
  check_vertex("src", graph.src[e], e, graph.n);
  check_vertex("dst", graph.dst[e], e, graph.n);
  if (graph.src[e] == graph.dst[e]) {
    throw Error(arc(e) + "vertex " + std::to_string(graph.src[e]) +
                " sends to itself; a message to oneself does not cross the network, leave it out");
  }
  if (!is_amount(graph.bytes[e])) {
    throw Error(arc(e) + "bytes must be finite and at least 0, got " + text(graph.bytes[e]));
  }
}

// One direction of all vertices, so that both directions go through the same code.
struct Ports {
  std::span<const std::int64_t> degrees;  // (n,)
  std::span<const double> bytes;          // (n,)
};

}  // namespace

void validate(const MessageGraph& graph) {
  check_sizes(graph);
  for (std::size_t e = 0; e < graph.src.size(); ++e) {
    check_arc(graph, e);
  }
}

PortLoads port_loads(const MessageGraph& graph) {
  check_sizes(graph);
  const auto n = static_cast<std::size_t>(graph.n);
  PortLoads loads{std::vector<std::int64_t>(n), std::vector<std::int64_t>(n),
                  std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t e = 0; e < graph.src.size(); ++e) {
    check_arc(graph, e);
    const auto src = static_cast<std::size_t>(graph.src[e]);
    const auto dst = static_cast<std::size_t>(graph.dst[e]);
    ++loads.out_degrees[src];
    ++loads.in_degrees[dst];
    loads.bytes_sent[src] += graph.bytes[e];
    loads.bytes_received[dst] += graph.bytes[e];
  }
  return loads;
}

LowerBound lower_bound(const PortLoads& loads, double alpha, double beta) {
  if (!is_amount(alpha) || !is_amount(beta)) {
    throw Error("alpha (seconds) and beta (seconds per byte) must be finite and at least 0, got " +
                text(alpha) + " and " + text(beta));
  }
  const Ports directions[] = {{loads.out_degrees, loads.bytes_sent},
                              {loads.in_degrees, loads.bytes_received}};
  const auto port_seconds = [&](std::int64_t degree, double bytes) {
    return static_cast<double>(degree) * alpha + bytes * beta;
  };

  LowerBound bound{};
  for (const Ports& ports : directions) {
    for (std::size_t v = 0; v < ports.degrees.size(); ++v) {
      bound.startups = std::max(bound.startups, ports.degrees[v]);
      bound.bytes = std::max(bound.bytes, ports.bytes[v]);
      bound.seconds = std::max(bound.seconds, port_seconds(ports.degrees[v], ports.bytes[v]));
    }
  }
  bound.startup_seconds = port_seconds(bound.startups, 0.0);
  bound.bandwidth_seconds = port_seconds(0, bound.bytes);
  bound.synchronous_seconds = port_seconds(bound.startups, bound.bytes);

  for (std::size_t v = 0; v < loads.out_degrees.size(); ++v) {
    bool has_most_startups = false;
    bool has_most_bytes = false;
    for (const Ports& ports : directions) {
      const bool is_busiest = ports.degrees[v] == bound.startups;
      const bool is_fullest = ports.bytes[v] == bound.bytes;
      bound.holds_claim_3 |= is_busiest && is_fullest;
      has_most_startups |= is_busiest;
      has_most_bytes |= is_fullest;
    }
    bound.is_simultaneous |= has_most_startups && has_most_bytes;
  }
  return bound;
}

}  // namespace contend
