// What a sender of TCP does; see connection.hpp.
#include "replay/connection.hpp"

#include <algorithm>
#include <cmath>

namespace contend {

void Connection::rest(double now) {
  if (next > unacked) return;
  for (double idle = now - last_sent; idle > timeout() && window > initial; idle -= timeout()) {
    threshold = std::max(threshold, 0.75 * window);
    window = std::max(window / 2, initial);
  }
}

void Connection::pace() {
  constexpr double memory = 2408.0 / 1448.0;  // of a frame in the host, for each byte of data
  const double out = std::max(window, static_cast<double>(next - unacked));
  const double rate = (window < threshold / 2 ? 2.0 : 1.2) * out / round_trip.mean;
  const double most = std::clamp(std::ceil(rate * queue_time / memory), 2.0, 1e6);
  most_at_host = static_cast<std::int32_t>(most);
}

std::int64_t Connection::to_send() {
  if (is_bound()) return -1;
  if (lost > again) {
    for (std::int64_t one = unacked; one < next; ++one) {
      if (at(one).is_lost && !at(one).is_again) return one;
    }
  }
  return next < end ? next : -1;
}

Segment& Connection::sent(std::int64_t number, double now) {
  last_sent = now;
  let_go += 1.0;
  if (number == next) {
    const Waiting& first = waiting.front();
    const bool is_last = ++next == first.end;
    segments.push({.bytes = is_last ? first.last : full,
                   .sent = now,
                   .sent_first = now,
                   .message = is_last ? first.message : none});
    if (is_last) waiting.pop();
    return segments.back();
  }
  Segment& one = at(number);
  again += !one.is_again;
  one.is_again = one.was_again = true;
  if (!one.is_lost) {  // a probe
    one.is_lost = true;
    ++lost;
  }
  one.sent = now;
  return one;
}

void Connection::mark_lost(Segment& one) {
  lost += !one.is_lost;
  again -= one.is_again;
  one.is_lost = true;
  one.is_again = false;
}

bool Connection::is_before_latest(std::int64_t number) {
  const double when = at(number).sent;
  return when < latest || (when == latest && number < latest_number);
}

bool Connection::find_lost() {
  bool has_some = false;
  for (std::int64_t number = unacked; number < next; ++number) {
    Segment& one = at(number);
    if (one.is_acked || !is_before_latest(number) || (one.is_lost && !one.is_again)) continue;
    mark_lost(one);
    has_some = true;
  }
  if (has_some && state == open) {
    before = window;
    threshold = std::max(std::floor(window / 2), 2.0);
    reduced = let_go = 0.0;
    high = next;
    state = recovery;
    window = under_way() + 1;  // the first is sent again at once
  }
  return has_some;
}

bool Connection::receive(std::int64_t number, double now) {
  if (number < expected || at(number).received < unknown) return false;
  Segment& one = at(number);
  const bool is_part = one.rest > 0.0 && !one.is_rest && one.is_again;
  (is_part ? one.first_part : one.received) = now;
  return !is_part;
}

// The first of two is not answered while the second is under way; of a message the last one is what
// its receiver waits for.
bool Connection::passes(std::int64_t number, double time) {
  if (!is_plain) return false;
  if (passed == number - 1) {
    answering_all = number;
    return false;
  }
  const bool is_first = answering_all == number - 1 || (expected == number && unanswered == 0);
  if (!is_first || next <= number + 1 || at(number).message != none) return false;
  passed = number;
  at(number).received = time;
  return true;
}

double Connection::answer(Answer one) {
  one.round_trip = answers.empty() ? round_trip : answers.back().round_trip;
  if (is_plain) one.round_trip.sample(one.time - at(one.cumulative - 1).sent);
  answers.push(one);
  return is_plain ? one.time + probe_after(one.round_trip, timeout_of(one.round_trip)) : unknown;
}

// All in order, and nothing sent again: there is no segment to look at but the newest.
void Connection::take_plain(const Answer& answer) {
  const auto out = static_cast<double>(next - unacked);
  const auto delivered = static_cast<double>(answer.cumulative - unacked);
  latest_number = answer.cumulative - 1;
  latest = at(latest_number).sent;
  round_trip = answer.round_trip;
  unacked = answer.cumulative;
  backoff = 1.0;
  has_probed = false;
  for (; first_kept < unacked; ++first_kept) segments.pop();
  grow(delivered, out);
}

void Connection::acknowledge(const Answer& answer) {
  if (is_plain) {
    take_plain(answer);
    return;
  }
  const double now = answer.time, seen = answer.seen;
  const std::int64_t cumulative = answer.cumulative;
  const auto out = static_cast<double>(next - unacked);
  double delivered = 0.0, newest = -1.0;
  for (std::int64_t number = unacked; number < next; ++number) {
    Segment& one = at(number);
    if (one.is_acked) continue;
    if (one.received > seen) {
      if (one.first_part <= seen && !one.is_rest) {
        one.is_rest = true;
        again -= one.is_again;
        one.is_again = false;
        delivered += 1.0;
      }
      continue;
    }
    one.is_acked = true;
    ++acked_ahead;
    lost -= one.is_lost;
    again -= one.is_again;
    one.is_lost = one.is_again = false;
    delivered += 1.0;
    // What is there too early to have been sent again is what was sent first.
    const double when =
        one.was_again && now - one.sent < round_trip.shortest ? one.sent_first : one.sent;
    if (latest < when || (latest == when && latest_number < number)) {
      latest = when;
      latest_number = number;
    }
    if (!one.was_again) newest = std::max(newest, one.sent);
  }
  if (newest >= 0.0) round_trip.sample(now - newest);
  if (cumulative > unacked) {
    acked_ahead -= cumulative - unacked;
    unacked = cumulative;
    backoff = 1.0;
    has_probed = false;
  }
  while (first_kept < std::min(unacked, expected)) {
    segments.pop();
    ++first_kept;
  }
  if (state != open || acked_ahead >= 3) find_lost();
  if (state == open) {
    grow(delivered, out);
  } else {
    recover(delivered);
  }
}

void Connection::recover(double delivered) {
  if (unacked >= high) {
    if (state == recovery) window = threshold;
    state = open;
    return;
  }
  if (state == loss) {
    if (window < threshold) window = std::min(window + delivered, threshold);
    return;
  }
  reduced += delivered;
  const double pipe = under_way();
  double more = pipe > threshold
                    ? std::ceil(reduced * threshold / before) - let_go
                    : std::min(threshold - pipe, std::max(reduced - let_go, delivered) + 1);
  more = std::max(more, let_go > 0.0 ? 0.0 : 1.0);
  window = pipe + more;
}

void Connection::grow(double delivered, double out) {
  if (window < threshold) {
    if (window < 2 * out) window = std::min(window + delivered, threshold);
  } else if (out + 1.0 > window) {
    window += delivered / window;
  }
}

void RoundTrip::sample(double seconds) {
  shortest = std::min(shortest, seconds);
  if (has_sample) {
    deviation += (std::abs(seconds - mean) - deviation) / 4;
    mean += (seconds - mean) / 8;
  } else {
    mean = seconds;
    deviation = seconds / 2;
    has_sample = true;
  }
}

double Connection::patience() const {
  const bool is_lone = next == unacked + 1;  // whose answer its receiver may put off
  if (state != open || acked_ahead > 0 || has_probed || is_lone) return timeout();
  return probe_after(round_trip, timeout());
}

double Connection::probe_after(const RoundTrip& one, double timeout) {
  constexpr double least = 1e-3;
  return std::min(2 * one.mean + least, timeout);
}

void Connection::time_out() {
  if (state != loss) {
    threshold = std::max(std::floor(window / 2), 2.0);
    high = next;
  }
  state = loss;
  window = 1.0;
  backoff = std::min(2 * backoff, 64.0);
  for (std::int64_t number = unacked; number < next; ++number) {
    if (!at(number).is_acked) mark_lost(at(number));
  }
}

}  // namespace contend
