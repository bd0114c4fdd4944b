// The contention graph of one switch: the flows that leave and reach each host now, and which of
// them are parallel.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 3.1.
// Cost: O(1) per start and end of a flow; memory per pair of hosts that has flows.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "contend/sharing.hpp"
#include "routes.hpp"

namespace contend {

// Numbers without repetition, in order of first mention, each below a fixed bound.
class Marked {
 public:
  explicit Marked(std::int32_t bound) : is_in_(static_cast<std::size_t>(bound)) {}
  void add(std::int32_t number) {
    if (!is_in_[number]) numbers_.push_back(number);
    is_in_[number] = 1;
  }
  void clear() {
    for (const std::int32_t number : numbers_) is_in_[number] = 0;
    numbers_.clear();
  }
  const std::vector<std::int32_t>& numbers() const { return numbers_; }

 private:
  std::vector<char> is_in_;
  std::vector<std::int32_t> numbers_;
};

class SwitchGraph {
 public:
  explicit SwitchGraph(const Setting& setting)
      : flows_(setting.flows),
        routes_(setting),
        on_(routes_),
        out_(static_cast<std::size_t>(hosts())),
        in_(static_cast<std::size_t>(hosts())),
        senders_(static_cast<std::size_t>(hosts())),
        pairs_(static_cast<std::size_t>(hosts())) {}

  void add(std::int32_t flow);
  void remove(std::int32_t flow);

  std::int32_t hosts() const { return flows_.hosts; }
  std::int32_t src(std::int32_t flow) const { return flows_.src[flow]; }
  std::int32_t dst(std::int32_t flow) const { return flows_.dst[flow]; }
  const std::vector<std::int32_t>& from(std::int32_t host) const { return on_.on(host); }
  const std::vector<std::int32_t>& into(std::int32_t host) const { return on_.on(hosts() + host); }
  std::int32_t out(std::int32_t host) const { return out_[host]; }
  std::int32_t in(std::int32_t host) const { return in_[host]; }
  // Distinct hosts that send to this one.
  std::int32_t senders(std::int32_t host) const { return senders_[host]; }
  // Pairs (e, e') of flows of this host to the same destination, e = e' included.
  std::int64_t parallel_pairs(std::int32_t host) const { return pairs_[host]; }
  // Flows with the ends of this one.
  std::int32_t parallel(std::int32_t flow) const { return parallel_.at(key(flow)); }

 private:
  std::uint64_t key(std::int32_t flow) const {
    return static_cast<std::uint64_t>(src(flow)) << 32 | static_cast<std::uint32_t>(dst(flow));
  }

  Flows flows_;
  Routes routes_;
  LinkFlows on_;
  std::vector<std::int32_t> out_, in_;  // degrees
  std::vector<std::int32_t> senders_;
  std::vector<std::int64_t> pairs_;
  std::unordered_map<std::uint64_t, std::int32_t> parallel_;
};

}  // namespace contend
