// Messages on their way, and what happens in order of time.
#pragma once

#include <cstdint>
#include <limits>

namespace contend {

inline constexpr std::int32_t none = -1;
inline constexpr double unknown = std::numeric_limits<double>::infinity();

struct Message {
  double start = 0.0;          // of the send, seconds; of its request where there is a rendezvous
  double sent = unknown;       // when its sender is done with it
  double end = unknown;        // when its receiver can be
  double posted = unknown;     // when its receive was, of one that asks by a message
  double asked_for = unknown;  // when its request came, likewise
  std::int32_t src = none;     // ranks
  std::int32_t dst = none;
  std::int32_t size = 0;
  std::int32_t comm = 0;
  std::int32_t tag = 0;
  std::int32_t flow = none;      // of a sharing model, once it is under way
  std::int32_t next = none;      // in a queue of those that nobody has asked for
  std::int32_t behind = none;    // in its stream: the one after it
  std::int32_t sender = none;    // request, or operation of a program
  std::int32_t receiver = none;  // likewise
  std::int32_t instance = none;  // of a program; none: between the ranks themselves
  // On the critical path: the call; when it is sent, when its data start, and when it has come.
  std::int32_t call = none;
  std::int32_t asked = none;
  std::int32_t place = none;
  std::int32_t come = none;
  enum Role : std::int8_t { data, request, answer };
  Role role = data;
  std::int32_t about = none;  // of a request or answer: the message that is asked for
  bool is_eager = true;
  bool has_started = false;  // its data are on the way
};

}  // namespace contend
