// Newton's method on prices: the conditions of the optimum from any prices to begin with, and how
// seldom it does not find them.
#include "rates/price_newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "fair_problems.hpp"
#include "rates/fair_prices.hpp"

namespace {

using contend::FairPrices;
using contend::FairProblem;
using contend::PriceNewton;

// Alphas from 0.25 to 6.
double moderate(Draw& draw) { return 0.25 * std::pow(24.0, draw.unit()); }

std::vector<double> logarithms(const std::vector<double>& prices) {
  std::vector<double> result;
  for (const double price : prices) result.push_back(std::log(price));
  return result;
}

// Of how many problems Newton's method alone finds the optimum.
template <typename Make>
double part_found(int count, unsigned seed, Make make) {
  Draw draw{std::mt19937(seed)};
  PriceNewton newton;
  int found = 0;
  int tried = 0;
  for (int i = 0; i < count; ++i) {
    FairProblem problem = make(draw);
    if (problem.capacity.size() < 2) continue;
    problem.alpha = moderate(draw);
    ++tried;
    if (!newton.solve(problem)) continue;
    ++found;
    check_optimal(problem, newton.rates(), logarithms(newton.prices()));
  }
  return static_cast<double>(found) / tried;
}

TEST(without_prices_to_begin_with) {
  CHECK(part_found(300, 1, [](Draw& draw) { return one_switch(draw, 2 + draw.below(12)); }) > 0.97);
  CHECK(part_found(200, 2, [](Draw& draw) { return hot_host(draw, 3 + draw.below(30)); }) > 0.97);
  CHECK(part_found(50, 3, [](Draw& draw) { return all_to_all(draw, 2 + draw.below(14)); }) > 0.97);
  CHECK(part_found(300, 4, [](Draw& draw) { return routed(draw, 12, true); }) > 0.97);
  CHECK(part_found(300, 5, [](Draw& draw) { return routed(draw, 12, false); }) > 0.97);
  CHECK(part_found(100, 6, [](Draw& draw) { return chain(draw, 2 + draw.below(20)); }) > 0.97);
}

// Prices that are far from right, 0 among them.
TEST(from_any_prices) {
  const auto begun = [](Draw& draw) {
    FairProblem problem = draw.below(2) == 0 ? one_switch(draw, 2 + draw.below(12))
                                             : all_to_all(draw, 2 + draw.below(10));
    for (std::size_t l = 0; l < problem.capacity.size(); ++l) {
      problem.price.push_back(draw.below(3) == 0 ? 0.0 : std::pow(10.0, 8.0 * draw.unit() - 4.0));
    }
    return problem;
  };
  CHECK(part_found(400, 7, begun) > 0.95);
}

// A flow after the other ends, each problem begins with the prices of the one before: rates are
// those of the path, which begins anew.
TEST(flows_that_end_one_after_the_other) {
  Draw draw{std::mt19937(8)};
  for (const double alpha : {0.5, 0.999, 1.0, 1.001, 2.0, 7.0}) {
    const std::size_t hosts = 7;
    std::vector<std::size_t> pairs;
    for (std::size_t pair = 0; pair < hosts * hosts; ++pair) {
      if (pair / hosts != pair % hosts) pairs.push_back(pair);
    }
    std::shuffle(pairs.begin(), pairs.end(), draw.random);
    std::vector<double> price(2 * hosts);
    FairPrices prices, anew;
    for (; !pairs.empty(); pairs.pop_back()) {
      std::vector<std::int32_t> place(2 * hosts, -1);
      std::vector<std::size_t> used;
      FairProblem problem;
      problem.alpha = alpha;
      for (const std::size_t pair : pairs) {
        for (const std::size_t l : {pair / hosts, hosts + pair % hosts}) {
          if (place[l] < 0) {
            place[l] = static_cast<std::int32_t>(used.size());
            used.push_back(l);
            problem.capacity.push_back(1.0);
            problem.price.push_back(price[l]);
          }
          problem.links.push_back(place[l]);
        }
        problem.add_class(1.0, unbound);
      }
      const std::vector<double> rates = prices.rates(problem);
      const std::vector<double> found = prices.prices();
      check_optimal(problem, rates, prices.log_prices());
      const std::vector<double>& others = anew.rates_by_path(problem);
      for (std::size_t c = 0; c < rates.size(); ++c) {
        CHECK(std::abs(rates[c] / others[c] - 1.0) < 1e-8);
      }
      for (std::size_t i = 0; i < used.size(); ++i) price[used[i]] = found[i];
    }
  }
}

TEST(one_flow_has_the_least_of_its_links) {
  FairProblem problem;
  problem.capacity = {3.0, 2.0};
  problem.links = {0, 1};
  problem.add_class(4.0, unbound);
  PriceNewton newton;
  CHECK(newton.solve(problem));
  CHECK(std::abs(newton.rates()[0] - 0.5) < 1e-12);
  CHECK(newton.prices()[0] == 0.0 || newton.prices()[1] > 0.0);
}

TEST(a_large_alpha_is_left_to_the_path) {
  FairProblem problem;
  problem.alpha = 300.0;
  problem.capacity = {1.0, 1.0};
  problem.links = {0, 1};
  problem.add_class(1.0, unbound);
  CHECK(!PriceNewton().solve(problem));
  CHECK(std::abs(FairPrices().rates(problem)[0] - 1.0) < 1e-9);
}

}  // namespace
