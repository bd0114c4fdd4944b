// Flow classes: flows that no sharing model can tell apart are one class.
//
// Idea: a link that the flows of one route have for themselves only bounds their rate. Flows that
// are alone on their route, pass the same shared links (those of several routes) and have the same
// smallest capacity among the links of their own are alike, wherever they come from or go to: all
// flows into one hot host are one class. Of a class in this sense the links of their own are put
// together to one bundle, which carries the sum. Parallel flows are a class as well; and so is each
// flow that shares all its links.
//
// Cost: O(links of the route) per start and end, and per flow of a route whose links become shared,
// or cease to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/routes.hpp"

namespace contend {

class FlowClasses {
 public:
  static constexpr std::int32_t none = -1;

  // A flow has left one class, or none, for another, or none.
  struct Move {
    std::int32_t flow;
    std::int32_t from;
    std::int32_t to;
  };

  // Flows that are alike, by one of them.
  struct Bunch {
    std::int32_t flow;
    std::int32_t count;
  };

  explicit FlowClasses(const Setting& setting);

  // What a start or an end moves, the flow itself included. The links of classes that have lost
  // their last flow can be read until the next start or end.
  const std::vector<Move>& start(std::int32_t flow);
  const std::vector<Move>& end(std::int32_t flow);

  // Classes are numbered below this bound, which grows.
  std::int32_t bound() const { return static_cast<std::int32_t>(bunch_.size()); }
  std::int32_t of(std::int32_t flow) const { return class_of_[flow]; }  // none outside the network
  std::int32_t size(std::int32_t one) const { return bunch_[one].count; }
  // Links beyond those of the network are bundles; their number is bounded likewise.
  std::int32_t link_bound() const { return link_bound_; }
  bool is_bundle(std::int32_t link) const { return link >= routes_.links(); }
  std::span<const std::int32_t> links(std::int32_t one) const {
    return {&hops_[first(one)], static_cast<std::size_t>(hop_count_[one])};
  }
  // Places for what is kept per class and link: as many per class as a route has links at most.
  std::size_t first(std::int32_t one) const { return static_cast<std::size_t>(one) * stride_; }
  double capacity(std::int32_t link) const { return routes_.capacity(link); }
  // The most that the links of its own let each flow have; infinity without such links.
  double most(std::int32_t one) const {
    return is_route_[one] ? most_[one] / bunch_[one].count : most_[one];
  }
  // Flows in the network with the links of this one, perhaps none: next() leads from the one that
  // is given to the others.
  Bunch parallel(std::int32_t flow) const { return bunch(table_[route_of_[flow]]); }
  // Routes with flows that pass a link of the network; and, if it is one, its flows.
  std::int32_t routes_on(std::int32_t link) const { return links_[link].count; }
  Bunch only_on(std::int32_t link) const { return bunch(table_[links_[link].routes]); }
  Bunch bunch(std::int32_t one) const { return bunch_[one]; }
  // One of the flows, and the next one after it; none behind the last.
  std::int32_t head(std::int32_t one) const { return bunch_[one].flow; }
  std::int32_t next(std::int32_t flow) const { return next_[flow]; }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::int64_t>& key) const;
  };
  // A route: flows with the same links.
  struct Route {
    std::int32_t sample = none;  // a flow, for the links
    std::int32_t count = 0;      // flows in the network
    std::int32_t flows = 0;      // exclusive or of their numbers: the number of the only one
    std::int32_t flow_class = none;
  };
  // The routes on a link, with the same trick.
  struct Link {
    std::int32_t count = 0;
    std::int32_t routes = 0;
  };

  Bunch bunch(const Route& route) const {
    return route.count > 1 ? bunch_[route.flow_class] : Bunch{route.flows, route.count};
  }
  void find_routes();
  void forget_empty();
  void pass(std::int32_t route, std::int32_t change);
  void sort_in(std::int32_t route, std::int32_t fresh);
  std::int32_t class_for(const Route& route);
  std::vector<std::int64_t>& key_of(double most);  // with shared_
  std::int32_t common_class(double most);
  std::int32_t make(double most, bool is_route);
  void move(std::int32_t flow, std::int32_t from, std::int32_t to);
  void insert(std::int32_t flow, std::int32_t one);
  void erase(std::int32_t flow, std::int32_t one);

  Routes routes_;
  std::size_t stride_ = 1;
  std::int32_t link_bound_;
  std::vector<std::int32_t> route_of_, class_of_;  // (n_flows,)
  std::vector<Route> table_;                       // (n_routes,)
  std::vector<Link> links_;                        // (n_links,)
  // (classes,), hops_ stride_ times as many
  std::vector<Bunch> bunch_;
  std::vector<std::int32_t> hop_count_, hops_;
  std::vector<double> most_;
  std::vector<char> is_route_;
  std::vector<std::int32_t> next_, before_;  // (n_flows,) within the class
  std::vector<std::int32_t> free_, free_bundles_, emptied_;
  std::unordered_map<std::vector<std::int64_t>, std::int32_t, Hash> common_;
  std::vector<Move> moves_;
  std::vector<std::int32_t> shared_, others_;  // of the route at hand
  std::vector<std::int64_t> key_;
};

// The classes on each link, in no order.
class ClassLists {
 public:
  explicit ClassLists(const FlowClasses& classes) : classes_(classes) {}

  const std::vector<std::int32_t>& on(std::int32_t link) const { return on_[link]; }
  void add(std::int32_t one);
  void remove(std::int32_t one);
  // Adds classes that have got a first flow and removes those that have lost the last one.
  void follow(const std::vector<FlowClasses::Move>& moves);

 private:
  const FlowClasses& classes_;
  std::vector<std::int32_t> place_;            // (bound, stride) where the class is in on_
  std::vector<std::vector<std::int32_t>> on_;  // (link_bound,)
  std::vector<char> is_on_;                    // (bound,)
};

}  // namespace contend
