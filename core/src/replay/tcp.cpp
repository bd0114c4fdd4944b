// The carrier whose messages are segments of TCP connections, a connection for each pair of ranks.
//
// Idea: frames queue at links with buffers that drop what does not fit, so that windows, losses and
// time-outs come of themselves. What hosts and switches take beside is told by the latency of each
// size, to which the core's Transport adds nothing.
// Restrictions: a host has two segments of a connection in its own queue at most, as Linux has.
#include <algorithm>
#include <cmath>
#include <utility>

#include "contend/error.hpp"
#include "replay/carrier.hpp"
#include "replay/connection.hpp"
#include "replay/flat_map.hpp"
#include "replay/links.hpp"

namespace contend {
namespace {

constexpr double option_of_missing = 12.0;  // bytes, of one range
constexpr std::int32_t in_host_queue = 2;

class Tcp : public Carrier {
 public:
  Tcp(const SizeTimes& sizes, const ReplayNetwork& network)
      : sizes_(sizes), network_(network), settings_(settings_of(network)), links_(links_of()) {}

  bool queues() const override { return true; }
  double start(std::int32_t, double ready, double) override { return ready; }

  double enter(const Message& message, double now) override {
    const std::int32_t number = connection_of(message);
    Connection& one = connections_[static_cast<std::size_t>(number)];
    double left = std::max(sizes_.bytes[static_cast<std::size_t>(message.size)], 1.0);
    one.rest(now);
    for (; left > settings_.segment; left -= settings_.segment) {
      one.append(settings_.segment, none);
    }
    one.append(left, message.flow);
    send(number, now);
    return unknown;
  }

  double next() const override { return links_.next(); }

  void take_ended(double, double until, std::vector<std::int32_t>& flows) override {
    while (links_.next() <= until) {
      const FrameEvent event = links_.pop();
      const std::int32_t number = event.frame.connection;
      if (event.what == FrameEvent::leaves) {
        leave(event.frame, event.time);
      } else if (event.what == FrameEvent::comes && event.frame.is_answer) {
        acknowledge(event.frame, event.time);
      } else if (event.what == FrameEvent::comes) {
        arrive(event.frame, event.time, flows);
      } else if (event.what == FrameEvent::timer) {
        if (connections_[static_cast<std::size_t>(number)].timer == event.frame.segment) {
          run_out(number, event.time);
        }
      } else {
        Connection& one = connections_[static_cast<std::size_t>(number)];
        one.waits_for_order = false;
        if (one.find_lost()) send(number, event.time);
      }
    }
  }

 private:
  static TcpSettings settings_of(const ReplayNetwork& network) {
    TcpSettings found;
    if (network.parameters.size() != 4) throw Error("TCP has four parameters; give them all");
    found.segment = network.parameters[0];
    found.headers = network.parameters[1];
    found.initial_window = network.parameters[2];
    found.minimum_timeout = network.parameters[3];
    return found;
  }

  // Capacities are of data: frames take more.
  Links links_of() const {
    const double more =
        (settings_.segment + settings_.headers + Links::on_wire) / settings_.segment;
    std::vector<double> rate(network_.capacity.begin(), network_.capacity.end());
    for (double& one : rate) one *= more;
    return {std::move(rate), {network_.buffer.begin(), network_.buffer.end()}};
  }

  Way way(std::int32_t src, std::int32_t dst) const {
    const std::int64_t pair = static_cast<std::int64_t>(src) * network_.hosts + dst;
    const auto found = std::lower_bound(network_.pairs.begin(), network_.pairs.end(), pair);
    if (found == network_.pairs.end() || *found != pair) {
      throw Error("no route from host " + std::to_string(src) + " to host " + std::to_string(dst) +
                  "; give one for each pair that exchanges messages, and for its answers");
    }
    const auto place = static_cast<std::size_t>(found - network_.pairs.begin());
    Way result;
    result.delay = network_.pair_delay[place];
    for (auto i = network_.pair_offsets[place]; i < network_.pair_offsets[place + 1]; ++i) {
      result.links.push_back(network_.pair_links[static_cast<std::size_t>(i)]);
    }
    return result;
  }

  std::int32_t connection_of(const Message& message) {
    std::int32_t& known = numbers_[{1, static_cast<std::uint64_t>(message.src) << 32 |
                                           static_cast<std::uint32_t>(message.dst)}];
    if (known != 0) return known - 1;
    const std::int32_t src = network_.host[static_cast<std::size_t>(message.src)];
    const std::int32_t dst = network_.host[static_cast<std::size_t>(message.dst)];
    there_.push_back(way(src, dst));
    back_.push_back(way(dst, src));
    double round_trip = there_.back().delay + back_.back().delay;
    for (const Way* one : {&there_.back(), &back_.back()}) {
      for (const std::int32_t link : one->links) round_trip += 90.0 / links_.rate(link);
    }
    connections_.emplace_back(round_trip, settings_);
    known = static_cast<std::int32_t>(connections_.size());
    const std::int32_t own = known - 1;
    const std::int32_t other = numbers_[{1, static_cast<std::uint64_t>(message.dst) << 32 |
                                                static_cast<std::uint32_t>(message.src)}];
    if (other != 0) {
      connections_[static_cast<std::size_t>(own)].back = other - 1;
      connections_[static_cast<std::size_t>(other - 1)].back = own;
    }
    return own;
  }

  const Way& way_of(const Frame& frame) const {
    return (frame.is_answer ? back_ : there_)[static_cast<std::size_t>(frame.connection)];
  }

  void send(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    const bool had_none = one.next == one.unacked;
    bool has_sent = false;
    while (one.at_host < in_host_queue) {
      const std::int64_t segment = one.to_send();
      if (segment < 0) break;
      transmit(number, segment, now);
      has_sent = true;
    }
    if (had_none && has_sent) set_timer(number, now);
  }

  void transmit(std::int32_t number, std::int64_t segment, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    if (segment < one.next) cut(one, segment);
    one.sent(segment, now);
    ++one.at_host;
    ++one.flying;
    const Frame frame{.connection = number,
                      .segment = segment,
                      .bytes = one.at(segment).bytes_now() + settings_.headers};
    links_.take(frame, way_of(frame), now);
  }

  // Options that tell of what is missing on the way back leave less room for data: what is sent
  // again then is cut in two.
  void cut(Connection& one, std::int64_t segment) {
    Segment& which = one.at(segment);
    const double room = settings_.segment - option_of_missing;
    if (which.rest > 0.0 || which.is_rest || which.bytes <= room || one.back == none) return;
    if (connections_[static_cast<std::size_t>(one.back)].held > 0) which.rest = which.bytes - room;
  }

  void set_timer(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    ++one.timer;
    if (one.next == one.unacked) return;
    links_.push(now + one.patience(), FrameEvent::timer,
                {.connection = number, .segment = one.timer});
  }

  void run_out(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    if (one.next == one.unacked) return;
    const bool probes = one.state == Connection::open && !one.has_probed && one.acked_ahead == 0 &&
                        one.patience() < one.timeout();
    if (probes) {
      one.has_probed = true;
      transmit(number, one.next < one.count() ? one.next : one.next - 1, now);
    } else {
      one.time_out();
      send(number, now);
    }
    set_timer(number, now);
  }

  void leave(Frame frame, double now) {
    const bool was_at_host = frame.hop == 0 && !frame.is_answer;
    const Way& one = way_of(frame);
    if (static_cast<std::size_t>(++frame.hop) == one.links.size()) {
      links_.push(now + one.delay, FrameEvent::comes, frame);
    } else if (!links_.take(frame, one, now) && !frame.is_answer) {
      --connections_[static_cast<std::size_t>(frame.connection)].flying;
    }
    if (was_at_host) {
      --connections_[static_cast<std::size_t>(frame.connection)].at_host;
      send(frame.connection, now);
    }
  }

  void arrive(const Frame& frame, double now, std::vector<std::int32_t>& flows) {
    Connection& one = connections_[static_cast<std::size_t>(frame.connection)];
    --one.flying;
    const bool is_new = frame.segment >= one.expected && one.at(frame.segment).received == unknown;
    const bool is_next = frame.segment == one.expected;
    if (is_new && one.at(frame.segment).rest > 0.0 && !one.at(frame.segment).is_rest &&
        one.at(frame.segment).is_again) {
      one.at(frame.segment).first_part = now;
    } else if (is_new) {
      one.at(frame.segment).received = now;
      one.held += !is_next;
    }
    const std::int64_t before = one.expected;
    while (one.expected < one.next && one.at(one.expected).received < unknown) {
      if (one.at(one.expected).flow != none) flows.push_back(one.at(one.expected).flow);
      ++one.expected;
      one.held -= one.expected - before > 1;
    }
    const bool fills = one.expected - before > 1;
    if (++one.unanswered < 2 && is_next && !fills && one.flying > 0) return;
    one.unanswered = 0;
    // Data that the host sends the other way anyway carry it.
    const bool is_carried =
        one.back != none && connections_[static_cast<std::size_t>(one.back)].at_host > 0;
    const Frame answer{.connection = frame.connection,
                       .segment = one.expected,
                       .seen = now,
                       .bytes = is_carried ? -Links::on_wire : settings_.headers,
                       .is_answer = true};
    links_.take(answer, way_of(answer), now);
  }

  void acknowledge(const Frame& frame, double now) {
    Connection& one = connections_[static_cast<std::size_t>(frame.connection)];
    one.acknowledge(frame.segment, frame.seen, now);
    if (one.state == Connection::open && one.acked_ahead > 0 && !one.waits_for_order) {
      one.waits_for_order = true;
      links_.push(now + one.shortest / 4, FrameEvent::reorder,
                  {.connection = frame.connection, .segment = 0});
    }
    send(frame.connection, now);
    set_timer(frame.connection, now);
  }

  SizeTimes sizes_;
  const ReplayNetwork& network_;
  TcpSettings settings_;
  Links links_;
  FlatMap<std::int32_t> numbers_;  // by ranks: the connection, from 1
  std::vector<Connection> connections_;
  std::vector<Way> there_, back_;
};

}  // namespace

std::unique_ptr<Carrier> make_tcp(const SizeTimes& sizes, const ReplayNetwork& network) {
  return std::make_unique<Tcp>(sizes, network);
}

}  // namespace contend
