// Frames on their way over links with buffers; for the carrier whose messages go by TCP.
//
// Idea: a link sends one frame after the other, so that of those that wait there only the first can
// be what happens next: a queue for each link, and a tournament among the first of each. A frame
// that does not fit into what its buffer has left is dropped, but for the first link of a way, at
// which hosts wait. Behind the last link frames come to hosts, after the delay of their way: a
// queue for each delay behind a link.
// Cost: O(log links) per frame and link.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "contend/replay.hpp"
#include "replay/messages.hpp"
#include "replay/ring.hpp"
#include "replay/tournament.hpp"

namespace contend {

struct Frame {
  std::int64_t segment;  // of data; of an acknowledgement all before it are there
  double seen = 0.0;     // of an acknowledgement: when it was sent
  float bytes;           // with headers, as buffers hold it
  std::int32_t connection;
  std::int16_t hop = 0;
  bool is_answer = false;
  double time = 0.0;  // computed: when it leaves its link, or comes to its host
  std::uint64_t sequence = 0;
};

// The links from one host to another, and what frames take beside.
struct Way {
  std::span<const std::int32_t> links;
  double delay = 0.0;
  std::int32_t arrivals = none;  // the queue behind its last link

  // Of things that happen at one time, frames that come come after all that was to happen before.
  std::uint64_t order() const { return delay > 0.0 ? 0 : std::uint64_t{1} << 63; }
};

class Links {
 public:
  static constexpr double on_wire = 24.0;  // check sum, preamble and gap: bytes of each frame

  // Rates of links are bytes per second on the wire; `full` are the bytes of a full frame.
  Links(const ReplayNetwork& network, double wire_per_data, double full)
      : full_(static_cast<float>(full)), first_(1) {
    for (std::size_t link = 0; link < network.capacity.size(); ++link) {
      const double rate = network.capacity[link] * wire_per_data;
      links_.push_back({rate, network.buffer[link], 0.0, (full + on_wire) / rate});
    }
    ways_.resize(network.pairs.size());
    for (std::size_t pair = 0; pair < ways_.size(); ++pair) {
      const auto begin = static_cast<std::size_t>(network.pair_offsets[pair]);
      const auto end = static_cast<std::size_t>(network.pair_offsets[pair + 1]);
      ways_[pair].links = network.pair_links.subspan(begin, end - begin);
      ways_[pair].delay = network.pair_delay[pair];
      for (std::size_t hop = begin; hop < end; ++hop) {
        Link& link = links_[static_cast<std::size_t>(network.pair_links[hop])];
        if ((hop == begin || hop + 1 < end) && link.queue < 0) link.queue = new_queue();
      }
    }
    arrivals_ = queues_.size();
    std::map<std::pair<std::int32_t, double>, std::int32_t> behind;
    for (Way& one : ways_) {
      std::int32_t& queue = behind.try_emplace({one.links.back(), one.delay}, none).first->second;
      if (queue < 0) queue = new_queue();
      one.arrivals = queue;
    }
    first_ = Tournament(queues_.size() + 1);
  }

  const Way& way(std::size_t pair) const { return ways_[pair]; }
  double rate(std::int32_t link) const { return links_[static_cast<std::size_t>(link)].rate; }

  double next() const { return first_.least(); }
  // The queue whose first frame is what happens next; or others(), whose next one is not a frame.
  std::size_t first() const { return first_.winner(); }
  std::size_t others() const { return queues_.size(); }
  bool is_arrival(std::size_t queue) const { return queue >= arrivals_; }
  const Frame& front(std::size_t queue) const { return queues_[queue].front(); }
  void pop(std::size_t queue) {
    Ring<Frame>& frames = queues_[queue];
    frames.pop();
    if (frames.empty()) {
      first_.set(queue, unknown, 0);
    } else {
      first_.set(queue, frames.front().time, frames.front().sequence);
    }
  }
  void set_others(double time, std::uint64_t sequence) { first_.set(others(), time, sequence); }
  std::uint64_t sequence() { return ++sequence_; }

  // The frame comes to the link of its hop; whether it fits.
  bool take(Frame& frame, const Way& way, double now) {
    Link& link = links_[static_cast<std::size_t>(way.links[static_cast<std::size_t>(frame.hop)])];
    const double start = link.busy > now ? link.busy : now;
    if (frame.hop > 0 && (start - now) * link.rate + frame.bytes > link.buffer) return false;
    link.busy = start + (frame.bytes == full_ ? link.full : (frame.bytes + on_wire) / link.rate);
    frame.time = link.busy;
    if (frame.hop == 0 || !is_last(frame, way)) {
      push(link.queue, frame);
    } else {
      frame.time += way.delay;
    }
    return true;
  }
  // What has passed the last link of its way comes to a host.
  void come(Frame& frame, const Way& way) { push(way.arrivals, frame, way.order()); }
  static bool is_last(const Frame& frame, const Way& way) {
    return static_cast<std::size_t>(frame.hop) + 1 == way.links.size();
  }

 private:
  struct Link {
    double rate, buffer;
    double busy;  // until then
    double full;  // seconds of a full frame
    std::int32_t queue = none;
  };

  std::int32_t new_queue() {
    queues_.emplace_back();
    return static_cast<std::int32_t>(queues_.size()) - 1;
  }
  void push(std::int32_t number, Frame& frame, std::uint64_t order = 0) {
    const auto queue = static_cast<std::size_t>(number);
    Ring<Frame>& frames = queues_[queue];
    frame.sequence = order | ++sequence_;
    if (frames.empty()) first_.set(queue, frame.time, frame.sequence);
    frames.push(frame);
  }

  float full_;
  std::vector<Link> links_;
  std::vector<Way> ways_;            // by pair of hosts
  std::vector<Ring<Frame>> queues_;  // at links, and from `arrivals_` on behind the last of ways
  std::size_t arrivals_ = 0;
  Tournament first_;
  std::uint64_t sequence_ = 0;
};

}  // namespace contend
