#include <algorithm>
#include <limits>
#include <string>

#include "checks.hpp"
#include "contend/error.hpp"
#include "contend/routing.hpp"

namespace contend {
namespace {

using Places = std::span<const std::int32_t>;

// Links of a path, and its longest queue; seconds.
struct Load {
  std::size_t links = 0;
  double queue = 0.0;
};

Load load_of(Places path, double now, std::span<const double> empty_at, std::size_t flow) {
  Load load;
  for (const std::int32_t link : path) {
    if (link < 0) continue;
    const auto at = static_cast<std::size_t>(link);
    if (at >= empty_at.size()) {
      throw Error("flow " + std::to_string(flow) + ": a candidate names link " +
                  std::to_string(link) + ", but there are " + std::to_string(empty_at.size()) +
                  "; number them from 0");
    }
    ++load.links;
    load.queue = std::max(load.queue, empty_at[at] - now);
  }
  return load;
}

void put_on(Places path, double now, double bytes, std::span<const double> seconds,
            std::span<double> empty_at) {
  for (const std::int32_t link : path) {
    if (link < 0) continue;
    const auto at = static_cast<std::size_t>(link);
    if (seconds[at] > 0.0) empty_at[at] = std::max(empty_at[at], now) + bytes * seconds[at];
  }
}

}  // namespace

std::vector<std::int32_t> least_loaded(const Candidates& flows, std::span<const double> seconds,
                                       std::span<double> empty_at) {
  const std::size_t count = flows.start.size();
  check_count("bytes", flows.bytes.size(), count);
  check_count("empty_at", empty_at.size(), seconds.size());
  if (flows.candidates < 1) throw Error("there are no candidates; give at least 1 path per flow");
  const std::size_t places = count ? flows.links.size() / count / flows.candidates : 0;
  check_count("links", flows.links.size(), count * flows.candidates * places);
  std::vector<std::int32_t> chosen(count);
  for (std::size_t f = 0; f < count; ++f) {
    double least = std::numeric_limits<double>::infinity();
    Places best;
    for (std::size_t c = 0; c < flows.candidates; ++c) {
      const Places path = flows.links.subspan((f * flows.candidates + c) * places, places);
      const Load load = load_of(path, flows.start[f], empty_at, f);
      const double cost = load.queue * static_cast<double>(load.links);
      if (load.links == 0 || cost >= least) continue;
      least = cost;
      best = path;
      chosen[f] = static_cast<std::int32_t>(c);
    }
    if (best.empty()) throw Error("flow " + std::to_string(f) + ": no candidate has a link");
    put_on(best, flows.start[f], flows.bytes[f], seconds, empty_at);
  }
  return chosen;
}

}  // namespace contend
