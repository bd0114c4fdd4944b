// A fair problem: flows of greatest alpha-fair utility on links that are connected by them.
//
// Idea: a class is a number of flows alike. A link that one class has for itself is a bound of its
// rate, and no link of the problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace contend {

struct FairProblem {
  double alpha = 1.0;
  std::vector<double> capacity{};       // (n_links,)
  std::vector<double> price{};          // (n_links,) to begin with, perhaps 0; or empty
  std::vector<double> count{};          // (n_classes,) flows
  std::vector<double> bound{};          // (n_classes,) of the rate of each flow, or infinity
  std::vector<std::size_t> offsets{0};  // (n_classes + 1,)
  std::vector<std::int32_t> links{};    // those of class c: offsets[c] to offsets[c + 1]

  void clear() {
    capacity.clear();
    price.clear();
    count.clear();
    bound.clear();
    links.clear();
    offsets.assign(1, 0);
  }

  // Behind its links.
  void add_class(double flows, double most) {
    count.push_back(flows);
    bound.push_back(most);
    offsets.push_back(links.size());
  }
};

}  // namespace contend
