// Penalties with links between switches: against max-min with a link of its own for each flow.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "contend/engine.hpp"

namespace {

constexpr double bandwidth = 4.0;

struct Case {
  std::vector<double> start{}, bytes{}, latency{}, capacity{}, penalty{};
  std::vector<std::int32_t> src{}, dst{}, links{};
  std::vector<std::int64_t> offsets{0};

  contend::Solution solve(const char* model, bool is_recorded = false) const {
    contend::Setting setting{
        {8, start, src, dst, bytes, latency}, {bandwidth, capacity, offsets, links}, {}, {}};
    setting.penalties = [this](std::span<const std::int32_t> flows, std::span<double> penalties) {
      for (std::size_t i = 0; i < flows.size(); ++i) penalties[i] = penalty[flows[i]];
    };
    return contend::solve(setting, contend::sharing_model(model), is_recorded);
  }
};

Case random_case(std::mt19937& random, std::size_t most_links = 6, std::size_t most_flows = 16) {
  Case c;
  const auto below = [&](std::size_t bound) { return random() % bound; };
  const std::size_t links = 1 + below(most_links);
  for (std::size_t l = 0; l < links; ++l) c.capacity.push_back(1.0 + static_cast<double>(below(6)));
  const std::size_t flows = 1 + below(most_flows);
  for (std::size_t f = 0; f < flows; ++f) {
    c.src.push_back(static_cast<std::int32_t>(below(8)));
    c.dst.push_back(static_cast<std::int32_t>((c.src[f] + 1 + below(7)) % 8));
    c.bytes.push_back(static_cast<double>(below(4)));
    c.start.push_back(static_cast<double>(below(3)));
    c.penalty.push_back(1.0 + 0.5 * static_cast<double>(below(5)));
    for (std::size_t l = 0; l < links; ++l) {
      if (below(3) == 0) c.links.push_back(static_cast<std::int32_t>(l));
    }
    c.offsets.push_back(static_cast<std::int64_t>(c.links.size()));
  }
  return c;
}

// The same flows under max-min, each with a link of its own of bandwidth / penalty.
Case with_links_of_their_own(const Case& c) {
  Case other = c;
  other.links.clear();
  for (std::size_t f = 0; f < c.src.size(); ++f) {
    other.links.insert(other.links.end(), c.links.begin() + c.offsets[f],
                       c.links.begin() + c.offsets[f + 1]);
    other.links.push_back(static_cast<std::int32_t>(other.capacity.size()));
    other.capacity.push_back(bandwidth / c.penalty[f]);
    other.offsets[f + 1] = static_cast<std::int64_t>(other.links.size());
  }
  return other;
}

TEST(a_penalty_is_a_link_of_the_flow_alone) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Case c = random_case(random);
    const auto expected = with_links_of_their_own(c).solve("maxmin").end;
    const auto found = c.solve("measured").end;
    for (std::size_t f = 0; f < found.size(); ++f) CHECK_NEAR(found[f], expected[f], 1e-9);
  }
}

// Sizes that differ, so that each end is an event of its own.
TEST(many_flows_over_many_links) {
  std::mt19937 random(4);
  for (int i = 0; i < 40; ++i) {
    Case c = random_case(random, 24, 300);
    for (double& bytes : c.bytes) bytes += static_cast<double>(random() % 1000) / 1000.0;
    const auto expected = with_links_of_their_own(c).solve("maxmin").end;
    const auto found = c.solve("measured").end;
    for (std::size_t f = 0; f < found.size(); ++f) {
      CHECK_NEAR(found[f], expected[f], 1e-9 * expected[f]);
    }
    for (const char* model : {"infiniband", "infiniband-residual"}) {
      const auto ends = c.solve(model).end;  // where rates are checked, each event is
      CHECK(std::ranges::all_of(ends, [](double end) { return std::isfinite(end); }));
    }
  }
}

TEST(no_link_between_switches_carries_more_than_it_can) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const Case c = random_case(random);
    for (const char* model : {"infiniband", "infiniband-residual", "measured"}) {
      const auto stretches = c.solve(model, true).stretches;
      std::vector<double> times;
      for (const auto& s : stretches) times.insert(times.end(), {s.from, s.until});
      std::sort(times.begin(), times.end());
      for (std::size_t t = 1; t < times.size(); ++t) {
        if (times[t] - times[t - 1] < 1e-9) continue;
        const double middle = (times[t] + times[t - 1]) / 2;
        std::vector<double> load(c.capacity.size());
        for (const auto& s : stretches) {
          if (s.from > middle || s.until < middle) continue;
          for (auto hop = c.offsets[s.flow]; hop < c.offsets[s.flow + 1]; ++hop) {
            load[c.links[hop]] += s.rate;
          }
        }
        for (std::size_t l = 0; l < load.size(); ++l) CHECK(load[l] <= c.capacity[l] * (1 + 1e-9));
      }
    }
  }
}

TEST(links_that_carry_all_leave_the_penalties_alone) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    Case c = random_case(random);
    for (const char* model : {"infiniband", "infiniband-residual", "measured"}) {
      std::fill(c.capacity.begin(), c.capacity.end(), 1e9);
      const auto found = c.solve(model).end;
      Case bare = c;
      bare.capacity.clear();
      bare.links.clear();
      bare.offsets.clear();
      const auto expected = bare.solve(model).end;
      for (std::size_t f = 0; f < found.size(); ++f) CHECK_NEAR(found[f], expected[f], 1e-9);
    }
  }
}

}  // namespace
