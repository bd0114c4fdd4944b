// One direction of a TCP connection: what its sender has under way, and how much it may.
//
// Source: RFC 5681 (slow start, congestion avoidance), RFC 6675 and 8985 (losses found by what came
// later, tail loss probes), RFC 6937 (proportional rate reduction), RFC 6298 (time-outs), with the
// constants of Linux 6.
// Restrictions: windows of receivers do not limit; acknowledgements are of two segments, go along
// with data that leave before the second comes, or are sent at once where something is missing or
// no more is under way; a way keeps the order of its frames.
#pragma once

#include <cstdint>

#include "replay/links.hpp"
#include "replay/messages.hpp"
#include "replay/ring.hpp"

namespace contend {

struct TcpSettings {
  double segment = 1448.0;       // bytes of data in a full frame
  double headers = 66.0;         // of Ethernet, IP and TCP with time stamps
  double initial_window = 10.0;  // segments
  double minimum_timeout = 0.2;  // seconds
  double queue_time = 0x1p-10;   // seconds of its pace that a host queues
};

struct Segment {
  double bytes = 0.0;
  double sent = 0.0, sent_first = 0.0;
  double received = unknown;
  double rest = 0.0;            // bytes, of one that is sent again in two parts
  double first_part = unknown;  // when that came
  std::int32_t message = none;  // that ends with it
  bool is_acked = false;
  bool is_lost = false;
  bool is_again = false;   // sent again, and not lost again
  bool was_again = false;  // tells no round trip
  bool is_rest = false;    // that is under way or has to be sent

  double bytes_now() const { return rest == 0.0 ? bytes : is_rest ? rest : bytes - rest; }
};

// Data that wait to be sent: segments up to `end`, of which the last may be short.
struct Waiting {
  std::int64_t end = 0;
  double last = 0.0;  // bytes of the last segment
  std::int32_t message = none;
};

// How long a round trip takes, as RFC 6298 has it.
struct RoundTrip {
  double mean, deviation, shortest;
  bool has_sample = false;

  void sample(double seconds);
};

struct Answer {
  double time = 0.0;  // when its sender has it
  double seen = 0.0;  // when its receiver sent it
  std::int64_t cumulative = 0;
  std::uint64_t sequence = 0;  // among what happens at that time
  RoundTrip round_trip{};      // with it, where its connection is plain

  bool is_before(double now, std::uint64_t other) const {
    return time < now || (time == now && sequence < other);
  }
};

struct Connection {
  enum State : std::int8_t { open, recovery, loss };

  Connection(double first_round_trip, const TcpSettings& settings)
      : full(settings.segment),
        window(settings.initial_window),
        round_trip{first_round_trip, first_round_trip / 2, first_round_trip},
        minimum(settings.minimum_timeout),
        initial(settings.initial_window),
        queue_time(settings.queue_time) {}

  Segment& at(std::int64_t number) {
    return segments[static_cast<std::size_t>(number - first_kept)];
  }
  // A message: full segments, and one of `last` bytes with which it ends.
  void append(std::int64_t full_segments, double last, std::int32_t message) {
    end += full_segments + 1;
    waiting.push({end, last, message});
  }
  double under_way() const {
    return static_cast<double>(next - unacked - acked_ahead - lost + again);
  }
  bool is_at_rest() const {
    return state == open && unacked == next && flying == 0 && answering == 0 && answers.empty();
  }
  bool is_bound() const { return under_way() + 1.0 > window; }
  double timeout() const { return backoff * timeout_of(round_trip); }

  // A pause longer than a time-out: the window is begun anew.
  void rest(double now);
  // Sets how many segments its host may queue.
  void pace();
  // The segment to send now, or -1.
  std::int64_t to_send();
  Segment& sent(std::int64_t number, double now);
  // A segment comes: whether it is whole now, and was not before.
  bool receive(std::int64_t number, double now);
  // A segment has passed the last link: whether nobody has to look at it before the next one comes.
  bool passes(std::int64_t number, double time);
  // All before its `cumulative` are there, and those that came until `seen`.
  void acknowledge(const Answer& answer);
  void time_out();
  // Those sent before the latest that came are lost. Whether there are any.
  bool find_lost();
  // Seconds until the timer runs out.
  double patience() const;
  // An answer that its sender has at `time`: when the timer runs out unless more happens until
  // then, where the connection is plain.
  double answer(Answer one);

  // Whether its answers may be looked at later than they come: nothing is missing or sent again.
  bool is_plain = true;
  Ring<Segment> segments;  // those that were sent, from `first_kept` on
  Ring<Waiting> waiting;
  Ring<Answer> answers;
  // Of a plain connection: the last segment whose coming nobody looks at, and the last at whose
  // coming all is answered.
  std::int64_t passed = -2, answering_all = -2;
  std::int64_t first_kept = 0, unacked = 0, next = 0, end = 0, high = 0;
  double full;  // bytes of a segment
  std::int64_t acked_ahead = 0, lost = 0, again = 0;
  double window, threshold = unknown;
  RoundTrip round_trip;
  double minimum, initial, queue_time;
  double backoff = 1.0, latest = -1.0, last_sent = -unknown;
  double before = 0.0, reduced = 0.0, let_go = 0.0;  // of the proportional reduction
  std::int64_t latest_number = -1;
  State state = open;
  bool has_probed = false;

  // Of the receiver.
  std::int64_t expected = 0;
  std::int32_t unanswered = 0, held = 0;

  // Of the network.
  Way there{}, back_way{};
  std::int32_t at_host = 0, most_at_host = 2, flying = 0, answering = 0;
  std::int32_t back = none;      // the connection the other way
  double deadline = unknown;     // when its timer runs out
  double timer_alarm = unknown;  // not after that
  bool is_watched = false;       // it goes on with its next answer
  bool has_answer_alarm = false;
  bool waits_for_order = false;

 private:
  void take_plain(const Answer& answer);
  double timeout_of(const RoundTrip& one) const {
    return one.mean + (4 * one.deviation > minimum ? 4 * one.deviation : minimum);
  }
  static double probe_after(const RoundTrip& one, double timeout);
  bool is_before_latest(std::int64_t number);
  void mark_lost(Segment& one);
  void recover(double delivered);
  void grow(double delivered, double out);
};

}  // namespace contend
