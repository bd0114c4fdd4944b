// Sharing models: at which rate does each flow move while the set of flows in the network stays the
// same?
//
// Source: Martinasso, Mehaut, "A Contention-Aware Performance Model for HPC-Based Networks",
// Euro-Par 2011, section 3: a dynamic contention graph has a vertex per host and an edge per flow;
// every start or end of a flow begins a new step, and within a step all rates are constant.
//
// Idea: flows that always move at one rate share a lane (lanes.hpp). A model puts each new flow
// into a lane and sets the rates of the lanes that a change affects; a change of one rate then
// costs the same for one flow as for thousands. One file per model in core/src/sharing, one line in
// models.def.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace contend {

// A view of the flows, one entry of each array per flow. Parallel flows are separate.
struct Flows {
  std::int32_t hosts;                 // number of hosts, at least 1
  std::span<const double> start;      // (n_flows,), seconds, finite
  std::span<const std::int32_t> src;  // (n_flows,), in 0 .. hosts - 1
  std::span<const std::int32_t> dst;  // (n_flows,), in 0 .. hosts - 1, never equal to src
  std::span<const double> bytes;      // (n_flows,), finite, at least 0
  std::span<const double> latency;    // (n_flows,) seconds before a flow's first byte, or empty: 0
  // Flow f starts once flows required[required_offsets[f]] .. required[required_offsets[f + 1] - 1]
  // have ended, and never before start[f]. Both empty: no flow waits for another.
  std::span<const std::int64_t> required_offsets{};  // (n_flows + 1,)
  std::span<const std::int32_t> required{};          // in 0 .. n_flows - 1
  // Likewise: its first byte goes behind the last ones of these flows, as in a stream.
  std::span<const std::int64_t> behind_offsets{};  // (n_flows + 1,)
  std::span<const std::int32_t> behind{};
};

// What carries the flows. Without routes it is one switch: host h sends through link h and receives
// through link hosts + h. Flow f passes links[offsets[f]] .. links[offsets[f + 1] - 1] otherwise.
// For a model of penalties these are the links beyond those of the hosts, perhaps none; see
// between_switches.hpp.
struct Network {
  double bandwidth;                       // bytes per second of a flow that is alone
  std::span<const double> capacity;       // (n_links,), or empty: `bandwidth` for each link
  std::span<const std::int64_t> offsets;  // (n_flows + 1,), or empty: one switch
  std::span<const std::int32_t> links;    // (offsets[n_flows],)
};

class Lanes;

// The state of one model while the engine runs. It is made with the lanes that it fills. The engine
// reports every start and end of an instant and then asks once. A flow that has ended may start
// again, in the same instant too.
class Sharing {
 public:
  virtual ~Sharing() = default;
  virtual void start(std::int32_t flow) = 0;
  virtual void end(std::int32_t flow) = 0;
  // Puts each flow that started into a lane and sets every rate that changed.
  virtual void share() = 0;
  // A flow starts or ends soon, or very soon: what it needs may be fetched. It need not come.
  virtual void expect(std::int32_t /*flow*/, bool /*is_next*/) {}
};

// Writes a penalty of at least 1 for each flow that is in the network, given in order of number.
using Penalties = std::function<void(std::span<const std::int32_t> flows, std::span<double>)>;

// What a model is made from; the views outlive it.
struct Setting {
  Flows flows;
  Network network;
  std::span<const double> parameters;  // in the order of SharingModel::parameters
  Penalties penalties;                 // for the model `measured` only
};

struct Parameter {
  std::string name;
  double initial;
  double least = 0.0;  // not included if it is 0
  double most = std::numeric_limits<double>::infinity();
};

struct SharingModel {
  std::string name;
  std::vector<Parameter> parameters;
  bool has_routes;      // follows routes over links; else penalties from the ends of each flow
  bool keeps_capacity;  // never gives out more than a link has
  std::function<std::unique_ptr<Sharing>(const Setting&, Lanes&)> make;
};

// All models, in the order of models.def.
const std::vector<SharingModel>& sharing_models();

// Throws Error, naming those there are, if none has this name.
const SharingModel& sharing_model(const std::string& name);

}  // namespace contend
