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

std::int64_t Connection::to_send() {
  if (under_way() >= std::floor(window)) return -1;
  if (lost > again) {
    for (std::int64_t one = unacked; one < next; ++one) {
      if (at(one).is_lost && !at(one).is_again) return one;
    }
  }
  return next < count() ? next : -1;
}

void Connection::sent(std::int64_t number, double now) {
  Segment& one = at(number);
  if (number == next) {
    ++next;
    one.sent_first = now;
  } else {
    again += !one.is_again;
    one.is_again = one.was_again = true;
    if (!one.is_lost) {  // a probe
      one.is_lost = true;
      ++lost;
    }
  }
  one.sent = last_sent = now;
  let_go += 1.0;
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

void Connection::acknowledge(std::int64_t cumulative, double seen, double now) {
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
    const double when = one.was_again && now - one.sent < shortest ? one.sent_first : one.sent;
    if (latest < when || (latest == when && latest_number < number)) {
      latest = when;
      latest_number = number;
    }
    if (!one.was_again) newest = std::max(newest, one.sent);
  }
  if (newest >= 0.0) sample(now - newest);
  if (cumulative > unacked) {
    acked_ahead -= cumulative - unacked;
    unacked = cumulative;
    backoff = 1.0;
    has_probed = false;
  }
  while (first_kept < std::min(unacked, expected)) {
    segments.pop_front();
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
  } else if (out >= std::floor(window)) {
    window += delivered / window;
  }
}

void Connection::sample(double seconds) {
  shortest = std::min(shortest, seconds);
  if (has_sample) {
    deviation += (std::abs(seconds - round_trip) - deviation) / 4;
    round_trip += (seconds - round_trip) / 8;
  } else {
    round_trip = seconds;
    deviation = seconds / 2;
    has_sample = true;
  }
}

double Connection::patience() const {
  if (state != open || acked_ahead > 0 || has_probed) return timeout();
  constexpr double least = 1e-3;
  return std::min(2 * round_trip + least, timeout());
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
