// Newton's method on the prices of links: alpha-fair rates from prices that are nearly right.
//
// Source: Low, Lapsley, "Optimization flow control", IEEE/ACM Transactions on Networking, 1999 (the
// dual problem, of prices); Lawson, Hanson, "Solving Least Squares Problems", 1974, chapter 23
// (which unknowns are held at 0); Bertsekas, "Projected Newton methods", SIAM Journal on Control,
// 1982.
//
// Idea: the prices p >= 0 of the optimum minimise a convex function D whose slope at a link is what
// is left of it, C - L. After a start or an end of a flow the prices of before are nearly right:
// links of price 0 are held there, the others solve H d = L - C, H = -dL/dp. Prices that would go
// below 0 go there and are held, and are let go where their link carries too much. For L - C stands
// (L / a) ((L / C)^a - 1), a = alpha, which is the same near the optimum, and exact in one step for
// prices that all have to change by one factor. A step ends where D begins to rise. Prices that
// only count together (one switch whose hosts all send and receive as much as they can) make H
// singular: what elimination finds empty keeps its price. A link whose flows are all at their
// bounds has no slope, and gets the price that is right for it alone. At the optimum a price is
// exactly 0, or the link exactly full: no path, no limit.
//
// Cost: 2 to 5 steps from the prices of before, each O(L^3 / 6) at worst for L links with a price,
// half of that on one switch, and O(hops). Memory of L^2 numbers.
// Restrictions: prices are numbers, not logarithms: alpha up to 30. May fail, and says so; it
// never gives what is not the optimum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rates/fair_problem.hpp"

namespace contend {

class PriceNewton {
 public:
  // From the prices that the problem begins with. Whether the conditions of the optimum hold; the
  // rates and the prices mean nothing otherwise.
  bool solve(const FairProblem& problem);

  const std::vector<double>& rates() const { return now_.rate; }    // (n_classes,)
  const std::vector<double>& prices() const { return now_.price; }  // (n_links,)

 private:
  // Prices and what they lead to.
  struct State {
    std::vector<double> price, load;  // (n_links,)
    std::vector<double> cost;         // (n_classes,) sum of the prices of the route
    std::vector<double> rate;         // (n_classes,) of each flow
    std::vector<double> slope;        // (n_classes,) -d(rates of all flows) / d(cost)
  };

  double power(double cost) const;
  void begin();
  void list_classes();
  void follow(State& state) const;
  double load_at(std::int32_t link, double price) const;
  void price_alone(std::int32_t link);
  double worst_error() const;
  double error(std::size_t link) const;
  void choose_free();
  bool find_direction();
  void fill_matrix();
  bool eliminate();
  double descent(const State& state) const;
  double longest_step() const;
  bool step(bool is_near);
  void price_empty();
  void price_all_alone();

  static constexpr std::int32_t held = -1;

  const FairProblem* problem_ = nullptr;
  double inverse_ = 1.0;            // 1 / alpha
  std::vector<double> least_;       // (n_classes,) cost above which the bound is not reached, or 0
  std::vector<std::size_t> first_;  // (n_links + 1,) in classes_
  std::vector<std::int32_t> classes_;
  State now_, next_;
  std::vector<std::int32_t> row_of_;  // (n_links,) of the matrix, or held
  std::vector<std::int32_t> free_;    // links with a row
  std::vector<char> stays_;           // (n_links,) held for the rest of this step
  std::vector<double> matrix_;        // (rows, rows) upper half
  std::vector<double> diagonal_, right_;
  std::vector<char> is_empty_;     // (rows,)
  std::vector<double> direction_;  // (n_links,)
};

}  // namespace contend
