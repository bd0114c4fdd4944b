// Fair prices: the rates of greatest alpha-fair utility on links that are connected.
//
// Source: Mo, Walrand, "Fair end-to-end window-based congestion control", IEEE/ACM Transactions on
// Networking, 2000 (the optimum); Boyd, Vandenberghe, "Convex Optimization", 2004, section 11.2
// (barrier and central path); Allgower, Georg, "Numerical Continuation Methods", 1990 (predictor
// and corrector, step length by the corrector).
//
// Idea: with a price p of at least 0 for each link, a flow has the rate q^(-1 / alpha), where q is
// the sum of the prices of its links; a link that is not full has the price 0. Here each link gives
// what is left of it to a slack s = t m / p^(1 / max(alpha, 1)), so that all links are full and all
// prices above 0. m is such that a simple guess is exact at t = 1; Newton's method then follows the
// prices while t falls. Unknowns are logarithms of prices, in which a link with flows of its own
// kind alone is solved in one step, and prices of 1e-900, as a large alpha has them, are numbers
// like others. A link that one flow has for itself is a bound of its rate; its price is eliminated.
//
// Prices that are nearly right, or numbers of a moderate size, are found faster: price_newton.hpp.
// The path is for what that leaves: a large alpha, and problems whose Newton steps do not settle.
//
// Cost: about 10 to 40 steps, each O(L^3 / 3) at worst for L links that are shared, and O(hops).
// Restrictions: memory of L^2 numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rates/fair_problem.hpp"
#include "rates/price_newton.hpp"

namespace contend {

// The rate of a flow of each class. Keeps its memory from one problem to the next.
class FairPrices {
 public:
  // Throws Error where the conditions of the optimum cannot be reached within rounding.
  const std::vector<double>& rates(const FairProblem& problem);
  // The same by the path alone, for a problem with more than one link.
  const std::vector<double>& rates_by_path(const FairProblem& problem);

  // Logarithms of the prices of links, of the last problem with more than one.
  std::vector<double> log_prices() const;
  // The prices, for the next problem to begin with.
  std::vector<double> prices() const;

 private:
  // The unknowns: logarithms of the prices of links, of the bounds of classes, and of t.
  struct Point {
    std::vector<double> link, bound;
    double path = 0.0;
  };
  // Changes of the unknowns. `common` is what a price changes by with all prices that it adds to.
  struct Direction {
    std::vector<double> link, bound, link_common, bound_common;
  };
  // What the unknowns lead to; the errors are of the logarithms of what passes links and bounds.
  struct Load {
    std::vector<double> slack, total, error;                          // (n_links,)
    std::vector<double> rate, bound_share, bound_slack, bound_error;  // (n_classes,)
    std::vector<double> share;  // (n_hops,) of the price of a class
    double largest_error = 0.0;
    double largest_waste = 0.0;  // of a link with a price: what is left of it, or the price
  };

  void fill_one_link(const FairProblem& problem);
  void begin(const FairProblem& problem, double part);
  void load(const FairProblem& problem);
  void load_class(const FairProblem& problem, std::size_t c);
  void note_waste(double left, double share);
  void linearise(const FairProblem& problem);
  void eliminate();
  void substitute(const FairProblem& problem);
  double correction() const;
  void find_common(const FairProblem& problem, Direction& direction);
  void move();
  bool follow(const FairProblem& problem);

  PriceNewton newton_;
  bool is_by_newton_ = false;  // the last problem
  double ridge_ = 0.0;
  double inverse_ = 1.0;      // 1 / alpha
  double slack_power_ = 1.0;  // 1 / max(alpha, 1)
  Point now_, last_;
  Load load_;
  std::vector<double> weight_, bound_weight_;  // logarithms of m
  std::vector<double> most_share_;             // (n_links,) of the link in the price of a class
  std::vector<double> common_weight_;          // (n_links,)
  std::vector<double> matrix_;                 // (n_links, n_links)
  // Directions to the path, and along it: here, and at the last point near the path.
  Direction corrector_, predictor_, last_corrector_, last_predictor_;
  double damping_ = 1.0, along_ = 0.0;  // how far the last move went in each
};

}  // namespace contend
