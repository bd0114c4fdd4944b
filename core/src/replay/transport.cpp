// Transport: messages from their start to their end; see transport.hpp.
#include "replay/transport.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "contend/engine.hpp"

namespace contend {

namespace {

// Seconds that a way and the way back add.
double there_and_back(const ReplayNetwork& network, const Message& message,
                      std::span<const double> added) {
  const std::int64_t src = network.host[message.src], dst = network.host[message.dst];
  double sum = 0.0;
  for (const std::int64_t pair : {src * network.hosts + dst, dst * network.hosts + src}) {
    const auto found = std::ranges::lower_bound(network.pairs, pair);
    if (found == network.pairs.end() || *found != pair) continue;
    sum += added[static_cast<std::size_t>(found - network.pairs.begin())];
  }
  return sum;
}

}  // namespace

Transport::Transport(const SizeTimes& sizes, const ReplayNetwork& network,
                     std::unique_ptr<Carrier> carrier, Traffic& traffic)
    : sizes_(sizes),
      network_(network),
      carrier_(std::move(carrier)),
      traffic_(traffic),
      has_ports_(network.carriage == Carriage::ports) {}

double Transport::latency(const Message& message) const {
  const double own = sizes_.latency[message.size];
  if (network_.pair_latency.empty()) return own;
  const std::int64_t src = network_.host[message.src];
  const std::int64_t pair = src * network_.hosts + network_.host[message.dst];
  const auto found = std::lower_bound(network_.pairs.begin(), network_.pairs.end(), pair);
  if (found == network_.pairs.end() || *found != pair) return own;
  return own + network_.pair_latency[static_cast<std::size_t>(found - network_.pairs.begin())];
}

// Of an empty message, whose size is the first.
double Transport::first_round_trip(const Message& message) const {
  double delay = 0.0;
  for (const auto& added : {network_.pair_latency, network_.pair_delay}) {
    if (!added.empty()) delay += there_and_back(network_, message, added);
  }
  return 2 * (sizes_.latency[0] + sizes_.work[0]) + delay;
}

double Transport::connected(const Message& message, double ready) {
  if (network_.first_trips == 0.0) return ready;
  if (network_.host[message.src] == network_.host[message.dst]) return ready;
  const auto [low, high] = std::minmax(message.src, message.dst);
  const auto pair = static_cast<std::int64_t>(low) * std::ssize(network_.host) + high;
  if (std::ranges::binary_search(network_.connected, pair)) return ready;
  double& since =
      met_[{0, static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high)}].since;
  // A rank that runs ahead sends before what another one has sent earlier.
  since = std::min(since, ready + network_.first_trips * first_round_trip(message));
  return std::max(ready, since);
}

double Transport::launch(std::int32_t number, double ready) {
  Message& message = messages_[number];
  message.has_started = true;
  const bool is_local = network_.host[message.src] == network_.host[message.dst];
  const double gap = sizes_.gap[message.size];
  const double start = is_local ? ready : carrier_->start(message.src, ready, gap);
  if (has_ports_) message.sent = start + gap;
  if (traffic_.is_on()) traffic_.lose(traffic_.port_out(network_.host[message.src]), start - ready);
  // What serves one message at a time does so in the order in which they come.
  const double way = has_ports_ ? latency(message) : 0.0;
  const double from = connected(message, start);
  events_.push({from + way, ++sequence_, number, entry});
  return start;
}

void Transport::ask(std::int32_t number) {
  if (asks_by_message(messages_[number])) say(Message::request, number, messages_[number].start);
}

double Transport::answer(std::int32_t number, double posted) {
  Message& message = messages_[number];
  const double asked = message.start;
  if (!asks_by_message(message)) {
    const double half = network_.half_handshake;
    return launch(number, std::max(posted, asked + half) + half);
  }
  message.has_started = true;
  message.posted = posted;
  if (const double came = message.asked_for; came < unknown) {
    say(Message::answer, number, std::max(posted, came));
  }
  return asked;
}

// A request or an answer, of the size of an empty message.
void Transport::say(Message::Role role, std::int32_t about, double ready) {
  const std::int32_t number = messages_.take();
  Message& message = messages_[number];
  const Message& other = messages_[about];
  message.role = role;
  message.about = about;
  message.start = ready;
  message.src = role == Message::request ? other.src : other.dst;
  message.dst = role == Message::request ? other.dst : other.src;
  launch(number, ready);
}

void Transport::hear(std::int32_t number, const Listener& listener) {
  const Message message = messages_[number];
  messages_.give_back(number);
  const double seen = listener.looks(message.dst, message.end);
  if (message.role == Message::answer) {
    launch(message.about, seen);
    return;
  }
  Message& other = messages_[message.about];
  other.asked_for = seen;
  if (other.posted < unknown) say(Message::answer, message.about, std::max(other.posted, seen));
}

void Transport::run(Listener& listener) {
  listener.drain();
  while (true) {
    const double next = events_.empty() ? unknown : events_.top().time;
    const double now = std::min(next, carrier_->next(next));
    if (now == unknown) return;
    const double until = now + tie_tolerance * now;
    ended_.clear();
    carrier_->take_ended(now, until, ended_);
    for (const std::int32_t number : ended_) {
      if (!carrier_->queues()) hand_over(stream(messages_[number]), now);
      finish(number, now, listener);
    }
    listener.drain();
    while (!events_.empty() && events_.top().time <= until) {
      const Event event = events_.top();
      events_.pop();
      happen(event, listener);
      listener.drain();
    }
    carrier_->settle();
  }
}

void Transport::happen(const Event& event, Listener& listener) {
  if (event.what >= 0) {
    listener.alarm(event.what, event.number, event.time, event.sequence);
    return;
  }
  if (has_ports_) {
    if (const double busy = listener.busy_until(event.number, event.time); busy > event.time) {
      events_.push({busy, event.sequence, event.number, entry});
    } else {
      enter(event.number, event.time, listener);
    }
    return;
  }
  if (carrier_->queues()) {
    enter(event.number, event.time, listener);
    return;
  }
  const Message message = messages_[event.number];  // others may take its place when it ends
  Stream& one = stream(message);
  if (event.what == handover || one.end < unknown) {
    const double free = event.what == handover ? event.time : one.end;
    enter(event.number, std::max(event.time, free), listener);
    // A message without bytes is no flow whose end lets the next one enter.
    Stream& after = stream(message);  // streams that are new move the others
    if (after.first != none && after.end < unknown) {
      hand_over(after, std::max(event.time, after.end));
      after.end = unknown;
    }
    return;
  }
  messages_[event.number].behind = none;
  (one.last == none ? one.first : messages_[one.last].behind) = event.number;
  one.last = event.number;
}

void Transport::enter(std::int32_t number, double now, Listener& listener) {
  Message& message = messages_[number];
  const bool is_local = network_.host[message.src] == network_.host[message.dst];
  const double left =
      is_local ? now + sizes_.work[message.size] : carrier_->enter(message, number, now);
  if (!has_ports_ && !carrier_->queues()) stream(message).end = left;
  if (traffic_.is_on()) {
    traffic_.entered(number, now);
    if (left < unknown && !is_local) {
      const double work = sizes_.work[message.size];
      const std::int32_t src = network_.host[message.src], dst = network_.host[message.dst];
      traffic_.carry(src, dst, left - work, left);
      traffic_.lose(traffic_.port_in(dst), left - work - now);
    }
  }
  if (left < unknown) finish(number, left, listener);
}

void Transport::finish(std::int32_t number, double left, Listener& listener) {
  Message& message = messages_[number];
  last_end_ = std::max(last_end_, left);
  message.end = left + sizes_.tail[message.size];
  if (!has_ports_) {
    message.sent = left;
    message.end += latency(message);
  }
  if (traffic_.is_on()) traffic_.ended(number, message);
  if (message.role == Message::data) {
    listener.ended(number);
  } else {
    hear(number, listener);
  }
}

// Lets the next message of the stream enter; until it does the stream is as busy as before.
void Transport::hand_over(Stream& one, double now) {
  const std::int32_t next = one.first;
  if (next == none) {
    one = Stream();  // nothing enters before now
    return;
  }
  one.first = messages_[next].behind;
  if (one.first == none) one.last = none;
  events_.push({now, ++sequence_, next, handover});
}

}  // namespace contend
