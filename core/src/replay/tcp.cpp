// The carrier whose messages are segments of TCP connections, a connection for each pair of ranks.
//
// Idea: frames queue at links with buffers that drop what does not fit, so that windows, losses and
// time-outs come of themselves. What hosts and switches take beside is told by the latency of each
// size, to which the core's Transport adds nothing.
// Source: a host queues what a connection paces for a millisecond, two segments at least, as Linux
// does (tcp_small_queue_check).
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "contend/error.hpp"
#include "replay/carrier.hpp"
#include "replay/connection.hpp"
#include "replay/flat_map.hpp"
#include "replay/links.hpp"

namespace contend {
namespace {

constexpr double option_of_missing = 12.0;  // bytes, of one range

class Tcp : public Carrier {
 public:
  Tcp(const SizeTimes& sizes, const ReplayNetwork& network)
      : sizes_(sizes),
        network_(network),
        settings_(settings_of(network)),
        links_(network,
               (settings_.segment + settings_.headers + Links::on_wire) / settings_.segment,
               settings_.segment + settings_.headers) {}

  bool queues() const override { return true; }
  double start(std::int32_t, double ready, double) override { return ready; }

  double enter(Message& message, std::int32_t sent, double now) override {
    const std::int32_t number = connection_of(message);
    Connection& one = connections_[static_cast<std::size_t>(number)];
    const double bytes = std::max(sizes_.bytes[static_cast<std::size_t>(message.size)], 1.0);
    const double full = std::ceil(bytes / settings_.segment) - 1.0;
    if (one.is_plain) hear(number, now);
    one.rest(now);
    one.pace();
    one.append(static_cast<std::int64_t>(full), bytes - full * settings_.segment, sent);
    send(number, now);
    return unknown;
  }

  double next(double limit) override {
    while (ended_.empty() && links_.next() <= limit && links_.next() < unknown) {
      reached_ = links_.next();
      step(ended_);
    }
    return ended_.empty() ? links_.next() : reached_;
  }

  void take_ended(double, double until, std::vector<std::int32_t>& messages) override {
    messages.swap(ended_);
    while (links_.next() <= until) step(messages);
  }

 private:
  // What happens beside frames.
  struct Alarm {
    enum What : std::int8_t { timer, order, answer, arrival };
    double time;
    std::uint64_t sequence;
    std::int32_t connection;
    What what;
    std::int64_t segment = 0;  // of an arrival
    bool operator>(const Alarm& other) const {
      return time > other.time || (time == other.time && sequence > other.sequence);
    }
  };

  static TcpSettings settings_of(const ReplayNetwork& network) {
    TcpSettings found;
    if (network.parameters.size() != 5) throw Error("TCP has five parameters; give them all");
    found.segment = network.parameters[0];
    found.headers = network.parameters[1];
    found.initial_window = network.parameters[2];
    found.minimum_timeout = network.parameters[3];
    found.queue_time = network.parameters[4];
    return found;
  }

  const Way& way(std::int32_t src, std::int32_t dst) const {
    const std::int64_t pair = static_cast<std::int64_t>(src) * network_.hosts + dst;
    const auto found = std::lower_bound(network_.pairs.begin(), network_.pairs.end(), pair);
    if (found == network_.pairs.end() || *found != pair) {
      throw Error("no route from host " + std::to_string(src) + " to host " + std::to_string(dst) +
                  "; give one for each pair that exchanges messages, and for its answers");
    }
    return links_.way(static_cast<std::size_t>(found - network_.pairs.begin()));
  }

  std::int32_t connection_of(const Message& message) {
    std::int32_t& known = numbers_[{1, static_cast<std::uint64_t>(message.src) << 32 |
                                           static_cast<std::uint32_t>(message.dst)}];
    if (known != 0) return known - 1;
    const std::int32_t src = network_.host[static_cast<std::size_t>(message.src)];
    const std::int32_t dst = network_.host[static_cast<std::size_t>(message.dst)];
    const Way &there = way(src, dst), &back = way(dst, src);
    double round_trip = there.delay + back.delay;
    for (const Way* one : {&there, &back}) {
      for (const std::int32_t link : one->links) round_trip += 90.0 / links_.rate(link);
    }
    Connection& made = connections_.emplace_back(round_trip, settings_);
    made.there = there;
    made.back_way = back;
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

  // One frame leaves a link or comes to a host, or one alarm goes.
  void step(std::vector<std::int32_t>& messages) {
    const std::size_t queue = links_.first();
    if (queue == links_.others()) {
      const Alarm alarm = alarms_.top();
      alarms_.pop();
      show_alarms();
      happen(alarm, messages);
      return;
    }
    const Frame frame = links_.front(queue);
    if (links_.is_arrival(queue)) {
      arrive(frame.connection, frame.segment, frame.time, messages);
    } else {
      leave(frame);
    }
    links_.pop(queue);
  }

  void happen(const Alarm& alarm, std::vector<std::int32_t>& messages) {
    Connection& one = connections_[static_cast<std::size_t>(alarm.connection)];
    if (alarm.what == Alarm::timer) {
      if (alarm.time == one.timer_alarm) look_at_timer(alarm.connection, alarm.time);
    } else if (alarm.what == Alarm::answer) {
      one.has_answer_alarm = false;
      hear(alarm.connection, alarm.time);
      watch(alarm.connection);
    } else if (alarm.what == Alarm::arrival) {
      arrive(alarm.connection, alarm.segment, alarm.time, messages);
    } else {
      one.waits_for_order = false;
      if (one.find_lost()) send(alarm.connection, alarm.time);
    }
  }

  void set_alarm(double time, Alarm::What what, std::int32_t connection) {
    set_alarm({time, links_.sequence(), connection, what});
  }
  void set_alarm(const Alarm& alarm) {
    alarms_.push(alarm);
    show_alarms();
  }
  void show_alarms() {
    if (alarms_.empty()) {
      links_.set_others(unknown, 0);
    } else {
      links_.set_others(alarms_.top().time, alarms_.top().sequence);
    }
  }

  void send(std::int32_t number, double now) {
    send_more(number, now);
    watch(number);
  }

  void send_more(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    const bool had_none = one.next == one.unacked;
    bool has_sent = false;
    while (one.at_host < one.most_at_host) {
      const std::int64_t segment = one.to_send();
      if (segment < 0) break;
      transmit(number, segment, now);
      has_sent = true;
    }
    if (had_none && has_sent) set_timer(number, now);
  }

  // Answers are looked at when they matter: at once where the window is full or something is
  // missing, else with the next segment, message or alarm.
  void watch(std::int32_t number) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    one.is_watched = !one.is_plain || (one.next < one.end && one.at_host < one.most_at_host);
    if (one.is_watched && !one.has_answer_alarm && !one.answers.empty()) {
      one.has_answer_alarm = true;
      set_alarm({one.answers.front().time, one.answers.front().sequence, number, Alarm::answer});
    }
  }

  // Answers that came before what happens now; and all that come just then.
  void hear_before(std::int32_t number, double now, std::uint64_t sequence) {
    const Ring<Answer>& answers = connections_[static_cast<std::size_t>(number)].answers;
    while (!answers.empty() && answers.front().is_before(now, sequence)) hear_next(number);
  }
  void hear(std::int32_t number, double now) {
    hear_before(number, now, ~std::uint64_t{0});
    Connection& one = connections_[static_cast<std::size_t>(number)];
    one.is_plain = one.is_plain || one.is_at_rest();
  }

  void hear_next(std::int32_t number) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    const Answer answer = one.answers.front();
    one.answers.pop();
    one.acknowledge(answer);
    if (one.state == Connection::open && one.acked_ahead > 0 && !one.waits_for_order) {
      one.waits_for_order = true;
      set_alarm(answer.time + one.round_trip.shortest / 4, Alarm::order, number);
    }
    if (one.is_watched) send_more(number, answer.time);
    set_timer(number, answer.time);
  }

  void leave_plain(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    if (!one.is_plain) return;
    hear(number, now);
    one.is_plain = false;
    look_at_passed(one, number, now);
    watch(number);
  }

  // From now on somebody looks at every segment that comes. Those under way come before all that
  // left the last link just behind them, as answers do that data carry: in no time of their own.
  void look_at_passed(Connection& one, std::int32_t number, double now) {
    for (std::int64_t segment = one.expected; segment <= one.passed; ++segment) {
      const double comes = one.at(segment).received;
      if (comes == unknown) continue;
      if (comes <= now) {
        --one.flying;
        ++one.unanswered;
        ++one.expected;
      } else {
        one.at(segment).received = unknown;
        alarms_.push({comes, one.there.order(), number, Alarm::arrival, segment});
      }
    }
    show_alarms();
    one.passed = one.answering_all = -2;
  }

  void transmit(std::int32_t number, std::int64_t segment, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    if (segment < one.next) cut(one, segment);
    const double bytes = one.sent(segment, now).bytes_now() + settings_.headers;
    ++one.at_host;
    ++one.flying;
    Frame frame{.segment = segment, .bytes = static_cast<float>(bytes), .connection = number};
    links_.take(frame, one.there, now);
    if (one.back == none) return;
    Connection& other = connections_[static_cast<std::size_t>(one.back)];
    if (other.passed >= other.expected) look_at_passed(other, one.back, now);
    if (other.unanswered > 0) answer(one.back, now, -Links::on_wire);
  }

  // All that came is answered: by a frame of `bytes`, or along with data, which leaves none.
  void answer(std::int32_t number, double now, double bytes) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    one.unanswered = 0;
    Frame frame{.segment = one.expected,
                .seen = now,
                .bytes = static_cast<float>(bytes),
                .connection = number,
                .is_answer = true};
    ++one.answering;
    links_.take(frame, one.back_way, now);
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
    one.deadline = one.next == one.unacked ? unknown : now + one.patience();
    if (one.deadline < one.timer_alarm) set_timer_alarm(number, one.deadline);
  }

  void set_timer_alarm(std::int32_t number, double time) {
    connections_[static_cast<std::size_t>(number)].timer_alarm = time;
    set_alarm(time, Alarm::timer, number);
  }

  // The alarm may be older than the answers that came meanwhile.
  void look_at_timer(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    if (one.is_plain) hear(number, now);
    one.timer_alarm = unknown;
    if (one.deadline <= now) {
      run_out(number, now);
    } else if (one.deadline < unknown) {
      set_timer_alarm(number, one.deadline);
    }
  }

  void run_out(std::int32_t number, double now) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    if (one.next == one.unacked) return;
    const bool probes = one.state == Connection::open && !one.has_probed && one.acked_ahead == 0 &&
                        one.patience() < one.timeout();
    if (!probes || one.next == one.end) leave_plain(number, now);
    if (probes) {
      one.has_probed = true;
      transmit(number, one.next < one.end ? one.next : one.next - 1, now);
    } else {
      one.time_out();
      send(number, now);
    }
    set_timer(number, now);
  }

  void leave(Frame frame) {
    const std::int32_t number = frame.connection;
    Connection& one = connections_[static_cast<std::size_t>(number)];
    const Way& way = frame.is_answer ? one.back_way : one.there;
    const bool was_at_host = frame.hop == 0 && !frame.is_answer;
    const double now = frame.time;
    const std::uint64_t sequence = frame.sequence;
    if (Links::is_last(frame, way)) {  // the first of its way, too
      frame.time += way.delay;
      come(frame, way);
    } else if (++frame.hop; !links_.take(frame, way, now)) {
      drop(frame);
    } else if (Links::is_last(frame, way)) {
      come(frame, way);
    }
    if (was_at_host) {
      --one.at_host;
      if (one.is_plain) hear_before(number, now, sequence);
      one.pace();
      send(number, now);
    }
  }

  void drop(const Frame& frame) {
    Connection& one = connections_[static_cast<std::size_t>(frame.connection)];
    if (frame.is_answer) {
      --one.answering;
    } else {
      --one.flying;
      leave_plain(frame.connection, frame.time);
    }
  }

  // The frame has passed the last link of its way.
  void come(Frame& frame, const Way& way) {
    if (frame.is_answer) {
      come_back(frame);
    } else if (Connection& one = connections_[static_cast<std::size_t>(frame.connection)];
               answers_go_along(one) || !one.passes(frame.segment, frame.time)) {
      links_.come(frame, way);
    }
  }

  // Whether data of the other direction may carry answers, whichever segment comes before them.
  bool answers_go_along(const Connection& one) const {
    if (one.back == none) return false;
    const Connection& back = connections_[static_cast<std::size_t>(one.back)];
    return back.next < back.end;
  }

  void come_back(const Frame& frame) {
    Connection& one = connections_[static_cast<std::size_t>(frame.connection)];
    --one.answering;
    const double deadline = one.answer({.time = frame.time,
                                        .seen = frame.seen,
                                        .cumulative = frame.segment,
                                        .sequence = one.back_way.order() | links_.sequence()});
    if (deadline < one.timer_alarm && !one.is_watched) set_timer_alarm(frame.connection, deadline);
    if (one.is_watched) watch(frame.connection);
  }

  void arrive(std::int32_t number, std::int64_t segment, double now,
              std::vector<std::int32_t>& messages) {
    Connection& one = connections_[static_cast<std::size_t>(number)];
    const std::int64_t before = one.expected;
    bool is_next = true, fills = false;
    if (one.is_plain) {
      one.at(segment).received = now;
      one.expected = segment + 1;
      one.flying -= static_cast<std::int32_t>(one.expected - before);
      one.unanswered += static_cast<std::int32_t>(one.expected - before);
      if (one.at(segment).message != none) messages.push_back(one.at(segment).message);
    } else {
      --one.flying;
      ++one.unanswered;
      is_next = segment == before;
      if (one.receive(segment, now)) one.held += !is_next;
      while (one.expected < one.next && one.at(one.expected).received < unknown) {
        if (one.at(one.expected).message != none) messages.push_back(one.at(one.expected).message);
        ++one.expected;
        one.held -= one.expected - before > 1;
      }
      fills = one.expected - before > 1;
    }
    if (one.unanswered < 2 && is_next && !fills && one.flying > 0) return;
    answer(number, now, settings_.headers);
  }

  SizeTimes sizes_;
  const ReplayNetwork& network_;
  TcpSettings settings_;
  Links links_;
  FlatMap<std::int32_t> numbers_;  // by ranks: the connection, from 1
  std::vector<Connection> connections_;
  std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> alarms_;
  std::vector<std::int32_t> ended_;  // messages, at `reached_`
  double reached_ = 0.0;
};

}  // namespace

std::unique_ptr<Carrier> make_tcp(const SizeTimes& sizes, const ReplayNetwork& network) {
  return std::make_unique<Tcp>(sizes, network);
}

}  // namespace contend
