// Max-min rates against filling anew after every event, on random networks; and rates that differ.
#include "rates/refill.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "contend/engine.hpp"
#include "rates/lanes.hpp"

namespace {

struct Case {
  std::int32_t hosts = 2;
  std::vector<double> start{}, bytes{}, capacity{};
  std::vector<std::int32_t> src{}, dst{}, links{};
  std::vector<std::int64_t> offsets{};

  contend::Setting setting() const {
    return {{hosts, start, src, dst, bytes, {}}, {1.0, capacity, offsets, links}, {}, {}};
  }
};

// Few sizes, starts and capacities, so that many levels and times are the same; a hot host in some.
Case random_case(std::mt19937& random) {
  const auto below = [&](std::int32_t bound) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(bound));
  };
  Case c;
  c.hosts = 2 + below(9);
  const bool has_routes = below(2) == 0;
  const bool is_hot = below(3) == 0;
  const std::int32_t links = 2 * c.hosts;
  for (std::int32_t l = 0; l < links; ++l) c.capacity.push_back(1.0 + below(3));
  if (has_routes) c.offsets.push_back(0);
  for (std::int32_t f = 1 + below(40); f > 0; --f) {
    const std::int32_t d = is_hot && below(4) > 0 ? 0 : below(c.hosts);
    c.dst.push_back(d);
    c.src.push_back((d + 1 + below(c.hosts - 1)) % c.hosts);
    c.bytes.push_back(1.0 + below(4));
    c.start.push_back(below(6));
    if (!has_routes) continue;
    const std::size_t first = c.links.size();
    for (std::int32_t l = 0; l < links; ++l) {
      if (below(5) == 0) c.links.push_back(l);
    }
    if (c.links.size() == first) c.links.push_back(below(links));
    c.offsets.push_back(static_cast<std::int64_t>(c.links.size()));
  }
  return c;
}

// Many flows from few sources to few hot hosts, through trunks that some of them share, and a few
// flows elsewhere; sizes alike, few, over six powers of ten, or zero; starts alike or not.
Case skewed_case(std::mt19937& random) {
  const auto below = [&](std::int32_t bound) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(bound));
  };
  Case c;
  const std::int32_t sources = 1 + below(6);
  const std::int32_t sinks = 1 + below(3);
  const std::int32_t trunks = below(4);
  c.hosts = sources + sinks;
  const std::int32_t kind = below(4);
  const std::int32_t times = 1 + below(8);
  for (std::int32_t l = 0; l < 2 * c.hosts + trunks; ++l) {
    c.capacity.push_back(below(2) == 0 ? 4.0 : 1.0 + below(4));
  }
  c.offsets.push_back(0);
  for (std::int32_t f = 1 + below(60); f > 0; --f) {
    const bool is_elsewhere = below(8) == 0;
    const std::int32_t s = below(sources);
    const std::int32_t d = is_elsewhere ? (s + 1) % c.hosts : sources + below(sinks);
    c.src.push_back(s);
    c.dst.push_back(d);
    const double size[] = {1.0, 1.0 + below(3), std::pow(10.0, below(7) - 3), below(3) * 0.5};
    c.bytes.push_back(size[kind]);
    c.start.push_back(below(times));
    c.links.push_back(s);
    for (std::int32_t t = 0; t < trunks && !is_elsewhere; ++t) {
      if (below(4) > 0) c.links.push_back(2 * c.hosts + t);
    }
    c.links.push_back(c.hosts + d);
    c.offsets.push_back(static_cast<std::int64_t>(c.links.size()));
  }
  return c;
}

// CONTEND_NETWORKS sets another number.
int networks() {
  const char* const given = std::getenv("CONTEND_NETWORKS");
  return given == nullptr ? 3000 : std::atoi(given);
}

// Does as another model does until it gives one of its lanes a tenth more.
class Wrong : public contend::Sharing {
 public:
  Wrong(contend::Lanes& lanes, std::unique_ptr<contend::Sharing> right)
      : lanes_(lanes), right_(std::move(right)) {}
  void start(std::int32_t flow) override {
    right_->start(flow);
    last_ = flow;
  }
  void end(std::int32_t flow) override { right_->end(flow); }
  void share() override {
    right_->share();
    const std::int32_t lane = lanes_.lane(last_);
    lanes_.set_rate(lane, 1.1 * lanes_.rate(lane));
  }

 private:
  contend::Lanes& lanes_;
  std::unique_ptr<contend::Sharing> right_;
  std::int32_t last_ = 0;
};

contend::SharingModel refilled(bool is_wrong) {
  contend::SharingModel model = contend::sharing_model("maxmin");
  const auto make = model.make;
  model.make = [make, is_wrong](const contend::Setting& setting, contend::Lanes& lanes) {
    auto sharing = make(setting, lanes);
    if (is_wrong) sharing = std::make_unique<Wrong>(lanes, std::move(sharing));
    return std::make_unique<contend::Refill>(setting, lanes, std::move(sharing));
  };
  return model;
}

TEST(filling_anew_gives_the_same_rates_at_every_event) {
  std::mt19937 random(1);
  const contend::SharingModel model = refilled(false);
  for (int i = 0; i < networks(); ++i) {
    const Case c = i % 2 == 0 ? random_case(random) : skewed_case(random);
    const auto end = contend::solve(c.setting(), model, false).end;
    CHECK(end == contend::solve(c.setting(), contend::sharing_model("maxmin"), false).end);
  }
}

TEST(a_rate_that_differs_is_refused) {
  std::mt19937 random(2);
  const Case c = random_case(random);
  CHECK_THROWS(contend::solve(c.setting(), refilled(true), false), "filling anew gives");
}

}  // namespace
