// Transport: messages from their start to their end, in order of time.
//
// Idea: two kinds of events, entries into the network and ends within it; others can put their own
// between. Messages from one rank to another are a stream: one after the other.
// Cost: O(log messages under way) per message, and what the sharing model takes.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "contend/replay.hpp"
#include "replay/carrier.hpp"
#include "replay/flat_map.hpp"
#include "replay/messages.hpp"
#include "replay/pool.hpp"

namespace contend {

// Who hears what happens. Nothing is done within a call that could wait for `drain`.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void ended(std::int32_t message) = 0;  // `sent` and `end` are known
  // The message passes its receiver's port and processor: until when it cannot; 0 if it can.
  virtual double busy_until(std::int32_t message, double now) = 0;
  // When a rank looks at what has come to it: libraries do so within calls alone.
  virtual double looks(std::int32_t rank, double now) const = 0;
  virtual void alarm(std::int32_t what, std::int32_t number, double now,
                     std::uint64_t sequence) = 0;
  virtual void drain() = 0;  // runs whoever can go on
};

class Transport {
 public:
  Transport(const SizeTimes& sizes, const ReplayNetwork& network, std::unique_ptr<Carrier> carrier,
            Traffic& traffic);

  Pool<Message>& messages() { return messages_; }
  // When the ranks of a message that is ready then are connected: at once, but for their first one.
  double connected(const Message& message, double ready);
  // Gives a message away: its data start when the port is free, at `ready` at the earliest, and it
  // is heard of again at its end. Returns when it starts.
  double launch(std::int32_t message, double ready);
  // A message by rendezvous asks at its start; it is launched once the receive that was posted then
  // has answered. Returns when it starts, or asked where request and answer are messages.
  void ask(std::int32_t message);
  double answer(std::int32_t message, double posted);
  // When a receiver sees that a message is to come, at the earliest.
  double envelope_after(const Message& message) const {
    if (message.is_eager) return sizes_.latency[message.size];
    return asks_by_message(message) ? sizes_.latency[0] : network_.half_handshake;
  }
  // Calls listener.alarm at that time. Of alarms for one time the oldest comes first, and one that
  // is put off with its sequence stays as old as it is.
  void set_alarm(double time, std::int32_t what, std::int32_t number, std::uint64_t sequence = 0) {
    events_.push({time, sequence ? sequence : ++sequence_, number, what});
  }
  // Whether the network is as new when nothing is under way.
  bool is_memoryless() const { return !has_ports_ && !carrier_->queues() && !traffic_.is_on(); }
  // Whether nothing is under way, and nothing that is known to end goes on at `time`.
  bool is_still() const { return messages_.in_use() == 0 && events_.empty(); }
  bool is_free(double time) const { return last_end_ <= time; }
  // Until nothing is left to happen.
  void run(Listener& listener);
  // When the ports of a rank's host can send and receive.
  double can_send_from(std::int32_t rank) const { return carrier_->can_send_from(rank); }
  double can_receive_from(std::int32_t rank) const { return carrier_->can_receive_from(rank); }
  const SizeTimes& sizes() const { return sizes_; }

 private:
  static constexpr std::int32_t entry = -1;
  static constexpr std::int32_t handover = -2;

  struct Event {
    double time;
    std::uint64_t sequence;
    std::int32_t number;
    std::int32_t what;  // an entry, or at least 0: of an alarm
    bool operator>(const Event& other) const {
      return time > other.time || (time == other.time && sequence > other.sequence);
    }
  };
  // Of a pair of ranks: what is under way, and what waits behind it.
  struct Stream {
    double end = 0.0;  // unknown while a flow is under way
    std::int32_t first = none;
    std::int32_t last = none;
    bool operator==(const Stream&) const = default;
  };

  // Of two ranks: when they are connected, or unknown where they have sent nothing.
  struct Met {
    double since = unknown;
    bool operator==(const Met&) const = default;
  };

  // Small ones that are sent synchronously go with their request.
  bool asks_by_message(const Message& message) const {
    return carrier_->queues() && !sizes_.is_eager[message.size] &&
           network_.host[message.src] != network_.host[message.dst];
  }
  void say(Message::Role role, std::int32_t about, double ready);
  void hear(std::int32_t message, const Listener& listener);
  void happen(const Event& event, Listener& listener);
  void enter(std::int32_t message, double now, Listener& listener);
  void finish(std::int32_t message, double left, Listener& listener);
  void hand_over(Stream& one, double now);
  Stream& stream(const Message& message) {
    return streams_[{0, static_cast<std::uint64_t>(message.src) << 32 |
                            static_cast<std::uint32_t>(message.dst)}];
  }
  double latency(const Message& message) const;
  double first_round_trip(const Message& message) const;

  SizeTimes sizes_;
  ReplayNetwork network_;
  std::unique_ptr<Carrier> carrier_;
  Traffic& traffic_;
  bool has_ports_;
  Pool<Message> messages_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t sequence_ = 0;
  double last_end_ = 0.0;  // of what has left the network
  FlatMap<Stream> streams_;
  FlatMap<Met> met_;
  std::vector<std::int32_t> ended_;
};

}  // namespace contend
