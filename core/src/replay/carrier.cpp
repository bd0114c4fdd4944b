// Carriers that know the end of a message when it enters; see carrier.hpp.
#include "replay/carrier.hpp"

#include <algorithm>

namespace contend {
namespace {

class Alone : public Carrier {
 public:
  explicit Alone(const SizeTimes& sizes) : sizes_(sizes) {}
  double start(std::int32_t, double ready, double) override { return ready; }
  double enter(Message& message, std::int32_t, double now) override {
    return now + sizes_.work[message.size];
  }

 private:
  SizeTimes sizes_;
};

// Ports as in LogP (Culler et al. 1993): one message at a time each, for its gap.
class Ports : public Carrier {
 public:
  Ports(const SizeTimes& sizes, const ReplayNetwork& network, Path& path)
      : sizes_(sizes),
        path_(path),
        host_(network.host),
        sending_(static_cast<std::size_t>(network.hosts)),
        receiving_(sending_.size()) {}

  double start(std::int32_t src, double ready, double gap) override {
    double& port = sending_[host_[src]];
    const double start = std::max(ready, port);
    port = start + gap;
    path_.at = path_.later(path_.at, path_.sending(host_[src]));
    return start;
  }
  double enter(Message& message, std::int32_t, double now) override {
    double& port = receiving_[host_[message.dst]];
    const double start = std::max(now, port);
    port = start + sizes_.gap[message.size];
    using enum Path::Part;
    const std::int32_t host = host_[message.dst];
    const std::int32_t there = path_.step(message.place, latency, message, Path::Side::both);
    const std::int32_t free = path_.later(path_.busy, path_.receiving(host));
    const std::int32_t begin = path_.later(there, free);
    path_.receive_until(host, path_.step(begin, gap, message, Path::Side::in));
    path_.left = path_.step(begin, work, message, Path::Side::in);
    return start + sizes_.work[message.size];
  }
  double can_send_from(std::int32_t rank) const override { return sending_[host_[rank]]; }
  double can_receive_from(std::int32_t rank) const override { return receiving_[host_[rank]]; }

 private:
  SizeTimes sizes_;
  Path& path_;
  std::span<const std::int32_t> host_;
  std::vector<double> sending_, receiving_;  // (hosts,) when each port is free
};

}  // namespace

std::unique_ptr<Carrier> make_alone(const SizeTimes& sizes) {
  return std::make_unique<Alone>(sizes);
}

std::unique_ptr<Carrier> make_ports(const SizeTimes& sizes, const ReplayNetwork& network,
                                    Path& path) {
  return std::make_unique<Ports>(sizes, network, path);
}

}  // namespace contend
