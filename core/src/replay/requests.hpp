// Requests: what a rank can wait for.
#pragma once

#include <cstdint>

#include "replay/messages.hpp"

namespace contend {

struct Request {
  double time = unknown;  // when what it stands for is done, apart from the overhead
  double overhead = 0.0;  // seconds of the rank, once it waits
  double posted = 0.0;    // of a receive
  double begun = 0.0;     // when the other side began its part
  // On the critical path: when it is done, and when it was posted.
  std::int32_t place = none;
  std::int32_t posted_place = none;
  std::int32_t size = none;  // of a message that was received
  std::int32_t rank = none;
  std::int32_t src = none;  // of a receive; none: any
  std::int32_t tag = none;
  std::int32_t comm = none;
  std::int32_t next = none;   // in a queue of receives
  std::int32_t other = none;  // the rank whose part it waits for
  bool is_awaited = false;
};

}  // namespace contend
