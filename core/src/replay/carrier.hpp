// Carriers: when the last byte of a message leaves the network.
//
// Idea: alone and through ports that is known when the first byte enters. Under a sharing model it
// follows from what else is under way: a message is a flow, whose work is counted in seconds of a
// host's bandwidth.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "contend/replay.hpp"
#include "replay/flow_numbers.hpp"
#include "replay/messages.hpp"
#include "replay/path.hpp"
#include "replay/traffic.hpp"

namespace contend {

class Carrier {
 public:
  virtual ~Carrier() = default;
  // When a send that is ready starts.
  virtual double start(std::int32_t src, double ready, double gap) = 0;
  // The first byte is there: when the last one leaves, or unknown for what take_ended() will name.
  virtual double enter(Message& message, std::int32_t number, double now) = 0;
  // Whether messages from one rank to another may enter before those before have left.
  virtual bool queues() const { return false; }
  // When the ports of a rank's host are free.
  virtual double can_send_from(std::int32_t /*rank*/) const { return 0.0; }
  virtual double can_receive_from(std::int32_t /*rank*/) const { return 0.0; }
  // For what is shared: the next end, or any time after `limit` if that is later; the numbers of
  // the messages that end, and rates after each instant.
  virtual double next(double /*limit*/) { return unknown; }
  virtual void take_ended(double /*now*/, double /*until*/,
                          std::vector<std::int32_t>& /*messages*/) {}
  virtual void settle() {}
};

std::unique_ptr<Carrier> make_alone(const SizeTimes& sizes);
std::unique_ptr<Carrier> make_tcp(const SizeTimes& sizes, const ReplayNetwork& network);
std::unique_ptr<Carrier> make_ports(const SizeTimes& sizes, const ReplayNetwork& network,
                                    Path& path);
std::unique_ptr<Carrier> make_shared(const SizeTimes& sizes, const ReplayNetwork& network,
                                     FlowNumbers flows, Traffic& traffic, Path& path);

}  // namespace contend
