// Collective operations under way: each a program, run by the ranks of a communicator.
//
// Idea: an operation of the program is ready when its rank has come, what it requires is done, and,
// for a receive, its message is there. Receives are posted as soon as the rest is so; what is
// combined comes into a buffer of its own, so it can come when the sends that it requires start.
// Where programs take overheads in order, a rank's processor does one thing after the other: a send
// as soon as it is known to be ready, a message when it is there and its receive is posted.
// Cost: O(1) per operation and requirement.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contend/replay.hpp"
#include "replay/flat_map.hpp"
#include "replay/path.hpp"
#include "replay/pool.hpp"
#include "replay/program_table.hpp"
#include "replay/transport.hpp"

namespace contend {

class Collectives {
 public:
  // Who hears that a rank is done with its part, at `time`.
  class Owner {
   public:
    virtual ~Owner() = default;
    // `cause` is the rank whose coming, at `begun`, decided that; none: that was not followed.
    // `place` is that of the time on the critical path.
    virtual void part_done(std::int32_t request, double time, std::int32_t cause, double begun,
                           std::int32_t place) = 0;
  };

  Collectives(const TraceOps& trace, const ProgramTable& programs, const ReplayNetwork& network,
              Transport& transport, Owner& owner, bool follows_causes, Path& path);

  void join(std::int64_t op, std::int32_t rank, double time, std::int32_t request,
            std::int32_t on_path);

  // What the transport tells of messages that belong to a program, and of alarms.
  void ended(std::int32_t message);
  double busy_until(std::int32_t message, double now) const;
  // `op` is inverted where a receive begins.
  void alarm(std::int32_t instance, std::int32_t op, double now, std::uint64_t sequence);
  // When the processor of a rank is through with what it has begun.
  double free_from(std::int32_t rank) const {
    const auto first = cpu_.begin() + static_cast<std::ptrdiff_t>(rank) * programs_.cpus();
    return *std::max_element(first, first + programs_.cpus());
  }
  bool drain();  // whether there was something to do
  // A rank has come to an operation whose messages nobody has replayed.
  void pass(std::int32_t rank, std::int32_t comm) {
    ++sequences_[{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(comm)}];
  }

 private:
  struct Part {                // of a rank
    std::int32_t rank = none;  // of the world
    std::int32_t request = none;
    std::int64_t left = 0;  // operations not done
    std::int64_t next_send = 0;
    double last_start = 0.0;  // of a send
    double finish = 0.0;
    double joined = 0.0;
    // Places of the ranks whose coming decided when it finished, and when its last send started.
    std::int32_t cause = none;
    std::int32_t send_cause = none;
    // On the critical path: the last start of a send, and the finish.
    std::int32_t started_place = none;
    std::int32_t finish_place = none;
  };
  struct Instance {
    std::int32_t program = none;
    std::int32_t parts_left = 0;  // not done
    std::int32_t joined = 0;
    std::int32_t call = none;
    std::vector<Part> parts{};
    std::vector<std::int32_t> missing{};  // (n_ops of the program,)
    std::vector<double> ready{};
    std::vector<std::int32_t> places{};   // of `ready` on the critical path, or empty
    std::vector<std::int32_t> come{};     // of a receive: that of the end of its message
    std::vector<std::int32_t> cause{};    // place of the rank whose coming made it ready, or empty
    std::vector<std::int32_t> started{};  // required sends that have begun and not ended, or empty
    std::vector<std::int32_t> asking{};   // of a receive: the message that waits for its post
    std::vector<std::int8_t> has_come{};  // of a receive: whether its message has, or empty
    std::vector<double> posted{};         // when all but its message was there, or empty
  };
  struct Named {
    std::int32_t instance = none;
    bool operator==(const Named&) const = default;
  };
  struct Done {
    std::int32_t instance;
    std::int64_t op;
    double time;
    std::int32_t place;  // on the critical path
  };

  std::int32_t place_of(std::int32_t rank, std::int32_t comm) const;
  std::int32_t make(std::int64_t op);
  void enter(std::int32_t number, std::int32_t place, double time);
  void arrive(std::int32_t number, std::int64_t op, double time, std::int32_t cause,
              std::int32_t on_path, bool is_message = false);
  void make_ready(std::int32_t number, std::int64_t op, bool is_by_message);
  void start_sends(std::int32_t number, std::int32_t place);
  void send(std::int32_t number, std::int64_t op, double ready, std::int32_t on_path);
  double launch(std::int32_t message, double ready, std::int32_t on_path);
  double answer(std::int32_t message, double posted, std::int32_t on_path);
  std::int32_t shaken(const Message& message, std::int32_t posted);
  bool is_posted(std::int32_t number, std::int64_t op) const;
  void let_come(std::int32_t number, std::int64_t op);
  void note_start(std::int32_t number, std::int64_t send, double time);
  void finish_part(std::int32_t number, std::int32_t place);
  void note_post(std::int32_t number, std::int64_t op, double time, bool is_message);
  void note_begin(std::int32_t number, std::int64_t op, double time, std::int32_t on_path);
  bool drain_begun();
  std::size_t cpu_of(std::int32_t rank, std::int64_t op) const {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(programs_.cpus()) +
           static_cast<std::size_t>(programs_.cpu(op));
  }
  Processor processor(std::int32_t number) const {
    return static_cast<Processor>(programs_.view().processor[instances_[number].program]);
  }
  bool is_ready_first(std::int32_t number) const {
    return processor(number) == Processor::ready_first;
  }
  bool is_in_order(std::int32_t number) const { return processor(number) == Processor::in_order; }
  // Whether a send is done once the processor is: what a socket has taken it sends by itself.
  bool is_let_go(std::int32_t number, bool is_eager) const {
    return is_eager &&
           (is_ready_first(number) || (is_in_order(number) && network_.carriage == Carriage::tcp));
  }
  void come(std::int32_t number, std::int64_t op, double now);
  struct Received {
    double time;
    std::int32_t place;
  };
  Received receive(std::size_t processor, std::int32_t size, std::int32_t call, Received asked,
                   Received there);
  std::int32_t reached(std::int32_t number, std::int64_t op) const {
    const auto& places = instances_[number].places;
    return places.empty() ? none : places[local(number, op)];
  }
  Part& part(std::int32_t number, std::int64_t op) {
    return instances_[number].parts[programs_.view().rank[op]];
  }
  std::int32_t cause(std::int32_t number, std::int64_t op) const {
    return follows_causes_ ? instances_[number].cause[local(number, op)] : none;
  }
  std::int64_t local(std::int32_t number, std::int64_t op) const {
    return op - programs_.begin(instances_[number].program);
  }

  const TraceOps& trace_;
  const ProgramTable& programs_;
  const ReplayNetwork& network_;
  Transport& transport_;
  Owner& owner_;
  bool follows_causes_;
  bool has_rendezvous_;
  Pool<Instance> instances_;
  FlatMap<Named> named_;             // those that ranks have still to join
  FlatMap<std::int64_t> sequences_;  // by rank and communicator: operations so far
  std::vector<double> cpu_;          // (ranks * cpus,) when a processor is free of all programs
  Path& path_;
  std::vector<std::int32_t> cpu_place_;  // of that on the critical path
  std::vector<Done> done_, begun_;
};

}  // namespace contend
