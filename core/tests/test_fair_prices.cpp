// Fair prices: the conditions of Karush, Kuhn and Tucker, by logarithms, over the range of alpha.
#include "rates/fair_prices.hpp"

#include <cstddef>
#include <random>
#include <vector>

#include "check.hpp"
#include "fair_problems.hpp"

namespace {

using contend::FairPrices;
using contend::FairProblem;

template <typename Make>
void check_all(int count, unsigned seed, Make make) {
  Draw draw{std::mt19937(seed)};
  FairPrices prices;
  for (int i = 0; i < count; ++i) {
    FairProblem problem = make(draw);
    problem.alpha = draw.alpha();
    if (problem.capacity.size() < 2) continue;
    const std::vector<double>& rates = prices.rates(problem);
    check_optimal(problem, rates, prices.log_prices());
    const std::vector<double>& by_path = prices.rates_by_path(problem);
    check_optimal(problem, by_path, prices.log_prices());
  }
}

TEST(few_links_with_ties) {
  check_all(1000, 1, [](Draw& draw) { return routed(draw, 8, true); });
}

TEST(links_of_very_different_capacity) {
  check_all(1000, 2, [](Draw& draw) { return routed(draw, 8, false); });
}

TEST(many_links) {
  check_all(20, 3, [](Draw& draw) { return routed(draw, 60, draw.below(2) == 0); });
}

TEST(hosts_on_one_switch) {
  check_all(600, 4, [](Draw& draw) { return one_switch(draw, 2 + draw.below(6)); });
  check_all(20, 5, [](Draw& draw) { return one_switch(draw, 32); });
}

TEST(chains) {
  check_all(200, 6, [](Draw& draw) { return chain(draw, 2 + draw.below(20)); });
}

TEST(a_hot_host) {
  check_all(100, 7, [](Draw& draw) { return hot_host(draw, 3 + draw.below(20)); });
}

TEST(one_link_gives_what_bounds_leave_to_the_others) {
  FairProblem problem;
  problem.capacity = {10.0};
  for (const double most : {1.0, unbound, 2.0}) {
    problem.links.push_back(0);
    problem.add_class(2.0, most);
  }
  CHECK(FairPrices().rates(problem) == std::vector<double>({1.0, 2.0, 2.0}));
}

}  // namespace
