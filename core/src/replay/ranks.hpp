// Ranks: each runs through its operations until it has to wait for another one.
//
// Idea: an operation begins, which may leave requests to wait for; it is done when they are. A rank
// has a time of its own, which is never before what has happened so far, and may be after it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contend/replay.hpp"
#include "replay/collectives.hpp"
#include "replay/flat_map.hpp"
#include "replay/matching.hpp"
#include "replay/phases.hpp"
#include "replay/pool.hpp"
#include "replay/requests.hpp"
#include "replay/transport.hpp"

namespace contend {

class Ranks : public Listener, public Collectives::Owner {
 public:
  Ranks(const TraceOps& trace, std::int32_t calls, const ProgramTable& programs,
        const ReplayNetwork& network, Transport& transport, bool is_recorded, Path& path);

  Replayed result();

  void ended(std::int32_t message) override;
  double looks(std::int32_t rank, double now) const override;
  double busy_until(std::int32_t message, double now) override {
    return collectives_.busy_until(message, now);
  }
  void alarm(std::int32_t what, std::int32_t number, double now, std::uint64_t sequence) override;
  void drain() override;
  void part_done(std::int32_t request, double time, std::int32_t cause, double begun,
                 std::int32_t place) override {
    requests_[request].other = cause;
    requests_[request].begun = begun;
    requests_[request].place = place;
    resolve(request, time);
  }

 private:
  // Alarms are numbers of instances of programs, and this one: a message comes to an open rank.
  static constexpr std::int32_t envelope = 0x7fffffff;

  struct Rank {
    std::int64_t next = 0;  // operation
    std::int64_t last = 0;
    double time = 0.0;
    std::int32_t place = none;            // of the time, on the critical path
    double called = 0.0;                  // when the operation at hand began
    std::int32_t pending = 0;             // requests that it waits for
    std::int32_t probe = none;            // the request of a probe that waits
    std::vector<std::int32_t> awaited{};  // requests, done or not
    // Of the request that ended last: who it was for, and when that one began.
    std::int32_t other = none;
    double begun = 0.0;
    std::vector<std::int32_t> requests{};  // by the numbers in the trace
  };

  struct Open {
    std::int32_t request = none;
    bool operator==(const Open&) const = default;
  };

  std::int32_t& open(std::int64_t rank, std::int64_t name) {
    return open_[{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(name)}].request;
  }
  bool is_still() const;
  void pass_phases();
  void pass(const Phase& phase);
  void note_phase(const Standing& now);
  void run(std::int32_t rank);
  void begin(std::int32_t rank);
  void finish(std::int32_t rank);
  void note_last(Rank& me);
  void send(std::int32_t rank, bool is_eager);
  void receive(std::int32_t rank);
  void probe(std::int32_t rank);
  void wait(std::int32_t rank);
  void join(std::int32_t rank);
  void keep_or_await(std::int32_t rank, std::int32_t request);
  void await(std::int32_t rank, std::int32_t request);
  std::int32_t request_of(std::int32_t rank);
  void offer(std::int32_t message);
  void match(std::int32_t message, std::int32_t request);
  double launch(std::int32_t message, double ready, std::int32_t place);
  void resolve(std::int32_t request, double time);

  const TraceOps& trace_;
  std::int32_t calls_;
  Transport& transport_;
  Pool<Request> requests_;
  Matching matching_;
  Collectives collectives_;
  std::vector<Rank> ranks_;
  FlatMap<Open> open_;  // requests by rank and their number in the trace
  std::vector<std::int32_t> runnable_;
  struct Ended {  // of what a rank waits for
    double time, overhead;
    std::int32_t place, size;
    bool operator<(const Ended& other) const {
      return time < other.time || (time == other.time && overhead < other.overhead);
    }
  };
  std::vector<Ended> ends_;
  // Phases are passed where they can be told apart by where ranks stand.
  bool has_phases_;
  std::int32_t active_ = 0;  // ranks that are not done
  Phases phases_;
  Phase open_phase_{};  // since when ranks stood still
  Path& path_;
  Replayed result_;
};

}  // namespace contend
