// Flows that wait for others: against the same flows with the start times that come of it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "contend/engine.hpp"

namespace {

struct Case {
  std::vector<double> start{}, bytes{}, latency{};
  std::vector<std::int32_t> src{}, dst{}, required{};
  std::vector<std::int64_t> offsets{0};

  void add(std::int32_t from, std::int32_t to, double size, std::vector<std::int32_t> after = {}) {
    src.push_back(from);
    dst.push_back(to);
    bytes.push_back(size);
    start.push_back(0.0);
    required.insert(required.end(), after.begin(), after.end());
    offsets.push_back(static_cast<std::int64_t>(required.size()));
  }
  contend::Solution solve() const {
    const contend::Setting setting{
        {8, start, src, dst, bytes, latency, offsets, required}, {4.0, {}, {}, {}}, {}, {}};
    return contend::solve(setting, contend::sharing_model("maxmin"));
  }
};

TEST(a_flow_starts_when_the_last_one_it_requires_has_ended) {
  Case c;
  c.add(0, 1, 8.0);
  c.add(2, 3, 12.0);
  c.add(1, 4, 4.0, {0, 1});
  c.add(1, 5, 4.0, {0});
  c.latency = {0.0, 0.0, 0.5, 0.0};
  const auto end = c.solve().end;
  CHECK(end[0] == 2.0 && end[1] == 3.0 && end[3] == 3.0);
  CHECK(end[2] == 4.5);
}

std::vector<std::int32_t> after(std::int32_t flow) {
  return flow < 0 ? std::vector<std::int32_t>{} : std::vector{flow};
}

TEST(empty_flows_pass_the_turn_on_at_once) {
  Case c;
  for (std::int32_t f = 0; f < 100; ++f) {
    c.add(0, 1, f % 10 == 0 ? 4.0 : 0.0, after(f - 1));
  }
  CHECK_NEAR(c.solve().end[99], 10.0, 1e-9);
}

TEST(waiting_is_a_start_time_that_is_found_later) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Case c;
    const auto below = [&](std::size_t bound) {
      return static_cast<std::int32_t>(random() % bound);
    };
    const std::int32_t flows = 1 + below(20);
    for (std::int32_t f = 0; f < flows; ++f) {
      const std::int32_t from = below(8);
      std::vector<std::int32_t> after;
      for (std::int32_t other = 0; other < f; ++other) {
        if (below(4) == 0) after.push_back(other);
      }
      c.add(from, (from + 1 + below(7)) % 8, static_cast<double>(below(4)), after);
      c.start.back() = static_cast<double>(below(3));
    }
    const auto found = c.solve().end;
    Case fixed = c;
    for (std::int32_t f = 0; f < flows; ++f) {
      for (auto r = c.offsets[f]; r < c.offsets[f + 1]; ++r) {
        fixed.start[f] = std::max(fixed.start[f], found[c.required[r]]);
      }
    }
    fixed.required.clear();
    fixed.offsets.clear();
    const auto expected = fixed.solve().end;
    for (std::int32_t f = 0; f < flows; ++f) CHECK_NEAR(found[f], expected[f], 1e-9);
  }
}

TEST(flows_that_require_each_other_are_refused) {
  Case c;
  c.add(0, 1, 1.0);
  c.add(0, 1, 1.0, {2});
  c.add(0, 1, 1.0, {1});
  CHECK_THROWS(c.solve(), "flow 1 never starts");
  Case other;
  other.add(0, 1, 1.0, {0});
  CHECK_THROWS(other.solve(), "flow 0 never starts");
  other.required = {1};
  CHECK_THROWS(other.solve(), "it waits for flow 1");
  other.offsets = {0, 5};
  CHECK_THROWS(other.solve(), "must ascend within the list");
}

}  // namespace
