// Matching: which receive takes which message; see matching.hpp.
#include "replay/matching.hpp"

#include <algorithm>

namespace contend {

Matching::Matching(const TraceOps& trace, Pool<Message>& messages, Pool<Request>& requests)
    : messages_(messages),
      requests_(requests),
      is_open_(trace.first.size() - 1),
      open_messages_(is_open_.size()),
      open_receives_(is_open_.size()) {
  for (std::size_t rank = 0; rank + 1 < trace.first.size(); ++rank) {
    for (auto op = trace.first[rank]; op < trace.first[rank + 1]; ++op) {
      const auto kind = static_cast<TraceKind>(trace.kind[op]);
      const bool is_receive = kind == TraceKind::receive || kind == TraceKind::probe;
      if (is_receive && (trace.peer[op] < 0 || trace.tag[op] < 0)) is_open_[rank] = true;
    }
  }
}

std::int32_t Matching::receive_for(std::int32_t number) {
  const Message& message = messages_[number];
  if (is_open(message.dst)) {
    auto& receives = open_receives_[message.dst];
    const auto found = std::find_if(receives.begin(), receives.end(), [&](std::int32_t one) {
      return fits(message, requests_[one]);
    });
    if (found == receives.end()) {
      open_messages_[message.dst].push_back(number);
      return none;
    }
    const std::int32_t request = *found;
    receives.erase(found);
    return request;
  }
  Queue& one = queue(message.src, message.dst, message.comm, message.tag);
  if (one.first != none && one.has_receives) return take(one, requests_);
  one.has_receives = false;
  append(one, number, messages_);
  return none;
}

std::int32_t Matching::message_for(std::int32_t number) {
  const Request& request = requests_[number];
  if (is_open(request.rank)) {
    auto& messages = open_messages_[request.rank];
    const auto found = std::find_if(messages.begin(), messages.end(), [&](std::int32_t one) {
      return fits(messages_[one], request);
    });
    if (found == messages.end()) {
      open_receives_[request.rank].push_back(number);
      return none;
    }
    const std::int32_t message = *found;
    messages.erase(found);
    return message;
  }
  Queue& one = queue(request.src, request.rank, request.comm, request.tag);
  if (one.first != none && !one.has_receives) return take(one, messages_);
  one.has_receives = true;
  append(one, number, requests_);
  return none;
}

std::int32_t Matching::waiting_for(std::int32_t number) {
  const Request& request = requests_[number];
  if (is_open(request.rank)) {
    for (const std::int32_t one : open_messages_[request.rank]) {
      if (fits(messages_[one], request)) return one;
    }
    return none;
  }
  const Queue& one = queue(request.src, request.rank, request.comm, request.tag);
  return one.has_receives ? none : one.first;
}

template <typename Record>
void Matching::append(Queue& queue, std::int32_t number, Pool<Record>& pool) {
  pool[number].next = none;
  (queue.first == none ? queue.first : pool[queue.last].next) = number;
  queue.last = number;
}

template <typename Record>
std::int32_t Matching::take(Queue& queue, Pool<Record>& pool) {
  const std::int32_t number = queue.first;
  queue.first = pool[number].next;
  return number;
}

bool Matching::fits(const Message& message, const Request& request) {
  return message.comm == request.comm && (request.src < 0 || request.src == message.src) &&
         (request.tag < 0 || request.tag == message.tag);
}

}  // namespace contend
