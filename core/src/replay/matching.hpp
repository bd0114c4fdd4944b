// Matching: which receive takes which message.
//
// Source: MPI standard 4.1, section 3.5: messages from one rank to another with the same tag and
// communicator are received in the order in which they were sent; of several receives that fit, the
// one that was posted first takes it.
// Idea: a queue per source, destination, communicator and tag, which holds messages or receives,
// never both. Ranks that receive from any source, or any tag, have two lists instead.
// Cost: O(1) per message; for ranks with such receives the lengths of the lists.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "contend/replay.hpp"
#include "replay/flat_map.hpp"
#include "replay/messages.hpp"
#include "replay/pool.hpp"
#include "replay/requests.hpp"

namespace contend {

class Matching {
 public:
  Matching(const TraceOps& trace, Pool<Message>& messages, Pool<Request>& requests);

  // Whether a rank's receives may fit several sources: then what comes first is offered first.
  bool is_open(std::int32_t rank) const { return is_open_[rank]; }
  // The receive that takes a message; none: the message waits.
  std::int32_t receive_for(std::int32_t message);
  // The message that a receive takes; none: the receive waits.
  std::int32_t message_for(std::int32_t request);
  // A message that waits and fits; it goes on waiting.
  std::int32_t waiting_for(std::int32_t request);

 private:
  struct Queue {
    std::int32_t first = none;
    std::int32_t last = none;
    bool has_receives = false;
    bool operator==(const Queue& other) const { return first == other.first; }
  };

  Queue& queue(std::int32_t src, std::int32_t dst, std::int32_t comm, std::int32_t tag) {
    return queues_[{static_cast<std::uint64_t>(src) << 32 | static_cast<std::uint32_t>(dst),
                    static_cast<std::uint64_t>(comm) << 32 | static_cast<std::uint32_t>(tag)}];
  }
  template <typename Record>
  static void append(Queue& queue, std::int32_t number, Pool<Record>& pool);
  template <typename Record>
  static std::int32_t take(Queue& queue, Pool<Record>& pool);
  static bool fits(const Message& message, const Request& request);

  Pool<Message>& messages_;
  Pool<Request>& requests_;
  FlatMap<Queue> queues_;
  std::vector<char> is_open_;                                           // (ranks,)
  std::vector<std::list<std::int32_t>> open_messages_, open_receives_;  // (ranks,)
};

}  // namespace contend
