// Fair prices: Newton's method along a path; see fair_prices.hpp for the source.
#include "rates/fair_prices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "contend/error.hpp"

namespace contend {
namespace {

constexpr int most_steps = 2000;
// Newton's method is near the path where logarithms of prices and of rates move by less.
constexpr double near = 1.0;
constexpr double very_near = 0.1;
constexpr double least_step = 1e-7;  // of the logarithm of t; the first is 1
constexpr double short_step = 0.25;  // where rounding holds steps up
constexpr double longest_step = 16.0;
// Of a capacity or of a price, relative: the optimum, up to rounding.
constexpr double settled = 1e-12;
constexpr double rounding = 1e-13;
constexpr double acceptable = 1e-10;  // where rounding does not let the errors fall further
constexpr int most_polish = 6;

// Where a path begins: the part of each link that is in use; and the ridge that keeps prices which
// only count together from drifting apart.
struct Attempt {
  double part;
  double ridge;
};
constexpr Attempt attempts[] = {{0.5, 1e-10}, {0.5, 1e-8}, {0.3, 1e-12}, {0.4, 1e-9},
                                {0.6, 1e-7},  {0.2, 1e-8}, {0.7, 1e-11}, {0.1, 1e-10}};

}  // namespace

const std::vector<double>& FairPrices::rates(const FairProblem& problem) {
  is_by_newton_ = false;
  if (problem.capacity.empty()) {
    load_.rate = problem.bound;
  } else if (problem.capacity.size() == 1) {
    fill_one_link(problem);
  } else if (is_by_newton_ = newton_.solve(problem); is_by_newton_) {
    return newton_.rates();
  } else {
    return rates_by_path(problem);
  }
  return load_.rate;
}

// Ties among links can make a path too steep for the rounding; another one leads elsewhere.
const std::vector<double>& FairPrices::rates_by_path(const FairProblem& problem) {
  is_by_newton_ = false;
  for (const auto& [part, ridge] : attempts) {
    ridge_ = ridge;
    begin(problem, part);
    if (follow(problem)) return load_.rate;
  }
  throw Error("alpha-fair did not converge for alpha " + std::to_string(problem.alpha) + " on " +
              std::to_string(problem.capacity.size()) + " links with " +
              std::to_string(problem.count.size()) +
              " classes of flows; take another alpha, or maxmin for a large one");
}

std::vector<double> FairPrices::log_prices() const {
  if (!is_by_newton_) return now_.link;
  std::vector<double> logarithms = newton_.prices();
  for (double& price : logarithms) price = std::log(price);
  return logarithms;
}

std::vector<double> FairPrices::prices() const {
  if (is_by_newton_) return newton_.prices();
  std::vector<double> prices = now_.link;
  for (double& price : prices) price = std::exp(price);
  return prices;
}

// Classes with a bound below an equal share of what others leave are at their bounds.
void FairPrices::fill_one_link(const FairProblem& problem) {
  load_.rate.assign(problem.count.size(), -1.0);
  double left = problem.capacity[0];
  double open = 0.0;
  for (const double count : problem.count) open += count;
  for (bool is_same = false; !is_same;) {
    is_same = true;
    const double equal = open > 0.0 ? left / open : 0.0;
    for (std::size_t c = 0; c < problem.count.size(); ++c) {
      if (load_.rate[c] >= 0.0 || problem.bound[c] > equal) continue;
      load_.rate[c] = problem.bound[c];
      left -= problem.count[c] * problem.bound[c];
      open -= problem.count[c];
      is_same = false;
    }
  }
  for (double& rate : load_.rate) {
    if (rate < 0.0) rate = left / open;
  }
}

// Prices at which each link alone would be full in part: what is left of it then is its slack.
void FairPrices::begin(const FairProblem& problem, double part) {
  const std::size_t links = problem.capacity.size();
  const std::size_t classes = problem.count.size();
  inverse_ = 1.0 / problem.alpha;
  slack_power_ = std::min(1.0, inverse_);
  now_.link.assign(links, 0.0);
  now_.bound.resize(classes);
  now_.path = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      now_.link[problem.links[hop]] += problem.count[c];
    }
    now_.bound[c] = -problem.alpha * std::log(part * problem.bound[c]);
  }
  for (std::size_t l = 0; l < links; ++l) {
    now_.link[l] = -problem.alpha * std::log(part * problem.capacity[l] / now_.link[l]);
  }
  weight_.assign(links, -std::numeric_limits<double>::infinity());
  bound_weight_.assign(classes, -std::numeric_limits<double>::infinity());
  load(problem);
  for (std::size_t l = 0; l < links; ++l) {
    weight_[l] = std::log(problem.capacity[l] - load_.total[l]) + slack_power_ * now_.link[l];
  }
  for (std::size_t c = 0; c < classes; ++c) {
    if (std::isinf(problem.bound[c])) continue;
    bound_weight_[c] = std::log(problem.bound[c] - load_.rate[c]) + slack_power_ * now_.bound[c];
  }
}

void FairPrices::load(const FairProblem& problem) {
  const std::size_t links = problem.capacity.size();
  load_.largest_error = load_.largest_waste = 0.0;
  load_.share.resize(problem.links.size());
  for (auto* values : {&load_.slack, &load_.total, &load_.error, &most_share_}) {
    values->assign(links, 0.0);
  }
  for (auto* values : {&load_.rate, &load_.bound_share, &load_.bound_slack, &load_.bound_error}) {
    values->resize(problem.count.size());
  }
  for (std::size_t c = 0; c < problem.count.size(); ++c) load_class(problem, c);
  for (std::size_t l = 0; l < links; ++l) {
    load_.slack[l] = std::exp(weight_[l] + now_.path - slack_power_ * now_.link[l]);
    load_.total[l] += load_.slack[l];
    load_.error[l] = std::log(load_.total[l] / problem.capacity[l]);
    load_.largest_error = std::max(load_.largest_error, std::abs(load_.error[l]));
    note_waste(load_.slack[l] / problem.capacity[l], most_share_[l]);
  }
}

void FairPrices::load_class(const FairProblem& problem, std::size_t c) {
  const std::size_t first = problem.offsets[c];
  const std::size_t last = problem.offsets[c + 1];
  double most = now_.bound[c];
  for (std::size_t hop = first; hop < last; ++hop) {
    most = std::max(most, now_.link[problem.links[hop]]);
  }
  double sum = load_.bound_share[c] = std::exp(now_.bound[c] - most);
  for (std::size_t hop = first; hop < last; ++hop) {
    sum += load_.share[hop] = std::exp(now_.link[problem.links[hop]] - most);
  }
  const double rate = std::exp(-inverse_ * (most + std::log(sum)));
  load_.rate[c] = rate;
  load_.bound_share[c] /= sum;
  for (std::size_t hop = first; hop < last; ++hop) {
    const std::int32_t l = problem.links[hop];
    load_.share[hop] /= sum;
    load_.total[l] += problem.count[c] * rate;
    most_share_[l] = std::max(most_share_[l], load_.share[hop]);
  }
  load_.bound_slack[c] = load_.bound_error[c] = 0.0;
  if (std::isinf(problem.bound[c])) return;
  load_.bound_slack[c] = std::exp(bound_weight_[c] + now_.path - slack_power_ * now_.bound[c]);
  load_.bound_error[c] = std::log((rate + load_.bound_slack[c]) / problem.bound[c]);
  load_.largest_error = std::max(load_.largest_error, std::abs(load_.bound_error[c]));
  note_waste(load_.bound_slack[c] / problem.bound[c], load_.bound_share[c]);
}

void FairPrices::note_waste(double left, double share) {
  load_.largest_waste = std::max(load_.largest_waste, std::min(left, share));
}

// Rows: links. The price of a bound is eliminated from its own row, which only its class has.
void FairPrices::linearise(const FairProblem& problem) {
  const std::size_t links = problem.capacity.size();
  matrix_.assign(links * links, 0.0);
  corrector_.link.resize(links);
  predictor_.link.resize(links);
  for (std::size_t l = 0; l < links; ++l) {
    matrix_[l * links + l] = slack_power_ * load_.slack[l];
    corrector_.link[l] = load_.total[l] * load_.error[l];
    predictor_.link[l] = load_.slack[l];
  }
  for (std::size_t c = 0; c < problem.count.size(); ++c) {
    const double slope = inverse_ * problem.count[c] * load_.rate[c];
    double open = 1.0;
    double to_path = 0.0;
    double along = 0.0;
    if (!std::isinf(problem.bound[c])) {
      const double own = slack_power_ * load_.bound_slack[c];
      const double sum = inverse_ * load_.rate[c] * load_.bound_share[c] + own;
      const double passed = load_.rate[c] + load_.bound_slack[c];
      open = own / sum;
      to_path = slope * load_.bound_share[c] * passed * load_.bound_error[c] / sum;
      along = slope * load_.bound_share[c] * load_.bound_slack[c] / sum;
    }
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      const auto row = static_cast<std::size_t>(problem.links[hop]);
      corrector_.link[row] -= to_path;
      predictor_.link[row] -= along;
      matrix_[row * links + row] += ridge_ * problem.count[c] * load_.rate[c] * load_.share[hop];
      for (std::size_t other = problem.offsets[c]; other < problem.offsets[c + 1]; ++other) {
        const auto column = static_cast<std::size_t>(problem.links[other]);
        matrix_[row * links + column] += slope * open * load_.share[other];
      }
    }
  }
}

// Gauss' elimination. A scaling of rows and columns makes the matrix symmetric and positive
// definite, so that no pivots need to be sought; without it, prices of any size have their digits.
void FairPrices::eliminate() {
  const std::size_t links = corrector_.link.size();
  for (std::size_t k = 0; k < links; ++k) {
    double* const pivot = &matrix_[k * links];
    for (std::size_t row = k + 1; row < links; ++row) {
      double* const below = &matrix_[row * links];
      if (below[k] == 0.0) continue;
      const double factor = below[k] / pivot[k];
      for (std::size_t column = k + 1; column < links; ++column) {
        below[column] -= factor * pivot[column];
      }
      corrector_.link[row] -= factor * corrector_.link[k];
      predictor_.link[row] -= factor * predictor_.link[k];
    }
  }
  for (std::size_t k = links; k-- > 0;) {
    const double* const row = &matrix_[k * links];
    for (auto* side : {&corrector_.link, &predictor_.link}) {
      double value = (*side)[k];
      for (std::size_t column = k + 1; column < links; ++column) {
        value -= row[column] * (*side)[column];
      }
      (*side)[k] = value / row[k];
    }
  }
}

// The prices of bounds, from those of links.
void FairPrices::substitute(const FairProblem& problem) {
  corrector_.bound.assign(problem.count.size(), 0.0);
  predictor_.bound.assign(problem.count.size(), 0.0);
  for (std::size_t c = 0; c < problem.count.size(); ++c) {
    if (std::isinf(problem.bound[c])) continue;
    const double slope = inverse_ * load_.rate[c];
    const double sum = slope * load_.bound_share[c] + slack_power_ * load_.bound_slack[c];
    const double passed = load_.rate[c] + load_.bound_slack[c];
    double to_path = passed * load_.bound_error[c];
    double along = load_.bound_slack[c];
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      to_path -= slope * load_.share[hop] * corrector_.link[problem.links[hop]];
      along -= slope * load_.share[hop] * predictor_.link[problem.links[hop]];
    }
    corrector_.bound[c] = to_path / sum;
    predictor_.bound[c] = along / sum;
  }
}

// The largest change of a logarithm on the way to the path; infinity where there is no way.
double FairPrices::correction() const {
  double largest = 0.0;
  for (const auto* side : {&corrector_.link, &corrector_.bound}) {
    for (const double value : *side) {
      if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

// Averages over the classes on each link, by what they add to the matrix.
void FairPrices::find_common(const FairProblem& problem, Direction& direction) {
  direction.link_common.assign(problem.capacity.size(), 0.0);
  direction.bound_common.resize(problem.count.size());
  common_weight_.assign(problem.capacity.size(), 0.0);
  for (std::size_t c = 0; c < problem.count.size(); ++c) {
    double sum = load_.bound_share[c] * direction.bound[c];
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      sum += load_.share[hop] * direction.link[problem.links[hop]];
    }
    direction.bound_common[c] = sum;
    for (std::size_t hop = problem.offsets[c]; hop < problem.offsets[c + 1]; ++hop) {
      const double weight = problem.count[c] * load_.rate[c] * load_.share[hop];
      common_weight_[problem.links[hop]] += weight;
      direction.link_common[problem.links[hop]] += weight * sum;
    }
  }
  for (std::size_t l = 0; l < problem.capacity.size(); ++l) {
    if (common_weight_[l] > 0.0) direction.link_common[l] /= common_weight_[l];
  }
}

// From the last point near the path. What prices that add up change by in common is a factor; what
// one gives to another is added, so that their sum is as in the linear system. A price that falls
// far is no part of a sum, and goes by its logarithm.
void FairPrices::move() {
  const auto go = [this](auto& now, const auto& last, const auto& to, const auto& common,
                         const auto& along) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double own = damping_ * (to[i] - common[i]);
      const double added = std::abs(own) < 0.5 ? std::log1p(own) : own;
      now[i] = last[i] + damping_ * common[i] + added - along_ * along[i];
    }
  };
  go(now_.link, last_.link, corrector_.link, corrector_.link_common, predictor_.link);
  go(now_.bound, last_.bound, corrector_.bound, corrector_.bound_common, predictor_.bound);
  now_.path = last_.path - along_;
}

bool FairPrices::follow(const FairProblem& problem) {
  double step = 1.0;
  int polished = 0;
  along_ = 0.0;
  damping_ = 1.0;
  for (int n = 0; n < most_steps && step > least_step && damping_ > least_step; ++n) {
    load(problem);
    const bool is_settled = load_.largest_waste <= (step < short_step ? acceptable : settled);
    if (is_settled && load_.largest_error <= rounding) return true;
    std::swap(corrector_, last_corrector_);
    std::swap(predictor_, last_predictor_);
    linearise(problem);
    eliminate();
    substitute(problem);
    find_common(problem, corrector_);
    const double far = correction() * std::max(1.0, inverse_);
    if (far > near) {
      // Back, and a shorter way.
      std::swap(corrector_, last_corrector_);
      std::swap(predictor_, last_predictor_);
      if (along_ > 0.0) {
        along_ = step = along_ / 4.0;
      } else {
        damping_ /= 2.0;
      }
    } else {
      if (is_settled && ++polished > most_polish) break;
      if (along_ > 0.0 && far <= very_near) step = std::min(2.0 * step, longest_step);
      last_ = now_;
      damping_ = 1.0;
      along_ = is_settled || far > very_near ? 0.0 : step;
    }
    move();
  }
  load(problem);
  return load_.largest_waste <= acceptable && load_.largest_error <= acceptable;
}

}  // namespace contend
