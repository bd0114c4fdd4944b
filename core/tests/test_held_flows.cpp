// Held flows: after any changes, against what is known of each flow and link.
#include "rates/held_flows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

using contend::HeldFlow;
using contend::HeldFlows;

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
        if (!is_here_[flow]) held_.add(flow);
        if (is_here_[flow]) held_.remove(flow);
        is_here_[flow] = !is_here_[flow];
        holder_[flow] = HeldFlow::none;
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
        if (holder_[flow] == link) return;
        held_.hold(flow, holder_[flow], link);
        holder_[flow] = link;
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
    for (std::int32_t l = 0; l < links; ++l) check_link(l);
  }

 private:
  contend::Setting made() {
    offsets_.push_back(0);
    for (std::int32_t f = 0; f < flows; ++f) {
      std::vector<std::int32_t> all(links);
      for (std::int32_t l = 0; l < links; ++l) all[l] = l;
      std::shuffle(all.begin(), all.end(), random_);
      all.resize(1 + random_() % 6);
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
      if (holder_[f] == l || holder_[f] == HeldFlow::none) return false;
    }
    return is_tight_[l];
  }

  void check_link(std::int32_t l) {
    std::vector<std::int32_t> found, expected;
    for (std::int32_t f = 0; f < flows; ++f) {
      if (is_here_[f] && is_on(f, l)) expected.push_back(f);
    }
    const contend::FlowsOnLink& on = held_.on(l);
    for (const HeldFlow& entry : on.all) found.push_back(entry.flow);
    std::sort(found.begin(), found.end());
    CHECK(found == expected && on.has_slack != is_tight_[l]);
    if (!is_tight_[l]) return;
    for (const HeldFlow& entry : on.holds()) CHECK(holder_[entry.flow] == l);
    for (const HeldFlow& entry : on.guests()) CHECK(holder_[entry.flow] != l);
    for (const HeldFlow& entry : on.all) {
      CHECK(entry.holder == holder_[entry.flow]);
      check_others(l, entry);
    }
  }

  void check_others(std::int32_t l, const HeldFlow& entry) {
    std::vector<std::int32_t> others;
    for (const std::int32_t other : route(entry.flow)) {
      if (other != l && is_tight_[other]) others.push_back(other);
    }
    if (others.size() > 2) others.assign(1, HeldFlow::several);
    others.resize(2, HeldFlow::none);
    std::vector<std::int32_t> named(entry.others.begin(), entry.others.end());
    if (others[1] != HeldFlow::none) std::sort(named.begin(), named.end());
    if (others[1] != HeldFlow::none) std::sort(others.begin(), others.end());
    CHECK(named == others);
  }

  std::mt19937 random_;
  std::vector<double> ones_ = std::vector<double>(flows, 1.0);
  std::vector<double> capacity_ = std::vector<double>(links, 1.0);
  std::vector<std::int64_t> offsets_{};
  std::vector<std::int32_t> hops_{};
  contend::Setting setting_;
  contend::Routes routes_;
  HeldFlows held_;
  std::array<bool, flows> is_here_{};
  std::array<bool, links> is_tight_{};
  std::vector<std::int32_t> holder_ = std::vector<std::int32_t>(flows, HeldFlow::none);
};

TEST(entries_name_holders_and_other_tight_links_after_any_changes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Trial trial(seed);
    for (int n = 0; n < 500; ++n) {
      trial.change();
      trial.check();
    }
  }
}

}  // namespace
