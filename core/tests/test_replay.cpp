// Replays of small programs: closed forms on every carriage, and what arguments are refused.
#include "contend/replay.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "check.hpp"
#include "contend/schedule.hpp"

namespace {

using contend::Carriage;
using contend::OperationKind;
using contend::TraceKind;

constexpr double latency = 0.5;
constexpr double work = 2.0;

// A program in columns; every message has the one size.
struct Program {
  std::vector<std::int64_t> first{0};
  std::vector<std::int8_t> kind{};
  std::vector<std::int16_t> call{};
  std::vector<std::int32_t> peer{}, tag{}, size{}, comm{}, request{}, list{}, program{};
  std::vector<double> seconds{};
  std::vector<std::int64_t> list_offsets{0, 1}, list_values{0};
  std::vector<std::int64_t> comm_offsets{}, members{};

  void add(TraceKind what, std::int32_t other, std::int32_t of_request = -1,
           std::int32_t of_list = -1) {
    kind.push_back(static_cast<std::int8_t>(what));
    call.push_back(0);
    peer.push_back(other);
    request.push_back(of_request);
    list.push_back(of_list);
    seconds.push_back(0.0);
    program.push_back(what == TraceKind::collective ? 0 : -1);
    for (auto* column : {&tag, &size, &comm}) column->push_back(0);
  }
  void end_rank() {
    first.push_back(static_cast<std::int64_t>(kind.size()));
    members.push_back(static_cast<std::int64_t>(first.size()) - 2);
    comm_offsets = {0, static_cast<std::int64_t>(members.size())};
  }
  contend::TraceOps view() const {
    return {first, kind,    call,    peer,         tag,         size,         comm,   request,
            list,  seconds, program, list_offsets, list_values, comm_offsets, members};
  }
};

// A dissemination of one round: every rank sends to the next one and receives from that before.
struct Round {
  std::vector<std::int64_t> first{0}, partner{}, offsets{0}, required{};
  std::vector<std::int8_t> kind{}, processor{0};
  std::vector<std::int32_t> rank{}, size{};
  std::vector<double> seconds{};

  explicit Round(std::int32_t ranks) {
    for (std::int32_t r = 0; r < ranks; ++r) {
      kind.push_back(static_cast<std::int8_t>(OperationKind::send));
      kind.push_back(static_cast<std::int8_t>(OperationKind::receive));
      partner.push_back(2 * ((r + 1) % ranks) + 1);
      partner.push_back(2 * ((r + ranks - 1) % ranks));
      for (int i = 0; i < 2; ++i) {
        rank.push_back(r);
        size.push_back(0);
        seconds.push_back(0.0);
        offsets.push_back(0);
      }
    }
    first.push_back(static_cast<std::int64_t>(kind.size()));
  }
  contend::Programs view() const {
    return {first, kind, rank, partner, size, seconds, offsets, required, processor};
  }
};

struct Times {
  std::vector<double> none{0.0}, latencies{latency}, works{work}, overheads{0.0};
  std::vector<std::int8_t> is_eager{1};

  contend::SizeTimes view() const {
    return {overheads, overheads, latencies, works, works, none, is_eager};
  }
};

struct Hosts {
  std::vector<std::int32_t> host{};

  explicit Hosts(std::int32_t count) {
    for (std::int32_t h = 0; h < count; ++h) host.push_back(h);
  }
  contend::ReplayNetwork view(Carriage carriage) const {
    return {.carriage = carriage,
            .hosts = static_cast<std::int32_t>(host.size()),
            .host = host,
            .half_handshake = 0.0,
            .pairs = {},
            .pair_offsets = {},
            .pair_links = {},
            .pair_latency = {},
            .capacity = {},
            .model = "maxmin",
            .parameters = {}};
  }
};

contend::Replayed run(const Program& program, std::int32_t ranks, Carriage carriage,
                      bool is_recorded = false) {
  const Round round(ranks);
  const Times times;
  const Hosts hosts(ranks);
  return contend::replay(program.view(), 1, round.view(), times.view(), hosts.view(carriage),
                         is_recorded);
}

Program incast(std::int32_t senders) {
  Program program;
  for (std::int32_t s = 1; s <= senders; ++s) program.add(TraceKind::receive, s);
  program.end_rank();
  for (std::int32_t s = 1; s <= senders; ++s) {
    program.add(TraceKind::send, 0);
    program.end_rank();
  }
  return program;
}

Program ring(std::int32_t ranks, int rounds) {
  Program program;
  for (std::int32_t r = 0; r < ranks; ++r) {
    for (int round = 0; round < rounds; ++round) {
      program.add(TraceKind::receive, (r + ranks - 1) % ranks, 0);
      program.add(TraceKind::send, (r + 1) % ranks);
      program.add(TraceKind::wait, -1, -1, 0);
    }
    program.end_rank();
  }
  return program;
}

}  // namespace

TEST(an_incast_takes_one_message_alone_and_all_of_them_where_they_share) {
  const Program program = incast(5);
  CHECK_NEAR(run(program, 6, Carriage::alone).rank_end[0], latency + work, 1e-12);
  CHECK_NEAR(run(program, 6, Carriage::ports).rank_end[0], latency + 5 * work, 1e-12);
  CHECK_NEAR(run(program, 6, Carriage::shared).rank_end[0], latency + 5 * work, 1e-12);
  CHECK(run(program, 6, Carriage::shared).messages == 5);
}

TEST(a_ring_takes_its_rounds_on_every_carriage) {
  const Program program = ring(4, 50);
  for (const Carriage carriage : {Carriage::alone, Carriage::ports, Carriage::shared}) {
    const auto found = run(program, 4, carriage, true);
    CHECK_NEAR(found.rank_end[3], 50 * (latency + work), 1e-9);
    CHECK(found.end.size() == program.kind.size());
    CHECK(found.stuck[0] == -1);
  }
}

TEST(collective_operations_follow_each_other) {
  Program program;
  for (int r = 0; r < 3; ++r) {
    for (int i = 0; i < 4; ++i) program.add(TraceKind::collective, -1);
    program.end_rank();
  }
  CHECK_NEAR(run(program, 3, Carriage::shared).rank_end[0], 4 * (latency + work), 1e-9);
}

// A send is busy for the overhead, and so is a receive once its message is there.
TEST(a_collective_operation_takes_overheads_of_processors_in_their_order) {
  Program program;
  for (int r = 0; r < 3; ++r) {
    program.add(TraceKind::collective, -1);
    program.end_rank();
  }
  Round round(3);
  Times times;
  const Hosts hosts(3);
  const double overhead = 10.0;
  times.overheads = {overhead};
  for (const auto& [processor, end] : {std::pair{contend::Processor::untouched, latency + work},
                                       {contend::Processor::in_order, 2 * overhead}}) {
    round.processor = {static_cast<std::int8_t>(processor)};
    const auto found = contend::replay(program.view(), 1, round.view(), times.view(),
                                       hosts.view(Carriage::shared), false);
    for (const double each : found.rank_end) CHECK_NEAR(each, end, 1e-9);
  }
}

TEST(who_waits_for_what_never_comes_is_told) {
  Program program;
  program.add(TraceKind::receive, 1);
  program.end_rank();
  program.end_rank();
  const auto found = run(program, 2, Carriage::shared);
  CHECK(found.stuck[0] == 0);
  CHECK(found.stuck[1] == -1);
}

TEST(operations_that_name_what_is_not_there_are_refused) {
  Program program = incast(2);
  program.peer[2] = 9;
  CHECK_THROWS(run(program, 3, Carriage::alone), "operation 2 names what is not there");
  program = incast(2);
  program.tag.pop_back();
  CHECK_THROWS(run(program, 3, Carriage::alone), "differ in length");
}
