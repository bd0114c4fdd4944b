// The engine: closed forms, and max-min against progressive filling done anew at every event.
#include "contend/engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

constexpr double bandwidth = 4.0;
constexpr double never = std::numeric_limits<double>::infinity();

struct Case {
  std::int32_t hosts = 8;
  std::vector<double> start{}, bytes{}, latency{}, capacity{};
  std::vector<std::int32_t> src{}, dst{}, links{};
  std::vector<std::int64_t> offsets{}, required_offsets{}, behind_offsets{};
  std::vector<std::int32_t> required{}, behind{};

  void add(std::int32_t from, std::int32_t to, double size, double at = 0.0) {
    src.push_back(from);
    dst.push_back(to);
    bytes.push_back(size);
    start.push_back(at);
  }
  contend::Setting setting() const {
    return {{hosts, start, src, dst, bytes, latency, required_offsets, required, behind_offsets,
             behind},
            {bandwidth, capacity, offsets, links},
            {},
            {}};
  }
  contend::Solution solve(const char* model, bool is_recorded = false) const {
    return contend::solve(setting(), contend::sharing_model(model), is_recorded);
  }
};

// Rates of the flows in `active`: all grow together, and stop at the first full link of their
// route.
std::vector<double> filled(const Case& c, const std::vector<std::size_t>& active) {
  std::vector<double> rates(c.bytes.size(), -1.0);
  const auto route = [&](std::size_t f) {
    return std::vector<std::int32_t>(c.links.begin() + c.offsets[f],
                                     c.links.begin() + c.offsets[f + 1]);
  };
  for (std::size_t decided = 0; decided < active.size();) {
    std::vector<double> left = c.capacity;
    std::vector<double> open(c.capacity.size());
    for (const std::size_t f : active) {
      for (const std::int32_t l : route(f)) {
        if (rates[f] < 0.0) open[l] += 1.0;
        if (rates[f] >= 0.0) left[l] -= rates[f];
      }
    }
    double level = never;
    for (std::size_t l = 0; l < left.size(); ++l) {
      if (open[l] > 0.0) level = std::min(level, left[l] / open[l]);
    }
    for (const std::size_t f : active) {
      const auto links = route(f);
      const bool stops = std::any_of(links.begin(), links.end(), [&](std::int32_t l) {
        return open[l] > 0.0 && left[l] / open[l] <= level * (1.0 + 1e-12);
      });
      if (rates[f] < 0.0 && stops) {
        rates[f] = level;
        ++decided;
      }
    }
  }
  return rates;
}

std::vector<double> plain_ends(const Case& c) {
  std::vector<double> left = c.bytes;
  std::vector<double> end = c.start;
  for (double now = 0.0; now < never;) {
    std::vector<std::size_t> active;
    double next = never;
    for (std::size_t f = 0; f < left.size(); ++f) {
      if (c.start[f] > now) next = std::min(next, c.start[f]);
      if (c.start[f] <= now && left[f] > 0.0) active.push_back(f);
    }
    const std::vector<double> rates = filled(c, active);
    for (const std::size_t f : active) next = std::min(next, now + left[f] / rates[f]);
    for (const std::size_t f : active) {
      left[f] -= rates[f] * (next - now);
      if (left[f] > 1e-11) continue;
      left[f] = 0.0;
      end[f] = next;
    }
    now = next;
  }
  return end;
}

Case random_case(std::mt19937& random) {
  Case c;
  const auto below = [&](std::size_t bound) { return random() % bound; };
  const std::size_t links = 1 + below(9);
  for (std::size_t l = 0; l < links; ++l) c.capacity.push_back(1.0 + static_cast<double>(below(3)));
  c.offsets.push_back(0);
  const std::size_t flows = 1 + below(16);
  for (std::size_t f = 0; f < flows; ++f) {
    c.add(0, 1, static_cast<double>(below(4)), static_cast<double>(below(3)));
    std::vector<std::int32_t> all(links);
    for (std::size_t l = 0; l < links; ++l) all[l] = static_cast<std::int32_t>(l);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(1 + below(std::min<std::size_t>(6, links)));
    c.links.insert(c.links.end(), all.begin(), all.end());
    c.offsets.push_back(static_cast<std::int64_t>(c.links.size()));
  }
  return c;
}

TEST(max_min_is_progressive_filling) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Case c = random_case(random);
    const std::vector<double> expected = plain_ends(c);
    const std::vector<double> found = c.solve("maxmin").end;
    for (std::size_t f = 0; f < found.size(); ++f) CHECK_NEAR(found[f], expected[f], 1e-9);
  }
}

TEST(a_flow_alone_takes_bytes_over_bandwidth) {
  for (const auto& model : contend::sharing_models()) {
    if (model.name == "measured" || !model.parameters.empty()) continue;
    Case c;
    c.add(0, 1, 8.0, 3.0);
    c.latency = {0.5};
    CHECK(c.solve(model.name.c_str()).end[0] == 5.5);
  }
}

TEST(a_late_flow_takes_its_share_from_then_on) {
  Case c;
  c.add(0, 1, 8.0);
  c.add(0, 2, 4.0, 1.0);
  const contend::Solution found = c.solve("maxmin", true);
  CHECK(found.end[0] == 3.0);
  CHECK(found.end[1] == 3.0);
  CHECK(found.events == 3);
  CHECK(found.stretches.size() == 3);
  CHECK(found.stretches[0].rate == 4.0 && found.stretches[0].until == 1.0);
}

TEST(a_flow_that_waits_starts_when_the_last_has_ended) {
  Case c;
  c.add(0, 1, 4.0);
  c.add(2, 3, 8.0);
  c.add(1, 4, 4.0);       // after both
  c.add(0, 1, 4.0);       // behind the first, in its stream
  c.add(5, 6, 0.0, 9.0);  // nothing, after its own start
  c.latency = {0.5, 0.0, 0.25, 0.5, 0.0};
  c.required_offsets = {0, 0, 0, 2, 2, 3};
  c.required = {0, 1, 2};
  c.behind_offsets = {0, 0, 0, 0, 1, 1};
  c.behind = {0};
  const std::vector<double> end = c.solve("maxmin").end;
  CHECK(end[0] == 1.5 && end[1] == 2.0);
  CHECK(end[2] == 3.25);  // 2 s, latency, 1 s
  CHECK(end[3] == 2.5);   // without another latency
  CHECK(end[4] == 9.0);
}

TEST(flows_that_wait_in_a_circle_or_for_nobody_are_refused) {
  Case c;
  c.add(0, 1, 1.0);
  c.add(1, 2, 1.0);
  c.required_offsets = {0, 1, 2};
  c.required = {1, 0};
  CHECK_THROWS(c.solve("maxmin"), "flow 0 never starts");
  c.required = {1, 2};
  CHECK_THROWS(c.solve("maxmin"), "flow 1: it waits for flow 2");
  c.required_offsets = {0, 1, 3};
  CHECK_THROWS(c.solve("maxmin"), "must ascend within the list");
  c.required_offsets = {};
  c.behind_offsets = {0, 1, 1};
  c.behind = {0};
  CHECK_THROWS(c.solve("maxmin"), "flow 0 never starts");
}

TEST(ends_that_are_equal_on_paper_are_one_event) {
  Case c;
  c.hosts = 40;
  for (std::int32_t i = 0; i < c.hosts; ++i) {
    for (std::int32_t j = 0; j < c.hosts; ++j) {
      if (i != j) c.add(i, j, 1.0 / 3.0);
    }
  }
  for (const char* model : {"maxmin", "equal_share", "infiniband", "infiniband-residual"}) {
    CHECK(c.solve(model).events == 2);
  }
}

TEST(what_is_no_network_is_refused) {
  Case c;
  c.add(0, 0, 1.0);
  CHECK_THROWS(c.solve("maxmin"), "flow 0: host 0 sends to itself");
  CHECK_THROWS(c.solve("fair"), "no sharing model is named 'fair'");
  Case routed;
  routed.add(0, 1, 1.0);
  routed.capacity = {1.0};
  routed.offsets = {0, 2};
  routed.links = {0};
  CHECK_THROWS(routed.solve("maxmin"), "its route has no link");
  CHECK_THROWS(routed.solve("infiniband"), "its route");
}

}  // namespace
