// Requests: what a rank can wait for.
#pragma once

#include <cstdint>

#include "replay/messages.hpp"

namespace contend {

struct Request {
  double time = unknown;  // when what it stands for is done, apart from the overhead
  double overhead = 0.0;  // seconds of the rank, once it waits
  double posted = 0.0;    // of a receive
  std::int32_t rank = none;
  std::int32_t src = none;  // of a receive; none: any
  std::int32_t tag = none;
  std::int32_t comm = none;
  std::int32_t next = none;  // in a queue of receives
  bool is_awaited = false;
};

}  // namespace contend
