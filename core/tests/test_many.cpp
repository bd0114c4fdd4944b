// Many problems: each solution is that of its problem alone, whatever the number of threads.
#include "contend/many.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using contend::Problem;
using contend::Solution;

constexpr std::int32_t hosts = 8;

// Columns of random flows, and parameters.
struct Case {
  std::vector<double> start{}, bytes{}, parameters{};
  std::vector<std::int32_t> src{}, dst{};

  Problem of(const char* model) const {
    return {{{hosts, start, src, dst, bytes, {}}, {1.0, {}, {}, {}}, parameters, {}},
            &contend::sharing_model(model)};
  }
};

Case random_case(std::mt19937& random, std::vector<double> parameters) {
  Case c;
  c.parameters = std::move(parameters);
  for (std::size_t f = 0; f < 1 + random() % 40; ++f) {
    c.src.push_back(static_cast<std::int32_t>(random() % hosts));
    c.dst.push_back(static_cast<std::int32_t>((c.src[f] + 1 + random() % (hosts - 1)) % hosts));
    c.start.push_back(static_cast<double>(random() % 5));
    c.bytes.push_back(static_cast<double>(random() % 50));
  }
  return c;
}

std::vector<Case> cases() {
  std::mt19937 random(1);
  std::vector<Case> result;
  for (int i = 0; i < 60; ++i) result.push_back(random_case(random, {0.5 + 0.05 * i}));
  return result;
}

TEST(threads_change_nothing) {
  const std::vector<Case> all = cases();
  std::vector<Problem> problems;
  for (const Case& c : all) problems.push_back(c.of("alpha-fair"));
  for (const int threads : {1, 2, 7, 1000}) {
    const std::vector<Solution> found = contend::solve_many(problems, threads, true);
    CHECK(found.size() == problems.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Solution alone = contend::solve(problems[i].setting, *problems[i].model, true);
      CHECK(found[i].end == alone.end);
      CHECK(found[i].events == alone.events);
      CHECK(found[i].stretches.size() == alone.stretches.size());
    }
  }
}

TEST(the_first_problem_at_fault_is_named) {
  const std::vector<Case> all = cases();
  std::vector<Problem> problems;
  for (const Case& c : all) problems.push_back(c.of("alpha-fair"));
  problems[41].setting.flows.hosts = 1;
  problems[23].setting.network.bandwidth = -1.0;
  for (int n = 0; n < 20; ++n) {
    CHECK_THROWS(contend::solve_many(problems, 1 + n % 5), "problem 23: bandwidth");
  }
}

TEST(no_problems_have_no_solutions) { CHECK(contend::solve_many({}, 3).empty()); }

TEST(no_threads_are_refused) { CHECK_THROWS(contend::solve_many({}, 0), "at least 1 thread"); }

}  // namespace
