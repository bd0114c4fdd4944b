// Tournaments against a look at all keys.
#include "replay/tournament.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"

TEST(the_least_key_wins_and_of_equal_ones_the_one_with_the_lower_sequence) {
  std::mt19937 random(7);
  for (const std::size_t players : {1, 2, 3, 8, 13, 37}) {
    contend::Tournament tournament(players);
    std::vector<std::pair<double, std::uint64_t>> keys(players, {1e300, 0});
    for (std::size_t player = 0; player < players; ++player) tournament.set(player, 1e300, 0);
    for (std::uint64_t change = 1; change < 500; ++change) {
      const std::size_t player = random() % players;
      keys[player] = {static_cast<double>(random() % 5), change};
      tournament.set(player, keys[player].first, keys[player].second);
      const auto least = *std::min_element(keys.begin(), keys.end());
      CHECK(tournament.least() == least.first);
      if (least.second > 0) CHECK(keys[tournament.winner()] == least);
    }
  }
}
