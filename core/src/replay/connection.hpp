// One direction of a TCP connection: what its sender has under way, and how much it may.
//
// Source: RFC 5681 (slow start, congestion avoidance), RFC 6675 and 8985 (losses found by what came
// later, tail loss probes), RFC 6937 (proportional rate reduction), RFC 6298 (time-outs), with the
// constants of Linux 6.
// Restrictions: windows of receivers do not limit; acknowledgements are of two segments, or at once
// where something is missing or no more is under way; a way keeps the order of its frames.
#pragma once

#include <cstdint>
#include <deque>

#include "replay/messages.hpp"

namespace contend {

struct TcpSettings {
  double segment = 1448.0;       // bytes of data in a full frame
  double headers = 66.0;         // of Ethernet, IP and TCP with time stamps
  double initial_window = 10.0;  // segments
  double minimum_timeout = 0.2;  // seconds
};

struct Segment {
  double bytes;
  std::int32_t flow;  // that ends with it, or none
  double sent = 0.0, sent_first = 0.0;
  double received = unknown;
  bool is_acked = false;
  bool is_lost = false;
  bool is_again = false;        // sent again, and not lost again
  bool was_again = false;       // tells no round trip
  double rest = 0.0;            // bytes, of one that is sent again in two parts
  double first_part = unknown;  // when that came
  bool is_rest = false;         // that is under way or has to be sent

  double bytes_now() const { return rest == 0.0 ? bytes : is_rest ? rest : bytes - rest; }
};

struct Connection {
  enum State : std::int8_t { open, recovery, loss };

  Connection(double first_round_trip, const TcpSettings& settings)
      : window(settings.initial_window),
        round_trip(first_round_trip),
        deviation(first_round_trip / 2),
        shortest(first_round_trip),
        minimum(settings.minimum_timeout),
        initial(settings.initial_window) {}

  Segment& at(std::int64_t number) {
    return segments[static_cast<std::size_t>(number - first_kept)];
  }
  void append(double bytes, std::int32_t flow) { segments.push_back({bytes, flow}); }
  std::int64_t count() const { return first_kept + static_cast<std::int64_t>(segments.size()); }
  double under_way() const {
    return static_cast<double>(next - unacked - acked_ahead - lost + again);
  }
  double timeout() const {
    return backoff * (round_trip + (4 * deviation > minimum ? 4 * deviation : minimum));
  }

  // A pause longer than a time-out: the window is begun anew.
  void rest(double now);
  // The segment to send now, or -1.
  std::int64_t to_send();
  void sent(std::int64_t number, double now);
  // All before `cumulative` are there, and those that came until `seen`.
  void acknowledge(std::int64_t cumulative, double seen, double now);
  void time_out();
  // Those sent before the latest that came are lost. Whether there are any.
  bool find_lost();
  // Seconds until the timer runs out, and whether it is to probe.
  double patience() const;

  std::deque<Segment> segments;
  std::int64_t first_kept = 0, unacked = 0, next = 0, high = 0;
  std::int64_t acked_ahead = 0, lost = 0, again = 0;
  double window, threshold = unknown;
  double round_trip, deviation, shortest, minimum, initial;
  double backoff = 1.0, latest = -1.0, last_sent = -unknown;
  double before = 0.0, reduced = 0.0, let_go = 0.0;  // of the proportional reduction
  std::int64_t latest_number = -1;
  State state = open;
  bool has_sample = false, has_probed = false;

  // Of the receiver.
  std::int64_t expected = 0;
  std::int32_t unanswered = 0, held = 0;

  // Of the network.
  std::int32_t at_host = 0, flying = 0;
  std::int32_t back = none;  // the connection the other way
  std::int64_t timer = 0;
  bool waits_for_order = false;

 private:
  bool is_before_latest(std::int64_t number);
  void mark_lost(Segment& one);
  void sample(double seconds);
  void recover(double delivered);
  void grow(double delivered, double out);
};

}  // namespace contend
