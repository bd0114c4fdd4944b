// Between switches: penalties at the hosts, max-min fair shares of the links beyond.
//
// Source: progressive filling with a bound per flow: Bertsekas, Gallager, "Data Networks", 1992,
// section 6.5.2, where the bound is a link of its own for each flow. That penalties may be put
// together with it so is contend's own assumption, not measured.
// Idea: a model of penalties sees hosts alone, and gives each flow bandwidth / penalty. That is the
// most the flow gets: on the links between switches, which the routes name, the flows share by
// max-min fairness below these bounds. A route without links is bound by its penalty alone.
// Cost per event: by classes, flows with the same penalty and the same route: those that get
// another bound or other flows, and the links that find their levels anew; see bounded_shares.hpp.
// A class has a lane of its own. Where CONTEND_CHECK_RATES is on all links are filled after every
// event, and the rates compared.
// Restrictions: links of the hosts stay with the penalties, which may give out more than they have;
// what a flow loses between switches is not given to the others at its hosts.
#pragma once

#include <memory>

#include "contend/sharing.hpp"

namespace contend {

// The state of a model: its own, or, for penalties with routes, that between switches. The setting
// and the lanes outlive it.
std::unique_ptr<Sharing> make_sharing(const Setting& setting, const SharingModel& model,
                                      Lanes& lanes);

}  // namespace contend
