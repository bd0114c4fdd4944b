// Frames on their way over links with buffers; for the carrier whose messages go by TCP.
//
// Idea: a link sends one frame after the other. A frame that does not fit into what its buffer has
// left is dropped, but for the first link of a way, at which hosts wait.
// Cost: O(log frames under way) per frame and link.
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "replay/messages.hpp"

namespace contend {

struct Frame {
  std::int32_t connection;
  std::int64_t segment;  // of data; of an acknowledgement all before it are there
  double seen = 0.0;     // of an acknowledgement: when it was sent
  double bytes = 0.0;    // with headers, as buffers hold it
  std::int32_t hop = 0;
  bool is_answer = false;
};

// What happens next: a frame leaves a link, or comes to its host; or a timer runs out.
struct FrameEvent {
  enum What : std::int8_t { leaves, comes, timer, reorder };
  double time;
  std::uint64_t sequence;
  What what;
  Frame frame;
  bool operator>(const FrameEvent& other) const {
    return time > other.time || (time == other.time && sequence > other.sequence);
  }
};

// The links from one host to another, and what frames take beside.
struct Way {
  std::vector<std::int32_t> links;
  double delay = 0.0;
};

class Links {
 public:
  static constexpr double on_wire = 24.0;  // check sum, preamble and gap: bytes of each frame

  // Bytes per second on the wire, and bytes, (n_links,).
  Links(std::vector<double> rate, std::vector<double> buffer)
      : rate_(std::move(rate)), buffer_(std::move(buffer)), busy_(rate_.size(), 0.0) {}

  double next() const { return events_.empty() ? unknown : events_.top().time; }
  FrameEvent pop() {
    const FrameEvent event = events_.top();
    events_.pop();
    return event;
  }
  void push(double time, FrameEvent::What what, const Frame& frame) {
    events_.push({time, ++sequence_, what, frame});
  }
  // The frame comes to the link of its hop; whether it fits.
  bool take(const Frame& frame, const Way& way, double now) {
    const auto link = static_cast<std::size_t>(way.links[static_cast<std::size_t>(frame.hop)]);
    const double start = busy_[link] > now ? busy_[link] : now;
    if (frame.hop > 0 && (start - now) * rate_[link] + frame.bytes > buffer_[link]) return false;
    busy_[link] = start + (frame.bytes + on_wire) / rate_[link];
    push(busy_[link], FrameEvent::leaves, frame);
    return true;
  }
  double rate(std::int32_t link) const { return rate_[static_cast<std::size_t>(link)]; }

 private:
  std::vector<double> rate_, buffer_, busy_;
  std::priority_queue<FrameEvent, std::vector<FrameEvent>, std::greater<>> events_;
  std::uint64_t sequence_ = 0;
};

}  // namespace contend
