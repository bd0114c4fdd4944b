// Bounded shares: max-min fair rates of classes of flows that each have a bound of their own.
//
// Source: Charny, Clark, Jain, "Congestion control with explicit rate indication", ICC 1995 (each
// link finds its level from the rates that others allow, until nothing changes); Bertsekas,
// Gallager, "Data Networks", 1992, section 6.5.2 (what max-min rates are, and filling).
//
// Idea: a flow has the least of its bound and the levels of its links; the bound is a link that the
// class has for itself. The level of a link is that at which it is full, where its flows have no
// more than their bounds and other links let them have, and infinite where it carries all that.
// Rates are max-min fair where all links agree. A change makes the links of its class find their
// levels again, and a level that is another one does so with the links that it matters to: a link
// with room and slower flows, a saturated one whose flows are slower than its level elsewhere as
// before, find what they had. Where links do not agree soon, all are filled from nothing.
//
// Cost per change: the classes on the links that find their levels, two or three times. Filling:
// O(C log C + H log L) for C classes that pass H links of L in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace contend {

class BoundedShares {
 public:
  // `patience`: how often a link finds its level in one call of share(), on average, before all are
  // filled.
  explicit BoundedShares(const std::vector<double>& capacity, std::size_t patience = 4);

  // A class without flows; the links outlive it. Numbers of classes that were closed may come
  // again.
  void open(std::int32_t one, std::span<const std::int32_t> links);
  void close(std::int32_t one);  // one without flows
  void change(std::int32_t one, std::int32_t flows, double bound);

  std::int32_t flows(std::int32_t one) const { return classes_[one].flows; }
  double bound(std::int32_t one) const { return classes_[one].bound; }
  double rate(std::int32_t one) const { return classes_[one].rate; }

  // Sets all rates; the classes whose rate is another one.
  const std::vector<std::int32_t>& share();
  // The rates as filling from nothing finds them, (classes,), to compare; changes nothing.
  std::vector<double> refilled() const;

 private:
  static constexpr double unsaturated = std::numeric_limits<double>::infinity();

  struct Class {
    std::span<const std::int32_t> links{};
    std::vector<std::int32_t> places{};  // of the class in each of its links
    std::int32_t flows = 0;
    double bound = 0.0;
    double rate = 0.0;  // computed
    bool is_open = false;
    bool is_touched = false;  // its rate may be another one
  };
  struct Link {
    double capacity = 0.0;
    double level = unsaturated;  // computed
    std::vector<std::int32_t> classes{};
    bool is_waiting = false;  // to find its level
  };
  // A class as a link sees it: its flows, and the most that each may have elsewhere.
  struct Demand {
    double most;
    double flows;
  };

  void touch(std::int32_t one);
  void wait(std::int32_t link);
  double most_beside(const Class& one, std::int32_t link) const;
  double find_level(std::int32_t link);
  void spread(std::int32_t link, double level);
  bool agree();
  void fill();
  std::vector<double> filled() const;

  std::size_t patience_;
  std::vector<Class> classes_;
  std::vector<Link> links_;
  std::vector<std::int32_t> waiting_, touched_, changed_;  // links, classes, classes
  std::vector<Demand> demands_;
};

}  // namespace contend
