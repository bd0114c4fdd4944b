// Fair problems to draw at random, and the conditions of their optimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "rates/fair_problem.hpp"

constexpr double unbound = std::numeric_limits<double>::infinity();
constexpr double tolerance = 1e-9;

// Random numbers and alphas: 0.05, 300, and anything between.
struct Draw {
  std::mt19937 random;

  std::size_t below(std::size_t bound) { return random() % bound; }
  double unit() { return std::uniform_real_distribution<>(0.0, 1.0)(random); }
  double alpha() {
    const std::size_t kind = below(6);
    return kind == 0 ? 0.05 : kind == 1 ? 300.0 : 0.05 * std::pow(6000.0, unit());
  }
};

// The conditions of Karush, Kuhn and Tucker; `price` are logarithms.
inline void check_optimal(const contend::FairProblem& problem, const std::vector<double>& rates,
                          const std::vector<double>& price) {
  const std::size_t links = problem.capacity.size();
  std::vector<double> load(links);
  std::vector<double> share(links);  // the largest, of the price of a class
  for (std::size_t c = 0; c < rates.size(); ++c) {
    const auto first = problem.links.begin() + static_cast<std::ptrdiff_t>(problem.offsets[c]);
    const auto last = problem.links.begin() + static_cast<std::ptrdiff_t>(problem.offsets[c + 1]);
    for (auto link = first; link != last; ++link) load[*link] += problem.count[c] * rates[c];
    // The whole price is that of the links, and what the bound has to add.
    const double whole = -problem.alpha * std::log(rates[c]);
    double part = 0.0;
    for (auto link = first; link != last; ++link) part += std::exp(price[*link] - whole);
    CHECK(part <= 1.0 + tolerance * problem.alpha + tolerance);
    CHECK(rates[c] <= problem.bound[c] * (1.0 + tolerance));
    if (rates[c] < problem.bound[c] * (1.0 - tolerance)) {
      CHECK(part >= 1.0 - tolerance * problem.alpha - 2 * tolerance);
    }
    for (auto link = first; link != last; ++link) {
      share[*link] = std::max(share[*link], std::exp(price[*link] - whole));
    }
  }
  for (std::size_t l = 0; l < links; ++l) {
    CHECK(load[l] <= problem.capacity[l] * (1.0 + tolerance));
    CHECK(std::min(1.0 - load[l] / problem.capacity[l], share[l]) <= tolerance);
  }
}

// Drops links without flows.
inline contend::FairProblem compact(contend::FairProblem problem) {
  std::vector<std::int32_t> number(problem.capacity.size(), -1);
  std::vector<double> capacity;
  for (std::int32_t& link : problem.links) {
    if (number[link] < 0) {
      number[link] = static_cast<std::int32_t>(capacity.size());
      capacity.push_back(problem.capacity[link]);
    }
    link = number[link];
  }
  problem.capacity = capacity;
  return problem;
}

// Routes of 1 to 6 links; few capacities, so that ties occur, or many over eight decades.
inline contend::FairProblem routed(Draw& draw, std::size_t most_links, bool has_ties) {
  contend::FairProblem problem;
  const std::size_t links = 2 + draw.below(most_links);
  for (std::size_t l = 0; l < links; ++l) {
    problem.capacity.push_back(has_ties ? 1.0 + static_cast<double>(draw.below(3))
                                        : std::pow(10.0, 8.0 * draw.unit() - 4.0));
  }
  std::vector<std::int32_t> all(links);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t c = 0; c < 1 + draw.below(2 * links); ++c) {
    std::shuffle(all.begin(), all.end(), draw.random);
    const std::size_t length = 1 + draw.below(std::min<std::size_t>(6, links));
    problem.links.insert(problem.links.end(), all.begin(),
                         all.begin() + static_cast<std::ptrdiff_t>(length));
    const double flows = draw.below(2) == 0 ? 1.0 : 1.0 + static_cast<double>(draw.below(1000));
    const double tie = 1.0 / (1.0 + static_cast<double>(draw.below(4)));
    const double most = has_ties ? tie : std::pow(10.0, 4.0 * draw.unit() - 3.0);
    problem.add_class(flows, draw.below(2) == 0 ? unbound : most);
  }
  return compact(problem);
}

// Random pairs of hosts on one switch: what is sent is what is received, so prices are not unique.
inline contend::FairProblem one_switch(Draw& draw, std::size_t hosts) {
  contend::FairProblem problem;
  problem.capacity.assign(2 * hosts, 1.0);
  for (std::size_t c = 0; c < 1 + draw.below(4 * hosts); ++c) {
    problem.links.push_back(static_cast<std::int32_t>(draw.below(hosts)));
    problem.links.push_back(static_cast<std::int32_t>(hosts + draw.below(hosts)));
    problem.add_class(1.0, draw.below(3) == 0 ? 1.0 : unbound);
  }
  return compact(problem);
}

// A flow over all links of a chain, and one on each.
inline contend::FairProblem chain(Draw& draw, std::size_t links) {
  contend::FairProblem problem;
  for (std::size_t l = 0; l < links; ++l) {
    problem.capacity.push_back(draw.below(2) == 0 ? 1.0 : 1.0 + draw.unit());
    problem.links.push_back(static_cast<std::int32_t>(l));
  }
  problem.add_class(1.0, unbound);
  for (std::size_t l = 0; l < links; ++l) {
    problem.links.push_back(static_cast<std::int32_t>(l));
    problem.add_class(1.0, unbound);
  }
  return problem;
}

// A hot host, which all send to and which answers some, and pairs of hosts beside it: bounds of
// flows that are as large as their shares, links with nothing left and links with all their room.
inline contend::FairProblem hot_host(Draw& draw, std::size_t hosts) {
  contend::FairProblem problem;
  problem.capacity.assign(2 * hosts, 1.0);
  const auto add = [&](std::size_t src, std::size_t dst, double flows) {
    problem.links.push_back(static_cast<std::int32_t>(src));
    problem.links.push_back(static_cast<std::int32_t>(hosts + dst));
    problem.add_class(flows, draw.below(3) == 0 ? 1.0 / static_cast<double>(hosts) : unbound);
  };
  for (std::size_t h = 1; h < hosts; ++h) add(h, 0, 1.0 + static_cast<double>(draw.below(3)));
  for (std::size_t h = 1; h < hosts; h += 3) add(0, h, 1.0);
  for (std::size_t h = 1; h + 1 < hosts; h += 2) add(h, h + 1, 1.0);
  return compact(problem);
}

// All pairs of hosts but a few: as many links as there are prices less one that count.
inline contend::FairProblem all_to_all(Draw& draw, std::size_t hosts) {
  contend::FairProblem problem;
  problem.capacity.assign(2 * hosts, 1.0);
  const std::size_t kept = 1 + draw.below(8);
  for (std::size_t pair = 0; pair < hosts * hosts; ++pair) {
    if (pair / hosts == pair % hosts || (pair != 1 && draw.below(8) >= kept)) continue;
    problem.links.push_back(static_cast<std::int32_t>(pair / hosts));
    problem.links.push_back(static_cast<std::int32_t>(hosts + pair % hosts));
    problem.add_class(1.0, unbound);
  }
  return compact(problem);
}
