// Newton's method on the prices of links; see price_newton.hpp for the source.
#include "rates/price_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace contend {
namespace {

constexpr int most_steps = 60;
constexpr int most_cuts = 6;  // of one step
constexpr int most_roots = 60;
constexpr double steepest =
    0.1;  // that D rises at the end of a step, of how it falls at its beginning
// Of a capacity, relative: the optimum, up to rounding.
constexpr double settled = 1e-13;
constexpr double acceptable = 1e-12;  // where rounding does not let the errors fall further
constexpr double near = 1e-4;         // no slope is looked at, all digits of which may be rounding
constexpr double most_alpha = 30.0;
constexpr double empty = 1e-11;    // a pivot, of what stood in its place
constexpr double most_load = 8.0;  // of a capacity, as far as one step looks
// A step changes no cost to less than this part, nor any rate to more than this many times.
constexpr double least_part = 0.02;
constexpr double most_gain = 4.0;

}  // namespace

double PriceNewton::power(double cost) const {
  if (inverse_ == 0.5) return 1.0 / std::sqrt(cost);
  if (inverse_ == 1.0) return 1.0 / cost;
  return std::exp(-inverse_ * std::log(cost));
}

bool PriceNewton::solve(const FairProblem& problem) {
  problem_ = &problem;
  if (problem.alpha > most_alpha) return false;
  begin();
  double last = std::numeric_limits<double>::infinity();
  for (int n = 0; n < most_steps; ++n) {
    const double worst = worst_error();
    if (!std::isfinite(worst)) return false;
    if (worst <= settled || (worst <= acceptable && worst > 0.5 * last)) return true;
    last = worst;
    choose_free();
    if (find_direction() && step(worst <= near)) {
      price_empty();
    } else {
      price_all_alone();
    }
  }
  return false;
}

// Where a flow would have nothing to pay, its links get prices at which each alone would be full.
void PriceNewton::begin() {
  const FairProblem& problem = *problem_;
  const std::size_t links = problem.capacity.size();
  const std::size_t classes = problem.count.size();
  inverse_ = 1.0 / problem.alpha;
  now_.price = problem.price;
  now_.price.resize(links, 0.0);
  row_of_.assign(links, held);
  stays_.assign(links, false);
  direction_.assign(links, 0.0);
  least_.resize(classes);
  list_classes();
  for (std::size_t c = 0; c < classes; ++c) {
    least_[c] = std::isinf(problem.bound[c]) ? 0.0 : std::pow(problem.bound[c], -problem.alpha);
  }
  for (std::size_t c = 0; c < classes; ++c) {
    double cost = least_[c];
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      cost += now_.price[problem.links[hop]];
    }
    if (cost > 0.0) continue;
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      const auto l = static_cast<std::size_t>(problem.links[hop]);
      double flows = 0.0;
      for (std::size_t i = first_[l]; i < first_[l + 1]; ++i) flows += problem.count[classes_[i]];
      now_.price[l] = std::pow(flows / problem.capacity[l], problem.alpha);
    }
  }
  follow(now_);
  for (std::size_t l = 0; l < links; ++l) {
    if (now_.price[l] == 0.0 && error(l) > acceptable) {
      price_alone(static_cast<std::int32_t>(l));
      follow(now_);
    }
  }
}

// The classes on each link.
void PriceNewton::list_classes() {
  const FairProblem& problem = *problem_;
  first_.assign(problem.capacity.size() + 1, 0);
  for (const std::int32_t l : problem.links) ++first_[static_cast<std::size_t>(l) + 1];
  for (std::size_t l = 1; l < first_.size(); ++l) first_[l] += first_[l - 1];
  classes_.resize(problem.links.size());
  for (std::size_t c = problem.count.size(); c-- > 0;) {
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      classes_[--first_[static_cast<std::size_t>(problem.links[hop]) + 1]] =
          static_cast<std::int32_t>(c);
    }
  }
  // What was the end of each link's classes has become their beginning.
  std::rotate(first_.begin(), first_.begin() + 1, first_.end());
  first_.back() = classes_.size();
}

void PriceNewton::follow(State& state) const {
  const FairProblem& problem = *problem_;
  const std::size_t classes = problem.count.size();
  state.load.assign(problem.capacity.size(), 0.0);
  state.cost.resize(classes);
  state.rate.resize(classes);
  state.slope.resize(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    double cost = 0.0;
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      cost += state.price[problem.links[hop]];
    }
    state.cost[c] = cost;
    if (cost > least_[c]) {
      state.rate[c] = power(cost);
      state.slope[c] = inverse_ * problem.count[c] * state.rate[c] / cost;
    } else {
      state.rate[c] = problem.bound[c];
      state.slope[c] = 0.0;
    }
    const double passed = problem.count[c] * state.rate[c];
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      state.load[problem.links[hop]] += passed;
    }
  }
}

double PriceNewton::load_at(std::int32_t link, double price) const {
  const auto l = static_cast<std::size_t>(link);
  double load = 0.0;
  for (std::size_t i = first_[l]; i < first_[l + 1]; ++i) {
    const auto c = static_cast<std::size_t>(classes_[i]);
    const double cost = std::max(0.0, now_.cost[c] - now_.price[l]) + price;
    load += problem_->count[c] * (cost > least_[c] ? power(cost) : problem_->bound[c]);
  }
  return load;
}

// The price at which this link is full, with all others as they are, or 0: by bisection and the
// secant of load^-alpha, which is nearly straight.
void PriceNewton::price_alone(std::int32_t link) {
  const auto l = static_cast<std::size_t>(link);
  const double capacity = problem_->capacity[l];
  double flows = 0.0;
  for (std::size_t i = first_[l]; i < first_[l + 1]; ++i) flows += problem_->count[classes_[i]];
  double low = 0.0;
  double found = 0.0;
  if (load_at(link, 0.0) > capacity) {
    double high = std::pow(flows / capacity, problem_->alpha);
    found = high;
    for (int n = 0; n < most_roots && high > low * (1.0 + near); ++n) {
      const double load = load_at(link, found);
      (load > capacity ? low : high) = found;
      if (std::abs(load / capacity - 1.0) <= settled) break;
      const double scaled = found * std::pow(load / capacity, problem_->alpha);
      found = scaled > low && scaled < high ? scaled : 0.5 * (low + high);
    }
  }
  now_.price[l] = found;
}

double PriceNewton::error(std::size_t link) const {
  return now_.load[link] / problem_->capacity[link] - 1.0;
}

// A link without a price may have room; one with a price has none.
double PriceNewton::worst_error() const {
  double worst = 0.0;
  for (std::size_t l = 0; l < now_.price.size(); ++l) {
    const double of = error(l);
    if (std::isnan(of)) return of;
    worst = std::max(worst, now_.price[l] > 0.0 ? std::abs(of) : of);
  }
  return worst;
}

void PriceNewton::choose_free() {
  std::fill(stays_.begin(), stays_.end(), false);
  for (std::size_t l = 0; l < now_.price.size(); ++l) {
    if (now_.price[l] == 0.0 && error(l) <= settled) stays_[l] = true;
  }
}

// A price that would fall below 0 goes to 0, and the others go where that leads them.
bool PriceNewton::find_direction() {
  const std::size_t links = now_.price.size();
  for (;;) {
    free_.clear();
    for (std::size_t l = 0; l < links; ++l) {
      row_of_[l] = held;
      direction_[l] = -now_.price[l];
      if (stays_[l]) continue;
      row_of_[l] = static_cast<std::int32_t>(free_.size());
      free_.push_back(static_cast<std::int32_t>(l));
    }
    if (free_.empty()) return false;
    fill_matrix();
    if (!eliminate()) return false;
    bool is_feasible = true;
    for (const std::int32_t l : free_) {
      if (now_.price[l] + direction_[l] >= 0.0) continue;
      stays_[l] = true;
      is_feasible = false;
    }
    if (is_feasible) return true;
  }
}

void PriceNewton::fill_matrix() {
  const FairProblem& problem = *problem_;
  const std::size_t rows = free_.size();
  matrix_.assign(rows * rows, 0.0);
  right_.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto l = static_cast<std::size_t>(free_[row]);
    const double part = std::min(most_load, now_.load[l] / problem.capacity[l]);
    right_[row] = std::abs(part - 1.0) < near
                      ? now_.load[l] - problem.capacity[l]
                      : now_.load[l] * inverse_ * (std::pow(part, problem.alpha) - 1.0);
  }
  for (std::size_t c = 0; c < problem.count.size(); ++c) {
    const double slope = now_.slope[c];
    if (slope == 0.0) continue;
    double given = 0.0;  // change of the cost by prices that are held
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      const std::int32_t l = problem.links[hop];
      if (row_of_[l] == held) given += direction_[l];
    }
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      const std::int32_t row = row_of_[problem.links[hop]];
      if (row == held) continue;
      right_[static_cast<std::size_t>(row)] -= slope * given;
      double* const entries = &matrix_[static_cast<std::size_t>(row) * rows];
      for (std::size_t other = problem.offsets[c]; other < problem.offsets[c + 1]; ++other) {
        const std::int32_t column = row_of_[problem.links[other]];
        if (column >= row) entries[column] += slope;
      }
    }
  }
  diagonal_.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) diagonal_[row] = matrix_[row * rows + row];
}

// Gauss' elimination of a symmetric matrix that has no pivots below 0. What is left of an empty row
// is rounding: its unknown stays as it is.
bool PriceNewton::eliminate() {
  const std::size_t rows = free_.size();
  is_empty_.assign(rows, false);
  for (std::size_t k = 0; k < rows; ++k) {
    const double* const pivot = &matrix_[k * rows];
    if (!(pivot[k] > empty * diagonal_[k])) {
      is_empty_[k] = true;
      continue;
    }
    for (std::size_t row = k + 1; row < rows; ++row) {
      if (pivot[row] == 0.0) continue;
      const double factor = pivot[row] / pivot[k];
      double* const entries = &matrix_[row * rows];
      for (std::size_t column = row; column < rows; ++column) {
        entries[column] -= factor * pivot[column];
      }
      right_[row] -= factor * right_[k];
    }
  }
  for (std::size_t k = rows; k-- > 0;) {
    const double* const entries = &matrix_[k * rows];
    double value = 0.0;
    if (!is_empty_[k]) {
      value = right_[k];
      for (std::size_t column = k + 1; column < rows; ++column) {
        value -= entries[column] * right_[column];
      }
      value /= entries[k];
    }
    if (!std::isfinite(value)) return false;
    right_[k] = value;
    direction_[free_[k]] = value;
  }
  return true;
}

// The slope of D along the way from the prices now to the next ones.
double PriceNewton::descent(const State& state) const {
  double sum = 0.0;
  for (std::size_t l = 0; l < now_.price.size(); ++l) {
    sum += (next_.price[l] - now_.price[l]) * (problem_->capacity[l] - state.load[l]);
  }
  return sum;
}

double PriceNewton::longest_step() const {
  const FairProblem& problem = *problem_;
  const double part = std::max(least_part, std::pow(most_gain, -problem.alpha));
  double longest = 1.0;
  for (std::size_t c = 0; c < problem.count.size(); ++c) {
    double change = 0.0;
    double next = 0.0;
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      const std::int32_t l = problem.links[hop];
      change += direction_[l];
      next += std::max(0.0, now_.price[l] + direction_[l]);
    }
    const double least = part * std::max(now_.cost[c], least_[c]);
    if (next >= least || change >= 0.0 || now_.cost[c] <= least) continue;
    longest = std::min(longest, (now_.cost[c] - least) / -change);
  }
  return longest;
}

// Whether there was a way down.
bool PriceNewton::step(bool is_near) {
  const double length = longest_step();
  const std::size_t links = now_.price.size();
  next_.price.resize(links);
  for (std::size_t l = 0; l < links; ++l) {
    next_.price[l] = std::max(0.0, now_.price[l] + length * direction_[l]);
  }
  if (!is_near) {
    const double first = descent(now_);
    if (!(first < 0.0)) return false;
    for (int n = 0;; ++n) {
      follow(next_);
      const double last = descent(next_);
      if (last <= -steepest * first) break;
      if (n == most_cuts || std::isnan(last)) return false;
      const double part = std::clamp(first / (first - last), 0.1, 0.7);
      for (std::size_t l = 0; l < links; ++l) {
        next_.price[l] = now_.price[l] + part * (next_.price[l] - now_.price[l]);
      }
    }
  } else {
    follow(next_);
  }
  std::swap(now_, next_);
  return true;
}

// Links that the elimination left alone: those without a slope, and those whose error does not
// follow from the errors of the others, which prices that count together have to move on for.
void PriceNewton::price_empty() {
  double others = 0.0;
  for (std::size_t row = 0; row < free_.size(); ++row) {
    if (!is_empty_[row]) others += std::abs(error(free_[row]));
  }
  for (std::size_t row = 0; row < free_.size(); ++row) {
    const auto l = static_cast<std::size_t>(free_[row]);
    const double of = std::abs(error(l));
    if (!is_empty_[row] || of <= settled) continue;
    if (diagonal_[row] > 0.0 && of <= 2.0 * others) continue;
    price_alone(free_[row]);
    follow(now_);
  }
}

// One price after the other.
void PriceNewton::price_all_alone() {
  for (std::size_t l = 0; l < now_.price.size(); ++l) {
    const double of = error(l);
    if (std::abs(of) <= settled || (now_.price[l] == 0.0 && of < 0.0)) continue;
    price_alone(static_cast<std::int32_t>(l));
    follow(now_);
  }
}

}  // namespace contend
