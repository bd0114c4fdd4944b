// The carrier whose messages share the network by a sharing model; see carrier.hpp.
//
// Idea: models are told of every start and end in an instant and asked once, as by the engine.
// They are made for flows whose ends they know beforehand: see flow_numbers.hpp.
#include <algorithm>
#include <utility>

#include "contend/error.hpp"
#include "rates/between_switches.hpp"
#include "rates/lanes.hpp"
#include "replay/carrier.hpp"

namespace contend {
namespace {

class Shared : public Carrier {
 public:
  Shared(const SizeTimes& sizes, const ReplayNetwork& network, FlowNumbers flows, Traffic& traffic,
         Path& path)
      : sizes_(sizes),
        traffic_(traffic),
        path_(path),
        has_ports_(network.pairs.empty() || !sharing_model(network.model).has_routes),
        flows_(std::move(flows)),
        src_(flows_.src()),
        dst_(flows_.dst()),
        message_of_(src_.size(), none),
        unread_(src_.size()),
        lanes_(src_.size()) {
    find_routes(network);
    setting_ = {.flows = {.hosts = network.hosts,
                          .start = unread_,
                          .src = src_,
                          .dst = dst_,
                          .bytes = unread_,
                          .latency = {}},
                .network = {.bandwidth = 1.0,
                            .capacity = network.capacity,
                            .offsets = offsets_,
                            .links = links_},
                .parameters = network.parameters,
                .penalties = {}};
    sharing_ = make_sharing(setting_, sharing_model(network.model), lanes_);
  }

  double start(std::int32_t, double ready, double) override { return ready; }
  double enter(Message& message, std::int32_t number, double now) override {
    const double work = sizes_.work[message.size];
    if (work <= 0.0) return now + work;
    message.flow = flows_.of(message);
    message_of_[message.flow] = number;
    advance(now);
    lanes_.enter(message.flow, work);
    sharing_->start(message.flow);
    if (traffic_.is_on()) traffic_.start(message.flow, now, work, way(message.flow));
    if (path_.is_on()) path_.start(message, now, way(message.flow));
    now_ = now;
    has_changed_ = true;
    return unknown;
  }
  double next(double) override { return lanes_.next_end(); }
  void take_ended(double now, double until, std::vector<std::int32_t>& messages) override {
    if (traffic_.is_on()) traffic_.pass(now, lanes_);
    if (lanes_.next_end() > until) return;
    advance(now);
    lanes_.take_ended(until, messages);
    now_ = now;
    for (std::int32_t& ended : messages) {
      sharing_->end(ended);
      path_.end(ended, now);
      if (traffic_.is_on()) traffic_.end(ended, now);
      ended = message_of_[ended];
    }
    has_changed_ = true;
  }
  void settle() override {
    if (!has_changed_) return;
    sharing_->share();
    lanes_.settle();
    path_.share(now_, lanes_);
    has_changed_ = false;
  }

 private:
  // All that happens in an instant happens at its begin.
  void advance(double now) {
    if (!has_changed_) lanes_.advance(now);
  }

  void find_routes(const ReplayNetwork& network) {
    if (network.pairs.empty()) return;
    offsets_.reserve(src_.size() + 1);
    offsets_.push_back(0);
    for (std::size_t f = 0; f < src_.size(); ++f) {
      const auto pair = static_cast<std::int64_t>(src_[f]) * network.hosts + dst_[f];
      const auto found = std::lower_bound(network.pairs.begin(), network.pairs.end(), pair);
      if (found == network.pairs.end() || *found != pair) {
        throw Error("no route from host " + std::to_string(src_[f]) + " to host " +
                    std::to_string(dst_[f]) + "; give one for each pair that exchanges messages");
      }
      const auto place = found - network.pairs.begin();
      links_.insert(links_.end(), network.pair_links.begin() + network.pair_offsets[place],
                    network.pair_links.begin() + network.pair_offsets[place + 1]);
      offsets_.push_back(static_cast<std::int64_t>(links_.size()));
    }
  }

  // The links of a flow as the traffic numbers them.
  std::span<const std::int32_t> way(std::int32_t flow) {
    way_.clear();
    if (has_ports_) way_ = {traffic_.port_out(src_[flow]), traffic_.port_in(dst_[flow])};
    if (!offsets_.empty()) {
      for (auto i = offsets_[flow]; i < offsets_[flow + 1]; ++i) {
        way_.push_back(traffic_.link(links_[i]));
      }
    }
    return way_;
  }

  SizeTimes sizes_;
  Traffic& traffic_;
  Path& path_;
  double now_ = 0.0;  // the last start or end
  bool has_ports_;    // of hosts, in addition to what routes name
  std::vector<std::int32_t> way_;
  FlowNumbers flows_;
  std::span<const std::int32_t> src_, dst_;  // (n_flows,) hosts
  std::vector<std::int32_t> message_of_;     // (n_flows,) that is under way, or was last
  std::vector<double> unread_;               // (n_flows,) models ask for its length alone
  std::vector<std::int64_t> offsets_;        // of routes, or empty
  std::vector<std::int32_t> links_;
  Setting setting_;
  Lanes lanes_;
  std::unique_ptr<Sharing> sharing_;
  bool has_changed_ = false;
};

}  // namespace

std::unique_ptr<Carrier> make_shared(const SizeTimes& sizes, const ReplayNetwork& network,
                                     FlowNumbers flows, Traffic& traffic, Path& path) {
  return std::make_unique<Shared>(sizes, network, std::move(flows), traffic, path);
}

}  // namespace contend
