// Refilling: max-min rates from scratch after every event, to compare with those that were found.
//
// Source: Bertsekas, Gallager, "Data Networks", 1992, section 6.5.2 (progressive filling), plainly.
// Idea: sharing/maxmin.cpp changes what an event affects alone, and builds on all that it has found
// before; this builds on nothing. Compiled in where CONTEND_CHECK_RATES is on.
// Cost per event: links passed times levels.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/routes.hpp"

namespace contend {

// Shares as another one does; throws Error with the first flow whose rate differs by more than
// 1e-9.
class Refill : public Sharing {
 public:
  Refill(const Setting& setting, Lanes& lanes, std::unique_ptr<Sharing> checked);

  void start(std::int32_t flow) override;
  void end(std::int32_t flow) override;
  void share() override;

 private:
  struct Link {
    double left = 0.0;      // capacity that flows with a rate leave
    std::int32_t open = 0;  // flows without one
  };

  void fill();
  double lowest_level() const;

  Lanes& lanes_;
  std::unique_ptr<Sharing> checked_;
  Routes routes_;
  std::vector<std::int32_t> active_, open_;
  std::vector<double> rate_;  // (n_flows,) computed
  std::vector<Link> links_;
};

}  // namespace contend
