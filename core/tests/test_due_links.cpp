// Due links: against sorting.
#include "rates/due_links.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

TEST(links_come_in_order_of_level_whenever_they_were_pushed) {
  std::mt19937 random(1);
  const auto level_of = [&] {
    const auto kind = random() % 10;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    return std::uniform_real_distribution<double>(kind == 1 ? -1.0 : 0.0, 1e9)(random);
  };
  for (int i = 0; i < 200; ++i) {
    contend::DueLinks due;
    std::vector<double> levels, waiting;
    for (int n = 0; n < 300; ++n) {
      if (waiting.empty() || random() % 3 > 0) {
        levels.push_back(level_of());
        waiting.push_back(std::max(0.0, levels.back()));
        due.push(levels.back(), static_cast<std::int32_t>(levels.size()) - 1);
        continue;
      }
      const auto least = std::min_element(waiting.begin(), waiting.end());
      CHECK(!due.is_before(*least * (1.0 - 1e-6)));
      CHECK(due.is_before(*least * (1.0 + 1e-6) + 1e-6) || *least > 1e300);
      const std::int32_t first = due.first();
      CHECK(due.pop() == first);
      const double found = std::max(0.0, levels[first]);
      CHECK(found <= *least * (1.0 + 1e-6));
      waiting.erase(std::find(waiting.begin(), waiting.end(), found));
    }
    CHECK(due.empty() == waiting.empty());
    while (!due.empty()) due.pop();
  }
}

TEST(a_queue_that_was_cleared_is_empty) {
  contend::DueLinks due;
  due.push(1.0, 7);
  due.clear();
  CHECK(due.empty() && !due.is_before(2.0));
}

}  // namespace
