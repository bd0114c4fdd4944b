// maxmin: max-min fairness over the links of each route.
//
// Source: Bertsekas, Gallager, "Data Networks", 1992, section 6.5.2.
// Idea: a flow is as fast as the link allows on which it gets least, its bottleneck, and no flow on
// that link is faster. Flows that share one link alone have a closed form, see stars.hpp; the
// others get their rates link by link, see bottlenecks.hpp. Where CONTEND_CHECK_RATES is on all
// rates are found anew after every event, and compared: see refill.hpp.
// Cost per event: the flows held by links whose level changes.
// Range: long flows under a transport that is fair per flow (TCP on deep buffers, credits with
// round robin per flow).
// Cannot see: loss and time-outs, unequal round trip times, head-of-line blocking.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "contend/sharing.hpp"
#include "rates/bottlenecks.hpp"
#include "rates/refill.hpp"
#include "rates/stars.hpp"

namespace contend::sharing {
namespace {

// Classes whose own links let them have less than an equal share of what is left have that.
void fill(double left, std::span<Ray> rays) {
  double open = 0.0;
  for (const Ray& ray : rays) open += ray.flows;
  std::vector<Ray*> rest;
  for (Ray& ray : rays) rest.push_back(&ray);
  for (bool is_same = false; !is_same && !rest.empty();) {
    const double equal = left / open;
    const auto slow = std::partition(rest.begin(), rest.end(),
                                     [equal](const Ray* ray) { return ray->most > equal; });
    is_same = slow == rest.end();
    for (auto ray = slow; ray != rest.end(); ++ray) {
      (*ray)->rate = (*ray)->most;
      left -= (*ray)->flows * (*ray)->most;
      open -= (*ray)->flows;
    }
    rest.erase(slow, rest.end());
  }
  for (Ray* ray : rest) ray->rate = left / open;
}

std::unique_ptr<Sharing> make(const Setting& setting, Lanes& lanes) {
  std::unique_ptr<Sharing> found =
      std::make_unique<Stars>(setting, lanes, std::make_unique<Bottlenecks>(setting, lanes), fill);
  if constexpr (!CONTEND_CHECK_RATES) return found;
  return std::make_unique<Refill>(setting, lanes, std::move(found));
}

}  // namespace

SharingModel maxmin() {
  return {
      .name = "maxmin", .parameters = {}, .has_routes = true, .keeps_capacity = true, .make = make};
}

}  // namespace contend::sharing
