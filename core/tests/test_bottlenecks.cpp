// Max-min rates link by link, and by filling all, against filling plainly after every event; and
// what a tolerance does to ends.
#include "rates/bottlenecks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "check.hpp"
#include "contend/engine.hpp"
#include "rates/refill.hpp"

namespace {

struct Case {
  std::int32_t hosts = 2;
  std::vector<double> start{}, bytes{}, capacity{};
  std::vector<std::int32_t> src{}, dst{}, links{};
  std::vector<std::int64_t> offsets{};

  void add(std::int32_t from, std::int32_t to, double size, double when) {
    src.push_back(from);
    dst.push_back(to);
    bytes.push_back(size);
    start.push_back(when);
  }
  contend::Setting setting() const {
    return {{hosts, start, src, dst, bytes, {}}, {1.0, capacity, offsets, links}, {}, {}};
  }
};

double between(std::mt19937& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

std::int32_t below(std::mt19937& random, std::int32_t bound) {
  return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(bound));
}

// Between all pairs, sizes over `decades` powers of ten.
Case all_to_all(std::mt19937& random, std::int32_t hosts, double decades, double spread) {
  Case c;
  c.hosts = hosts;
  for (std::int32_t s = 0; s < hosts; ++s) {
    for (std::int32_t d = 0; d < hosts; ++d) {
      const double size = std::pow(10.0, between(random, 0.0, decades));
      if (s != d) c.add(s, d, size, between(random, 0.0, spread));
    }
  }
  return c;
}

// Random pairs under leaf switches, each over a random spine; `hot` of the ends are at two hosts.
Case leaves(std::mt19937& random, std::int32_t flows, double spread, double hot = 0.0) {
  constexpr std::int32_t leaves = 4, under = 4, spines = 3;
  Case c;
  c.hosts = leaves * under;
  c.capacity.assign(2 * c.hosts + 2 * leaves * spines, 1.0);
  c.offsets.push_back(0);
  for (std::int32_t f = 0; f < flows; ++f) {
    const auto hosts = [&] { return between(random, 0.0, 1.0) < hot ? 2 : c.hosts; };
    const std::int32_t s = below(random, hosts());
    const std::int32_t d = (s + 1 + below(random, hosts() - 1)) % c.hosts;
    c.add(s, d, between(random, 0.1, 3.0), between(random, 0.0, spread));
    c.links.push_back(s);
    if (s / under != d / under) {
      const std::int32_t spine = 2 * c.hosts + below(random, spines);
      c.links.push_back(spine + s / under * spines);
      c.links.push_back(spine + (leaves + d / under) * spines);
    }
    c.links.push_back(c.hosts + d);
    c.offsets.push_back(static_cast<std::int64_t>(c.links.size()));
  }
  return c;
}

contend::SharingModel checked() {
  contend::SharingModel model = contend::sharing_model("maxmin");
  model.make = [make = model.make](const contend::Setting& setting, contend::Lanes& lanes) {
    return std::make_unique<contend::Refill>(setting, lanes, make(setting, lanes));
  };
  return model;
}

std::vector<double> ends(const Case& c, double tolerance = 0.0) {
  return contend::solve(c.setting(), checked(), false, tolerance).end;
}

TEST(rates_are_those_of_plain_filling_whether_few_or_many_links_change) {
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const std::int32_t hosts = 4 + below(random, 9);
    for (const double tolerance : {0.0, 1e-3, 0.1}) {
      ends(all_to_all(random, hosts, between(random, 0.0, 4.0), i % 2), tolerance);
      ends(leaves(random, 20 + below(random, 100), 10.0 * (i % 2)), tolerance);
    }
  }
}

// Links that are far from full are looked at only when bounds say so: with capacities so different,
// and flows that come and go, links become full and empty again all the time.
TEST(links_that_come_to_be_full_and_cease_to_be_have_the_rates_of_plain_filling) {
  std::mt19937 random(4);
  for (int i = 0; i < 60; ++i) {
    Case c = leaves(random, 150, between(random, 2.0, 60.0));
    for (double& capacity : c.capacity) capacity = std::pow(10.0, between(random, -1.0, 1.0));
    ends(c);
    ends(c, 1e-3);
  }
}

// Most flows have the tight links of others that are here, and join their class.
TEST(flows_of_hot_hosts_have_the_rates_of_plain_filling) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    Case c = leaves(random, 150, between(random, 5.0, 100.0), 0.7);
    if (i % 2) {
      for (double& capacity : c.capacity) capacity = std::pow(10.0, between(random, -1.0, 1.0));
    }
    ends(c);
    ends(c, 1e-3);
  }
}

TEST(a_tolerance_leaves_out_events) {
  std::mt19937 random(2);
  const Case c = all_to_all(random, 12, 1.0, 0.0);
  const contend::SharingModel& model = contend::sharing_model("maxmin");
  const auto exact = contend::solve(c.setting(), model).events;
  CHECK(contend::solve(c.setting(), model, false, 0.05).events < exact / 2);
}

// In either direction: others leave too early, and what a flow has left moves at its last rate.
TEST(on_one_link_an_end_is_off_by_at_most_the_tolerance_of_its_time) {
  std::mt19937 random(3);
  for (const double tolerance : {1e-4, 1e-2, 0.1}) {
    Case c;
    c.hosts = 201;
    for (std::int32_t f = 1; f < c.hosts; ++f) c.add(f, 0, between(random, 0.5, 1.5), 5.0);
    const auto exact = ends(c);
    const auto found = ends(c, tolerance);
    double worst = 0.0;
    for (std::size_t f = 0; f < exact.size(); ++f) {
      worst = std::max(worst, std::abs(found[f] - exact[f]) / (exact[f] - 5.0));
    }
    CHECK(worst > 0.0 && worst <= tolerance);
  }
}

TEST(starts_within_the_tolerance_of_the_time_alone_are_one_event) {
  Case c;
  c.hosts = 4;
  c.add(0, 1, 10.0, 0.0);
  c.add(2, 3, 1.0, 5.0);
  c.add(3, 2, 1.0, 5.009);
  const contend::SharingModel& model = contend::sharing_model("maxmin");
  CHECK(contend::solve(c.setting(), model).events == 6);
  CHECK(contend::solve(c.setting(), model, false, 0.01).events < 6);
}

TEST(a_tolerance_out_of_range_is_refused) {
  Case c;
  c.add(0, 1, 1.0, 0.0);
  for (const double tolerance : {-1e-9, 0.11, std::nan("")}) {
    CHECK_THROWS(ends(c, tolerance), "tolerance must be from 0 to 0.1");
  }
}

}  // namespace
