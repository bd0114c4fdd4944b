// The least of many keys, each of which may change: a tree of matches in which the lesser key wins.
//
// Source: Knuth, "The Art of Computer Programming" 3, section 5.2.3 (tree selection).
// Idea: matches are decided without branches, since nobody can tell who wins them.
// Cost: O(log n) per change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace contend {

class Tournament {
 public:
  explicit Tournament(std::size_t players) {
    while (leaves_ < players) leaves_ *= 2;
    keys_.resize(leaves_);
    winners_.resize(2 * leaves_);
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      winners_[leaves_ + leaf] = static_cast<std::uint32_t>(leaf);
    }
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) set(leaf, keys_[leaf].time, 0);
  }

  std::size_t winner() const { return winners_[1]; }
  double least() const { return keys_[winner()].time; }
  // Of equal times the one with the lower sequence wins.
  void set(std::size_t player, double time, std::uint64_t sequence) {
    Key best{time, sequence};
    keys_[player] = best;
    auto first = static_cast<std::uint32_t>(player);
    for (std::size_t node = player + leaves_; node > 1; node /= 2) {
      const std::uint32_t other = winners_[node ^ 1];
      const Key key = keys_[other];
      const bool loses =
          static_cast<int>(key.time < best.time) | (static_cast<int>(key.time == best.time) &
                                                    static_cast<int>(key.sequence < best.sequence));
      first = loses ? other : first;
      best.time = loses ? key.time : best.time;
      best.sequence = loses ? key.sequence : best.sequence;
      winners_[node / 2] = first;
    }
  }

 private:
  struct Key {
    double time = std::numeric_limits<double>::infinity();
    std::uint64_t sequence = 0;
  };

  std::size_t leaves_ = 2;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> winners_;  // by node: 1 is the root, the leaves are the players
};

}  // namespace contend
