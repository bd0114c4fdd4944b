// Bounded shares: after any changes what filling from nothing gives, and what makes rates max-min
// fair.
#include "rates/bounded_shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

using contend::BoundedShares;

constexpr double tolerance = 1e-9;

struct Draw {
  std::mt19937 random;

  std::size_t below(std::size_t bound) { return random() % bound; }
  double unit() { return std::uniform_real_distribution<>(0.0, 1.0)(random); }
};

struct Known {
  std::vector<std::int32_t> links{};
  std::int32_t flows = 0;
  double bound = 0.0;
};

// A network with classes of flows that come, go, and get other bounds.
struct Play {
  Draw& draw;
  bool has_ties;
  std::vector<double> capacity{};
  std::vector<Known> known{};  // those without flows are closed

  Play(Draw& with, std::size_t links, std::size_t classes, bool ties) : draw(with), has_ties(ties) {
    for (std::size_t l = 0; l < links; ++l) {
      capacity.push_back(ties ? 1.0 + static_cast<double>(draw.below(3))
                              : std::pow(10.0, 2.0 * draw.unit()));
    }
    std::vector<std::int32_t> all(links);
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t c = 0; c < classes; ++c) {
      std::shuffle(all.begin(), all.end(), draw.random);
      const auto length = static_cast<std::ptrdiff_t>(draw.below(std::min<std::size_t>(5, links)));
      known.push_back({{all.begin(), all.begin() + length}});
    }
  }

  double bound() {
    return has_ties ? 0.25 * static_cast<double>(1 + draw.below(8)) : draw.unit() + 1e-3;
  }

  // As the engine does: new classes first, all changes, and those without flows closed at the end.
  void change(BoundedShares& shares) {
    std::vector<std::int32_t> emptied;
    for (std::size_t n = 0; n < 1 + draw.below(4); ++n) {
      const auto c = static_cast<std::int32_t>(draw.below(known.size()));
      Known& one = known[static_cast<std::size_t>(c)];
      if (std::ranges::find(emptied, c) != emptied.end()) continue;
      const bool is_new = one.flows == 0;
      if (is_new) shares.open(c, one.links);
      if (is_new || draw.below(2) == 0) one.bound = bound();
      one.flows = static_cast<std::int32_t>(draw.below(4));
      shares.change(c, one.flows, one.bound);
      if (one.flows == 0) emptied.push_back(c);
    }
    shares.share();
    for (const std::int32_t c : emptied) shares.close(c);
  }

  void check(const BoundedShares& shares) const {
    std::vector<double> load(capacity.size()), fastest(capacity.size());
    const std::vector<double> refilled = shares.refilled();
    for (std::size_t c = 0; c < known.size(); ++c) {
      if (known[c].flows == 0) continue;
      const double rate = shares.rate(static_cast<std::int32_t>(c));
      CHECK_NEAR(rate, refilled[c], tolerance * rate);
      for (const std::int32_t l : known[c].links) {
        load[l] += known[c].flows * rate;
        fastest[l] = std::max(fastest[l], rate);
      }
    }
    for (std::size_t l = 0; l < load.size(); ++l) CHECK(load[l] <= capacity[l] * (1.0 + tolerance));
    for (std::size_t c = 0; c < known.size(); ++c) {
      if (known[c].flows == 0) continue;
      const double rate = shares.rate(static_cast<std::int32_t>(c));
      // Each flow has its bound, or passes a full link on which none is faster.
      CHECK(rate <= known[c].bound);
      CHECK(rate >= known[c].bound * (1.0 - tolerance) ||
            std::ranges::any_of(known[c].links, [&](std::int32_t l) {
              return load[l] >= capacity[l] * (1.0 - tolerance) &&
                     rate >= fastest[l] * (1.0 - tolerance);
            }));
    }
  }
};

void play_all(int plays, unsigned seed, std::size_t most_links, std::size_t patience) {
  Draw draw{std::mt19937(seed)};
  for (int i = 0; i < plays; ++i) {
    Play play(draw, 1 + draw.below(most_links), 1 + draw.below(4 * most_links), i % 2 == 0);
    BoundedShares shares(play.capacity, patience);
    for (int step = 0; step < 60; ++step) {
      play.change(shares);
      play.check(shares);
    }
  }
}

TEST(few_links) { play_all(300, 1, 4, 4); }
TEST(many_links) { play_all(30, 2, 40, 4); }
TEST(without_patience_all_links_are_filled) { play_all(100, 3, 8, 0); }
TEST(with_all_patience_links_agree) { play_all(100, 4, 8, 1000000); }

TEST(only_classes_with_another_rate_are_told) {
  BoundedShares shares({4.0, 100.0});
  const std::vector<std::int32_t> narrow{0}, wide{1}, none{};
  shares.open(0, narrow);
  shares.open(1, narrow);
  shares.open(2, wide);
  shares.open(3, none);
  shares.change(0, 1, 1.0);
  shares.change(1, 2, 5.0);
  shares.change(2, 3, 2.0);
  shares.change(3, 1, 7.0);
  CHECK(shares.share().size() == 4);
  CHECK(shares.rate(0) == 1.0 && shares.rate(1) == 1.5);
  CHECK(shares.rate(2) == 2.0 && shares.rate(3) == 7.0);
  shares.change(0, 2, 1.0);
  CHECK(shares.share() == std::vector<std::int32_t>{1});
  CHECK(shares.rate(1) == 1.0);
  shares.change(1, 2, 6.0);
  CHECK(shares.share().empty());
}

}  // namespace
