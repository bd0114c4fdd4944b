// maxmin: max-min fairness over the links of each route.
//
// Source: Bertsekas, Gallager, "Data Networks", 1992, section 6.5.2.
// Idea: a flow is as fast as the link allows on which it gets least, its bottleneck, and no flow on
// that link is faster: found link by link, see bottlenecks.hpp. Where CONTEND_CHECK_RATES is on all
// rates are found anew after every event, and compared: see refill.hpp.
// Cost per event: the flows held by links whose level changes.
// Range: long flows under a transport that is fair per flow (TCP on deep buffers, credits with
// round robin per flow).
// Cannot see: loss and time-outs, unequal round trip times, head-of-line blocking.
#include <memory>
#include <utility>

#include "contend/sharing.hpp"
#include "rates/bottlenecks.hpp"
#include "rates/refill.hpp"

namespace contend::sharing {
namespace {

std::unique_ptr<Sharing> make(const Setting& setting, Lanes& lanes) {
  auto shares = std::make_unique<Bottlenecks>(setting, lanes);
  if constexpr (!CONTEND_CHECK_RATES) return shares;
  return std::make_unique<Refill>(setting, lanes, std::move(shares));
}

}  // namespace

SharingModel maxmin() {
  return {
      .name = "maxmin", .parameters = {}, .has_routes = true, .keeps_capacity = true, .make = make};
}

}  // namespace contend::sharing
