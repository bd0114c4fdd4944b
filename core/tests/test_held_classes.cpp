// Held classes: after any changes, against what is known of each flow and link.
#include "rates/held_classes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

using contend::HeldClass;
using contend::HeldClasses;

constexpr std::int32_t links = 9;
constexpr std::int32_t flows = 40;

std::int32_t below(std::mt19937& random, std::size_t bound) {
  return static_cast<std::int32_t>(random() % bound);
}

// Flows over random routes, and what has been done to them.
class Trial {
 public:
  explicit Trial(unsigned seed)
      : random_(seed), setting_(made()), routes_(setting_), held_(routes_, flows) {}

  void change() {
    const std::int32_t flow = below(random_, flows);
    const std::int32_t link = below(random_, links);
    switch (random_() % 4) {
      case 0:
        if (is_here_[flow]) {
          held_.remove(flow);
          holder_[flow] = HeldClass::none;
        } else {
          add(flow);
        }
        is_here_[flow] = !is_here_[flow];
        break;
      case 1:
        if (is_tight_[link]) return;
        held_.tighten(link);
        is_tight_[link] = true;
        break;
      case 2:
        if (!may_slacken(link)) return;
        held_.slacken(link);
        is_tight_[link] = false;
        break;
      default:
        if (!is_here_[flow] || !is_tight_[link] || !is_on(flow, link)) return;
        if (holder_[flow] != link) hold(alike(flow), link);
    }
  }

  void check() {
    for (std::int32_t f = 0; f < flows; ++f) {
      CHECK(held_.is_here(f) == is_here_[f]);
      if (!is_here_[f]) continue;
      CHECK(held_.holder(f) == holder_[f]);
      for (const std::int32_t l : held_.tight(f)) CHECK(is_tight_[l]);
      for (const std::int32_t l : held_.slack(f)) CHECK(!is_tight_[l]);
      CHECK(held_.tight(f).size() + held_.slack(f).size() == route(f).size());
    }
    std::size_t entries = 0;
    for (std::int32_t l = 0; l < links; ++l) {
      check_link(l);
      entries += held_.all(l).size();
    }
    CHECK(static_cast<std::size_t>(held_.entries()) == entries);
  }

 private:
  // Every other one enters a class that is held, if there is one of its tight links.
  void add(std::int32_t flow) {
    HeldClasses::Arrival arrival = held_.arrive(flow);
    if (flow % 2 == 0) arrival.holder = arrival.classmates = HeldClass::none;
    held_.add(flow, arrival);
    holder_[flow] = arrival.holder;
  }

  // The flows with the same tight links and the same holder.
  std::vector<std::int32_t> alike(std::int32_t flow) const {
    std::vector<std::int32_t> found;
    for (std::int32_t f = 0; f < flows; ++f) {
      if (is_here_[f] && holder_[f] == holder_[flow] && tight(f) == tight(flow)) found.push_back(f);
    }
    return found;
  }
  std::vector<std::int32_t> tight(std::int32_t f) const {
    std::vector<std::int32_t> found;
    for (const std::int32_t l : route(f)) {
      if (is_tight_[l]) found.push_back(l);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  std::vector<std::int32_t> in_class(const HeldClass& entry) const {
    std::vector<std::int32_t> found;
    for (std::int32_t f = entry.head; f != HeldClass::none; f = held_.next(f)) found.push_back(f);
    std::sort(found.begin(), found.end());
    return found;
  }
  void hold(const std::vector<std::int32_t>& all, std::int32_t link) {
    for (const HeldClass& entry : held_.all(link)) {
      if (std::find(all.begin(), all.end(), entry.head) == all.end()) continue;
      held_.hold(entry.head, link);
      break;
    }
    for (const std::int32_t f : all) holder_[f] = link;
  }

  contend::Setting made() {
    offsets_.push_back(0);
    for (std::int32_t f = 0; f < flows; ++f) {
      std::vector<std::int32_t> all(links);
      for (std::int32_t l = 0; l < links; ++l) all[l] = l;
      std::shuffle(all.begin(), all.end(), random_);
      all.resize(1 + random_() % (f % 2 == 0 ? 2 : 6));
      hops_.insert(hops_.end(), all.begin(), all.end());
      offsets_.push_back(static_cast<std::int64_t>(hops_.size()));
    }
    return {{2, ones_, {}, {}, ones_, {}}, {1.0, capacity_, offsets_, hops_}, {}, {}};
  }
  std::vector<std::int32_t> route(std::int32_t f) const {
    return {hops_.begin() + offsets_[f], hops_.begin() + offsets_[f + 1]};
  }
  bool is_on(std::int32_t f, std::int32_t l) const {
    const auto links_of = route(f);
    return std::find(links_of.begin(), links_of.end(), l) != links_of.end();
  }
  // A link that holds none, on which each flow has a holder.
  bool may_slacken(std::int32_t l) const {
    for (std::int32_t f = 0; f < flows; ++f) {
      if (!is_here_[f] || !is_on(f, l)) continue;
      if (holder_[f] == l || holder_[f] == HeldClass::none) return false;
    }
    return is_tight_[l];
  }

  void check_link(std::int32_t l) {
    std::vector<std::int32_t> found, expected;
    for (std::int32_t f = 0; f < flows; ++f) {
      if (is_here_[f] && is_on(f, l)) expected.push_back(f);
    }
    const contend::ClassesOnLink& on = held_.on(l);
    CHECK(on.has_slack != is_tight_[l]);
    CHECK(static_cast<std::size_t>(on.flows) == expected.size());
    for (auto f = on.first; f != HeldClass::none; f = held_.next_on(l, f)) found.push_back(f);
    for (const HeldClass& entry : held_.all(l)) {
      const auto flows_of = in_class(entry);
      CHECK(flows_of == alike(entry.head));
      CHECK(static_cast<std::size_t>(entry.count) == flows_of.size());
      found.insert(found.end(), flows_of.begin(), flows_of.end());
    }
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
    for (const HeldClass& entry : held_.holds(l)) {
      CHECK(holder_[entry.head] == l);
      check_others(l, entry);
    }
    for (const HeldClass& entry : held_.guests(l)) {
      CHECK(holder_[entry.head] != l);
      CHECK(entry.others[0] == holder_[entry.head]);
    }
  }

  void check_others(std::int32_t l, const HeldClass& entry) {
    std::vector<std::int32_t> others;
    for (const std::int32_t other : route(entry.head)) {
      if (other != l && is_tight_[other]) others.push_back(other);
    }
    if (others.size() > 2) others.assign(1, HeldClass::several);
    others.resize(2, HeldClass::none);
    std::vector<std::int32_t> named(entry.others.begin(), entry.others.end());
    if (others[1] != HeldClass::none) std::sort(named.begin(), named.end());
    if (others[1] != HeldClass::none) std::sort(others.begin(), others.end());
    CHECK(named == others);
  }

  std::mt19937 random_;
  std::vector<double> ones_ = std::vector<double>(flows, 1.0);
  std::vector<double> capacity_ = std::vector<double>(links, 1.0);
  std::vector<std::int64_t> offsets_{};
  std::vector<std::int32_t> hops_{};
  contend::Setting setting_;
  contend::Routes routes_;
  HeldClasses held_;
  std::array<bool, flows> is_here_{};
  std::array<bool, links> is_tight_{};
  std::vector<std::int32_t> holder_ = std::vector<std::int32_t>(flows, HeldClass::none);
};

TEST(flows_of_the_same_tight_links_and_holder_are_one_class_after_any_changes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Trial trial(seed);
    for (int n = 0; n < 500; ++n) {
      trial.change();
      trial.check();
    }
  }
}

}  // namespace
