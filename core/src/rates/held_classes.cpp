// Held classes: which flows are one class, and which classes are on which tight link; see
// held_classes.hpp.
#include "rates/held_classes.hpp"

#include <algorithm>
#include <utility>

namespace contend {
namespace {

// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014: the last step.
std::uint64_t hash_of(std::int32_t link) {
  auto hash = (static_cast<std::uint64_t>(link) + 1) * 0x9e3779b97f4a7c15U;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111ebU;
  return hash ^ hash >> 31;
}

}  // namespace

HeldClasses::HeldClasses(Routes& routes, std::size_t flows)
    : routes_(routes),
      links_(static_cast<std::size_t>(routes.links())),
      place_(routes.hops()),
      beside_(routes.hops()),
      class_of_(flows, none),
      next_(flows),
      before_(flows),
      table_(16, none) {}

HeldClasses::Arrival HeldClasses::arrive(std::int32_t flow) {
  const std::size_t first = routes_.first(flow);
  Class like{0, flow, 1, none, 0, none};
  for (std::size_t hop = first; hop < routes_.first(flow + 1); ++hop) {
    const std::int32_t l = routes_.link(hop);
    ++links_[l].flows;
    if (links_[l].has_slack) {
      enter_slack(flow, hop);
    } else {
      like.hash += hash_of(l);
      swap_hops(hop, first + static_cast<std::size_t>(like.tight++));
    }
  }
  const std::int32_t one = find_held(like);
  return {like.hash, like.tight, one == none ? none : classes_[one].holder, one};
}

void HeldClasses::add(std::int32_t flow, const Arrival& arrival) {
  if (arrival.classmates != none) {
    enter(flow, arrival.classmates);
  } else {
    make(flow, {arrival.hash, flow, 1, none, arrival.tight, none});
  }
}

void HeldClasses::remove(std::int32_t flow) {
  const std::size_t first = routes_.first(flow);
  const std::size_t slack = first + tight_count(flow);
  leave(flow);
  class_of_[flow] = none;
  for (std::size_t hop = first; hop < routes_.first(flow + 1); ++hop) {
    --links_[routes_.link(hop)].flows;
    if (hop >= slack) leave_slack(hop);
  }
}

void HeldClasses::enter_slack(std::int32_t flow, std::size_t hop) {
  const std::int32_t l = routes_.link(hop);
  const std::int32_t after = links_[l].first;
  beside_[hop] = {none, after};
  if (after != none) beside_[routes_.hop(after, l)][0] = flow;
  links_[l].first = flow;
}

void HeldClasses::leave_slack(std::size_t hop) {
  const std::int32_t l = routes_.link(hop);
  const auto [before, after] = beside_[hop];
  (before == none ? links_[l].first : beside_[routes_.hop(before, l)][1]) = after;
  if (after != none) beside_[routes_.hop(after, l)][0] = before;
}

void HeldClasses::hold(std::int32_t head, std::int32_t holder) {
  const std::int32_t one = class_of_[head];
  Class like = classes_[one];
  const std::int32_t old = like.holder;
  like.holder = holder;
  if (const std::int32_t other = find(like); other != none) {
    forget(one);
    merge(one, other);
    return;
  }
  const std::size_t first = routes_.first(head);
  for (std::size_t hop = first; hop < first + static_cast<std::size_t>(like.tight); ++hop) {
    const std::int32_t link = routes_.link(hop);
    entry(link, place_[hop]).others = {holder, none};
    if (link == old) swap(link, place_[hop], --links_[link].held);
    if (link == holder) swap(link, place_[hop], links_[link].held++);
  }
  classes_[one].holder = holder;
  name_others(one);
}

void HeldClasses::tighten(std::int32_t link) {
  links_[link].has_slack = false;
  std::int32_t flow = std::exchange(links_[link].first, none);
  while (flow != none) {
    const std::int32_t after = next_on(link, flow);
    tighten_flow(flow, link);
    flow = after;
  }
}

void HeldClasses::tighten_flow(std::int32_t flow, std::int32_t link) {
  const std::int32_t one = class_of_[flow];
  Class like = classes_[one];
  const std::size_t hop = routes_.first(flow) + static_cast<std::size_t>(like.tight);
  swap_hops(routes_.hop(flow, link), hop);
  like.hash += hash_of(link);
  ++like.tight;
  like.head = flow;
  if (like.count > 1) {
    leave(flow);
    like.count = 1;
    make(flow, like);
    return;
  }
  forget(one);
  if (const std::int32_t other = find(like); other != none) {
    merge(one, other);
    return;
  }
  classes_[one] = like;
  note(one);
  add_entry(one, hop);
  name_others(one);
}

void HeldClasses::slacken(std::int32_t link) {
  links_[link].has_slack = true;
  const auto classes = all(link);
  taken_.assign(classes.begin(), classes.end());
  links_[link].all.size = 0;
  count_ -= static_cast<std::int64_t>(taken_.size());
  for (const HeldClass& taken : taken_) {
    const std::int32_t one = class_of_[taken.head];
    const auto tight = static_cast<std::size_t>(classes_[one].tight - 1);
    for (std::int32_t flow = taken.head; flow != none; flow = next_[flow]) {
      const std::size_t hop = routes_.first(flow) + tight;
      swap_hops(routes_.hop(flow, link), hop);
      enter_slack(flow, hop);
    }
    forget(one);
    --classes_[one].tight;
    classes_[one].hash -= hash_of(link);
    if (const std::int32_t other = find(classes_[one]); other != none) {
      merge(one, other);
    } else {
      note(one);
      name_others(one);
    }
  }
}

// Entries.

void HeldClasses::put(std::int32_t link, std::int32_t place, const HeldClass& moved) {
  entry(link, place) = moved;
  place_[routes_.hop(moved.head, link)] = place;
}

void HeldClasses::swap(std::int32_t link, std::int32_t a, std::int32_t b) {
  if (a == b) return;
  const HeldClass first = entry(link, a);
  put(link, a, entry(link, b));
  put(link, b, first);
}

void HeldClasses::swap_hops(std::size_t a, std::size_t b) {
  routes_.swap(a, b);
  std::swap(place_[a], place_[b]);
  std::swap(beside_[a], beside_[b]);
}

// Of the head.
void HeldClasses::add_entry(std::int32_t one, std::size_t hop) {
  const Class& own = classes_[one];
  const std::int32_t l = routes_.link(hop);
  ClassesOnLink& link = links_[l];
  place_[hop] = static_cast<std::int32_t>(link.all.size);
  entries_.add(link.all, {own.head, own.count, {own.holder, none}});
  ++count_;
  if (l == own.holder) swap(l, place_[hop], link.held++);
}

void HeldClasses::remove_entries(std::int32_t one) {
  const Class& own = classes_[one];
  const std::size_t first = routes_.first(own.head);
  count_ -= own.tight;
  for (std::size_t hop = first; hop < first + static_cast<std::size_t>(own.tight); ++hop) {
    const std::int32_t l = routes_.link(hop);
    ClassesOnLink& link = links_[l];
    if (l == own.holder) swap(l, place_[hop], --link.held);
    const HeldClass last = all(l).back();
    --link.all.size;
    if (last.head != own.head) put(l, place_[hop], last);
  }
}

void HeldClasses::name_others(std::int32_t one) {
  const Class& own = classes_[one];
  if (own.holder == none) return;
  auto& others = entry(own.holder, place_[routes_.hop(own.head, own.holder)]).others;
  others = {own.tight > 3 ? HeldClass::several : none, none};
  std::size_t named = 0;
  if (own.tight > 3) return;
  for (const std::int32_t link : tight(own.head)) {
    if (link != own.holder) others[named++] = link;
  }
}

void HeldClasses::count(std::int32_t one, std::int32_t change) {
  Class& own = classes_[one];
  own.count += change;
  const std::size_t first = routes_.first(own.head);
  for (std::size_t hop = first; hop < first + static_cast<std::size_t>(own.tight); ++hop) {
    entry(routes_.link(hop), place_[hop]).count = own.count;
  }
}

// Classes.

// A class of this flow alone, unless there is one that it belongs to.
void HeldClasses::make(std::int32_t flow, const Class& like) {
  if (const std::int32_t other = find(like); other != none) {
    enter(flow, other);
    return;
  }
  std::int32_t one = free_;
  if (one == none) {
    one = static_cast<std::int32_t>(classes_.size());
    classes_.push_back(like);
  } else {
    free_ = classes_[one].chain;
    classes_[one] = like;
  }
  class_of_[flow] = one;
  next_[flow] = before_[flow] = none;
  const std::size_t first = routes_.first(flow);
  for (std::size_t hop = first; hop < first + static_cast<std::size_t>(like.tight); ++hop) {
    add_entry(one, hop);
  }
  note(one);
  name_others(one);
}

// Behind the head.
void HeldClasses::enter(std::int32_t flow, std::int32_t one) {
  const std::int32_t head = classes_[one].head;
  class_of_[flow] = one;
  next_[flow] = next_[head];
  before_[flow] = head;
  if (next_[flow] != none) before_[next_[flow]] = flow;
  next_[head] = flow;
  count(one, 1);
}

void HeldClasses::leave(std::int32_t flow) {
  const std::int32_t one = class_of_[flow];
  if (classes_[one].count == 1) {
    remove_entries(one);
    forget(one);
    classes_[one].chain = free_;
    free_ = one;
    return;
  }
  count(one, -1);
  if (classes_[one].head == flow) {
    hand_over(one);
    return;
  }
  next_[before_[flow]] = next_[flow];
  if (next_[flow] != none) before_[next_[flow]] = before_[flow];
}

// From the head to the next flow.
void HeldClasses::hand_over(std::int32_t one) {
  Class& own = classes_[one];
  const std::size_t first = routes_.first(own.head);
  const std::int32_t head = next_[own.head];
  for (std::size_t hop = first; hop < first + static_cast<std::size_t>(own.tight); ++hop) {
    const std::int32_t l = routes_.link(hop);
    entry(l, place_[hop]).head = head;
    place_[routes_.hop(head, l)] = place_[hop];
  }
  before_[head] = none;
  own.head = head;
}

// Puts all flows of a class that is forgotten behind the head of another one.
void HeldClasses::merge(std::int32_t one, std::int32_t other) {
  remove_entries(one);
  const std::int32_t head = classes_[other].head;
  const std::int32_t first = classes_[one].head;
  std::int32_t last = first;
  for (std::int32_t flow = first; flow != none; flow = next_[flow]) {
    class_of_[flow] = other;
    last = flow;
  }
  next_[last] = next_[head];
  if (next_[last] != none) before_[next_[last]] = last;
  next_[head] = first;
  before_[first] = head;
  count(other, classes_[one].count);
  classes_[one].chain = free_;
  free_ = one;
}

// The table.

std::size_t HeldClasses::place_in_table(const Class& like) const {
  return (like.hash ^ like.hash >> 32) & (table_.size() - 1);
}

std::int32_t HeldClasses::find(const Class& like) const {
  std::int32_t one = table_[place_in_table(like)];
  while (one != none && (classes_[one].holder != like.holder || !has_links(classes_[one], like))) {
    one = classes_[one].chain;
  }
  return one;
}

std::int32_t HeldClasses::find_held(const Class& like) const {
  std::int32_t one = like.tight == 0 ? none : table_[place_in_table(like)];
  while (one != none && (classes_[one].holder == none || !has_links(classes_[one], like))) {
    one = classes_[one].chain;
  }
  return one;
}

bool HeldClasses::has_links(const Class& a, const Class& b) const {
  if (a.hash != b.hash || a.tight != b.tight) return false;
  const auto count = static_cast<std::size_t>(a.tight);
  const auto links = routes_.of(a.head).first(count);
  return std::ranges::all_of(routes_.of(b.head).first(count), [&](std::int32_t link) {
    return std::ranges::find(links, link) != links.end();
  });
}

void HeldClasses::note(std::int32_t one) {
  if (2 * ++noted_ > table_.size()) grow();
  std::int32_t& place = table_[place_in_table(classes_[one])];
  classes_[one].chain = place;
  place = one;
}

void HeldClasses::forget(std::int32_t one) {
  --noted_;
  std::int32_t* place = &table_[place_in_table(classes_[one])];
  while (*place != one) place = &classes_[*place].chain;
  *place = classes_[one].chain;
}

void HeldClasses::grow() {
  LargeArray<std::int32_t> old(2 * table_.size(), none);
  old.swap(table_);
  for (std::int32_t one : old) {
    while (one != none) {
      const std::int32_t after = classes_[one].chain;
      std::int32_t& place = table_[place_in_table(classes_[one])];
      classes_[one].chain = place;
      place = one;
      one = after;
    }
  }
}

}  // namespace contend
