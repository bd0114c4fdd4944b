// Held classes: flows with the same tight links and one holder, which have one rate, as one; and
// the classes on each tight link.
//
// Idea: a link with slack is one that its flows cannot fill as things are, the others are tight.
// What max-min gives a flow depends on its tight links alone. So all flows into a hot host are one
// class, wherever they come from, and so are parallel flows, or those over two full links in a row.
// The tight links of a route come first in it. A class is known by one of its flows, its head,
// whose places on tight links are those of the class. The entry of a class on the link that holds
// it names up to two of its other tight links, so that one walk along a link's entries reaches all
// that depend on it.
// Cost: O(links of the route) to add or remove a flow, or for a class that another link holds, and
// O(1) per flow where two classes become one; O(flows on it) for a link that becomes tight, or
// slack. Two numbers per hop, and three per flow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rates/large_pages.hpp"
#include "rates/routes.hpp"
#include "rates/rows.hpp"

namespace contend {

// A class on a tight link.
struct HeldClass {
  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t several = -2;

  std::int32_t head;
  std::int32_t count;
  // Where the link holds it, its other tight links: one, then none; two; none at all; or several
  // and none. Of a guest, its holder, or none; and none.
  std::array<std::int32_t, 2> others;
};

// The flows on a link: by classes on a tight one, those first that the link holds.
struct alignas(32) ClassesOnLink {
  Row all{};                             // of a tight link
  std::int32_t first = HeldClass::none;  // flow, of a link with slack
  std::int32_t held = 0;
  std::int32_t flows = 0;
  bool has_slack = true;  // since there is no flow
};

class HeldClasses {
 public:
  static constexpr std::int32_t none = HeldClass::none;

  // The links of a route change their order.
  HeldClasses(Routes& routes, std::size_t flows);

  const ClassesOnLink& on(std::int32_t link) const { return links_[link]; }
  // The classes on a tight link, until one is added; those that it holds; and the others.
  std::span<const HeldClass> all(std::int32_t link) const { return entries_.of(links_[link].all); }
  std::span<const HeldClass> holds(std::int32_t link) const {
    return all(link).first(static_cast<std::size_t>(links_[link].held));
  }
  std::span<const HeldClass> guests(std::int32_t link) const {
    return all(link).subspan(static_cast<std::size_t>(links_[link].held));
  }
  // The flow on a link with slack after this one; none follows the last.
  std::int32_t next_on(std::int32_t link, std::int32_t flow) const {
    return beside_[routes_.hop(flow, link)][1];
  }
  // A flow that comes or goes soon.
  void prefetch(std::int32_t flow) const {
    __builtin_prefetch(&class_of_[flow]);
    __builtin_prefetch(&next_[flow]);
    __builtin_prefetch(&before_[flow]);
    __builtin_prefetch(beside_.data() + routes_.first(flow));
  }
  // A tight link whose classes are looked at soon.
  void prefetch_classes(std::int32_t link) const { entries_.prefetch(links_[link].all); }
  // Entries on all tight links.
  std::int64_t entries() const { return count_; }
  bool is_here(std::int32_t flow) const { return class_of_[flow] != none; }
  // Of a flow that is here; none before a link holds it.
  std::int32_t holder(std::int32_t flow) const { return classes_[class_of_[flow]].holder; }
  std::span<const std::int32_t> tight(std::int32_t flow) const {
    return routes_.of(flow).first(tight_count(flow));
  }
  std::span<const std::int32_t> slack(std::int32_t flow) const {
    return routes_.of(flow).subspan(tight_count(flow));
  }
  // The flow of the class after this one; a head is the first, none follows the last.
  std::int32_t next(std::int32_t flow) const { return next_[flow]; }
  // Calls with each link with slack on the route of each flow of a class.
  template <typename Call>
  void each_slack(std::int32_t head, std::int32_t count, Call call) const {
    const std::size_t tight = tight_count(head);
    for (std::int32_t flow = head;; flow = next_[flow]) {
      for (const std::int32_t link : routes_.of(flow).subspan(tight)) call(link);
      if (--count == 0) return;
    }
  }

  // A flow comes, whose route gets its tight links first; it has a class once it is added.
  struct Arrival {
    std::uint64_t hash = 0;
    std::int32_t tight = 0;          // number of tight links
    std::int32_t holder = none;      // of flows with the same tight links, if some are held
    std::int32_t classmates = none;  // their class
  };
  Arrival arrive(std::int32_t flow);
  // To its classmates; or to those with these tight links that are not held.
  void add(std::int32_t flow, const Arrival& arrival);
  void remove(std::int32_t flow);
  void hold(std::int32_t head, std::int32_t holder);  // the class
  void tighten(std::int32_t link);
  void slacken(std::int32_t link);  // which holds no flow

 private:
  struct Class {
    std::uint64_t hash;  // a sum over its tight links
    std::int32_t head;
    std::int32_t count;
    std::int32_t holder;
    std::int32_t tight;  // number of tight links
    std::int32_t chain;  // the next class, or free number, at the same place
  };

  std::size_t tight_count(std::int32_t flow) const {
    return static_cast<std::size_t>(classes_[class_of_[flow]].tight);
  }
  HeldClass& entry(std::int32_t link, std::int32_t place) {
    return entries_.of(links_[link].all)[static_cast<std::size_t>(place)];
  }
  void put(std::int32_t link, std::int32_t place, const HeldClass& entry);
  void swap(std::int32_t link, std::int32_t a, std::int32_t b);
  void swap_hops(std::size_t a, std::size_t b);
  void add_entry(std::int32_t one, std::size_t hop);
  void remove_entries(std::int32_t one);
  void name_others(std::int32_t one);
  void count(std::int32_t one, std::int32_t change);
  void enter_slack(std::int32_t flow, std::size_t hop);
  void leave_slack(std::size_t hop);

  void make(std::int32_t flow, const Class& like);
  void enter(std::int32_t flow, std::int32_t one);
  void leave(std::int32_t flow);
  void hand_over(std::int32_t one);
  void merge(std::int32_t one, std::int32_t other);
  void tighten_flow(std::int32_t flow, std::int32_t link);

  // A hash table of chains, by tight links.
  std::int32_t find(const Class& like) const;  // the class with these links and holder, or none
  std::int32_t find_held(const Class& like) const;  // likewise, whoever holds it
  bool has_links(const Class& a, const Class& b) const;
  std::size_t place_in_table(const Class& like) const;
  void note(std::int32_t one);
  void forget(std::int32_t one);
  void grow();

  Routes& routes_;
  LargeArray<ClassesOnLink> links_;
  Rows<HeldClass> entries_;
  std::int64_t count_ = 0;                          // of the entries
  LargeArray<std::int32_t> place_;                  // (n_hops,) on a tight link, of heads alone
  LargeArray<std::array<std::int32_t, 2>> beside_;  // (n_hops,) flows before and after, with slack
  LargeArray<std::int32_t> class_of_;               // (n_flows,) none: not here
  LargeArray<std::int32_t> next_, before_;          // (n_flows,) in the class
  LargeArray<Class> classes_;
  std::int32_t free_ = none;        // the first number that is free
  LargeArray<std::int32_t> table_;  // a power of two of first classes
  std::size_t noted_ = 0;
  std::vector<HeldClass> taken_;  // of the link at hand
};

}  // namespace contend
