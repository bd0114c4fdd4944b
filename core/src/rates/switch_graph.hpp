// The contention graph of one switch: the flows that leave and reach each host now.
//
// Source: Martinasso, Mehaut, Euro-Par 2011, section 3.1.
// Idea: the penalty of a flow follows from its ends. Flows that are alike (flow_classes.hpp) are
// given as one bunch: all those into a host whose sources have no other flow, all those out of a
// host to destinations that no other flow reaches, and parallel ones.
// Cost: O(1) per start and end of a flow, and per bunch.
#pragma once

#include <cstdint>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/flow_classes.hpp"

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
  // Alike flows, by one of them and its ends.
  struct Bunch {
    std::int32_t flow;
    std::int32_t count;
    std::int32_t src;
    std::int32_t dst;
  };

  explicit SwitchGraph(const Setting& setting)
      : flows_(setting.flows),
        classes_(setting),
        lists_(classes_),
        out_(static_cast<std::size_t>(hosts())),
        in_(static_cast<std::size_t>(hosts())),
        pairs_(static_cast<std::size_t>(hosts())) {}

  void add(std::int32_t flow);
  void remove(std::int32_t flow);

  std::int32_t hosts() const { return flows_.hosts; }
  std::int32_t src(std::int32_t flow) const { return flows_.src[flow]; }
  std::int32_t dst(std::int32_t flow) const { return flows_.dst[flow]; }
  // Calls visit(bunch) for each bunch out of, or into, a host.
  template <typename Visit>
  void from(std::int32_t host, const Visit& visit) const {
    on(host, visit);
  }
  template <typename Visit>
  void into(std::int32_t host, const Visit& visit) const {
    on(hosts() + host, visit);
  }
  std::int32_t out(std::int32_t host) const { return out_[host]; }
  std::int32_t in(std::int32_t host) const { return in_[host]; }
  // Distinct hosts that send to this one.
  std::int32_t senders(std::int32_t host) const { return classes_.routes_on(hosts() + host); }
  // Pairs (e, e') of flows of this host to the same destination, e = e' included.
  std::int64_t parallel_pairs(std::int32_t host) const { return pairs_[host]; }
  // Flows with the ends of this one.
  std::int32_t parallel(std::int32_t flow) const { return classes_.parallel(flow).count; }

  // Flows in the network that have come to another bunch, or have become parallel to one or ceased
  // to be, since the last call of clear_moved().
  template <typename Visit>
  void moved(const Visit& visit) const {
    for (const std::int32_t f : moved_) {
      if (classes_.of(f) != FlowClasses::none) visit(f);
    }
  }
  void clear_moved() { moved_.clear(); }

 private:
  void follow(const std::vector<FlowClasses::Move>& moves, std::int32_t flow);

  Bunch with_ends(FlowClasses::Bunch alike) const {
    return {alike.flow, alike.count, src(alike.flow), dst(alike.flow)};
  }

  template <typename Visit>
  void on(std::int32_t link, const Visit& visit) const {
    const std::int32_t routes = classes_.routes_on(link);
    if (routes == 1) visit(with_ends(classes_.only_on(link)));
    if (routes < 2) return;
    for (const std::int32_t one : lists_.on(link)) visit(bunches_[one]);
  }

  Flows flows_;
  FlowClasses classes_;
  ClassLists lists_;
  std::vector<Bunch> bunches_;          // (classes,) of those that have flows
  std::vector<std::int32_t> out_, in_;  // degrees
  std::vector<std::int64_t> pairs_;
  std::vector<std::int32_t> moved_;
};

}  // namespace contend
