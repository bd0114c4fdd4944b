// Replays over TCP connections: closed forms, and that all comes through buffers that drop.
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "contend/replay.hpp"

namespace {

using contend::TraceKind;

constexpr double segment = 1448.0, headers = 66.0, rate = 1e6;
constexpr double frame = segment / rate;  // seconds on a link, with its headers

// Messages of one size from all others to host 0, some from each, over a port out and one in each.
contend::Replayed incast(std::int32_t senders, int rounds, double bytes, double buffer,
                         double delay) {
  const std::int32_t hosts = senders + 1;
  std::vector<std::int64_t> first{0}, offsets{0}, pairs, pair_offsets{0}, members, no_rows;
  std::vector<std::int8_t> kind, eager{1}, no_flags;
  std::vector<std::int16_t> call;
  std::vector<std::int32_t> peer, none, host, links, no_numbers;
  std::vector<double> zero{0.0}, size{bytes}, capacity, buffers, delays, seconds;
  const auto add = [&](TraceKind what, std::int32_t other) {
    kind.push_back(static_cast<std::int8_t>(what));
    peer.push_back(other);
    call.push_back(0);
    none.push_back(-1);
    seconds.push_back(0.0);
  };
  for (std::int32_t rank = 0; rank < hosts; ++rank) {
    for (int round = 0; round < rounds; ++round) {
      if (rank > 0) add(TraceKind::send, 0);
      for (std::int32_t other = 1; rank == 0 && other < hosts; ++other) {
        add(TraceKind::receive, other);
      }
    }
    first.push_back(static_cast<std::int64_t>(kind.size()));
    members.push_back(rank);
    host.push_back(rank);
    for (std::int32_t other = 0; other < hosts; ++other) {
      pairs.push_back(static_cast<std::int64_t>(rank) * hosts + other);
      links.insert(links.end(), {2 * rank, 2 * other + 1});
      pair_offsets.push_back(static_cast<std::int64_t>(links.size()));
      delays.push_back(delay);
    }
    for (int port = 0; port < 2; ++port) {
      capacity.push_back(rate);
      buffers.push_back(buffer);
    }
  }
  const std::vector<std::int32_t> zeros(kind.size(), 0);
  const std::vector<std::int64_t> comms{0, hosts}, begin{0};
  const std::vector<double> parameters{segment, headers, 10.0, 0.2, 0.0};
  const contend::TraceOps trace{first, kind,    call, peer,    zeros,   zeros, zeros,  none,
                                none,  seconds, none, no_rows, no_rows, comms, members};
  const contend::Programs programs{begin, no_flags, no_numbers, no_rows, no_numbers,
                                   {},    begin,    no_rows,    no_flags};
  const contend::SizeTimes times{zero, zero, zero, zero, zero, zero, eager, size};
  return contend::replay(trace, 1, programs, times,
                         {.carriage = contend::Carriage::tcp,
                          .hosts = hosts,
                          .host = host,
                          .half_handshake = 0.0,
                          .pairs = pairs,
                          .pair_offsets = pair_offsets,
                          .pair_links = links,
                          .pair_latency = {},
                          .capacity = capacity,
                          .model = "tcp",
                          .parameters = parameters,
                          .buffer = buffers,
                          .pair_delay = delays},
                         false);
}

}  // namespace

TEST(frames_pass_the_port_of_their_receiver_one_after_the_other) {
  const auto found = incast(4, 1, 5 * segment, 1e9, 0.0);
  CHECK_NEAR(found.rank_end[0], 21 * frame, 1e-9);
  CHECK(found.messages == 4);
}

TEST(all_comes_through_buffers_that_drop) {
  for (const double buffer : {1600.0, 5000.0, 20000.0, 60000.0}) {
    for (const double delay : {0.0, 0.001, 0.02}) {
      const auto found = incast(7, 3, 33333.0, buffer, delay);
      CHECK(found.unreceived == 0);
      CHECK(found.rank_end[0] > 7 * 3 * 33333.0 / rate);
      for (const auto stuck : found.stuck) CHECK(stuck == -1);
    }
  }
}
