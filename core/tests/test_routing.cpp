// Adaptive routing: two links by hand, and what is refused.
#include "contend/routing.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

// Paths of one link each: 0 or 1, of 1 and 2 seconds per byte.
std::vector<std::int32_t> choices(const std::vector<double>& start,
                                  const std::vector<double>& bytes, std::vector<double>& empty_at) {
  std::vector<std::int32_t> links;
  for (std::size_t f = 0; f < start.size(); ++f) links.insert(links.end(), {0, 1});
  const std::vector<double> seconds{1.0, 2.0};
  return contend::least_loaded({start, bytes, links, 2}, seconds, empty_at);
}

}  // namespace

TEST(flows_take_the_queue_that_is_empty_first) {
  std::vector<double> empty_at(2, never);
  const auto chosen = choices({0.0, 0.0, 0.0, 5.0}, {3.0, 1.0, 1.0, 1.0}, empty_at);
  CHECK((chosen == std::vector<std::int32_t>{0, 1, 1, 0}));
  CHECK(empty_at[0] == 6.0);  // 3 s of the first, then from 5 s on
  CHECK(empty_at[1] == 4.0);
}

TEST(queues_go_on_from_what_they_were) {
  std::vector<double> empty_at{10.0, never};
  CHECK((choices({0.0}, {1.0}, empty_at) == std::vector<std::int32_t>{1}));
  CHECK(empty_at[0] == 10.0);
}

TEST(the_longest_queue_counts_as_often_as_the_path_has_links) {
  // A queue of 3 s on a path of one link, one of 2 s on a path of two.
  std::vector<double> empty_at{3.0, 2.0, never};
  const std::vector<std::int32_t> links{0, -1, 1, 2};
  const std::vector<double> one{0.0}, seconds(3, 1.0);
  CHECK(contend::least_loaded({one, one, links, 2}, seconds, empty_at)[0] == 0);
  empty_at[0] = 5.0;
  CHECK(contend::least_loaded({one, one, links, 2}, seconds, empty_at)[0] == 1);
}

TEST(links_of_no_time_never_count) {
  std::vector<double> empty_at{never};
  const std::vector<std::int32_t> links{0};
  const std::vector<double> one{0.0}, bytes{9.0}, seconds{0.0};
  CHECK(contend::least_loaded({one, bytes, links, 1}, seconds, empty_at)[0] == 0);
  CHECK(empty_at[0] == never);
}

TEST(candidates_without_links_or_with_unknown_ones_are_refused) {
  std::vector<double> empty_at{0.0};
  const std::vector<double> one{0.0}, seconds{1.0};
  const std::vector<std::int32_t> none{-1}, unknown{1};
  CHECK_THROWS(contend::least_loaded({one, one, none, 1}, seconds, empty_at), "no candidate");
  CHECK_THROWS(contend::least_loaded({one, one, unknown, 1}, seconds, empty_at), "link 1");
  CHECK_THROWS(contend::least_loaded({one, one, none, 0}, seconds, empty_at), "at least 1");
}
