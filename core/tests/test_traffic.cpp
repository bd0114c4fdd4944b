// What a replay records of the network: against the intervals that it is made from.
#include "replay/traffic.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using contend::Message;
using contend::Traffic;

const std::vector<std::int32_t> hosts_of_ranks{0, 1};

contend::ReplayNetwork two_hosts() {
  return {.carriage = contend::Carriage::alone,
          .hosts = 2,
          .host = hosts_of_ranks,
          .half_handshake = 0.0,
          .pairs = {},
          .pair_offsets = {},
          .pair_links = {},
          .pair_latency = {},
          .capacity = {},
          .model = "maxmin",
          .parameters = {}};
}

// Seconds of [begin, end] in each of the bins.
std::vector<double> within(const std::vector<std::pair<double, double>>& intervals, double width,
                           std::size_t bins) {
  std::vector<double> found(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    for (const auto& [begin, end] : intervals) {
      const double from = std::max(begin, static_cast<double>(i) * width);
      const double until = std::min(end, static_cast<double>(i + 1) * width);
      found[i] += std::max(until - from, 0.0);
    }
  }
  return found;
}

TEST(bins_hold_every_second_however_often_their_width_doubles) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Traffic traffic(two_hosts(), {.bins = 6, .messages = 0});
    std::vector<std::pair<double, double>> intervals;
    double scale = 1e-6;
    for (int i = 0; i < 40; ++i) {
      scale *= 1.0 + std::uniform_real_distribution<>(0.0, 1.0)(random);
      const double begin = std::uniform_real_distribution<>(0.0, scale)(random);
      const double end = begin + std::uniform_real_distribution<>(0.0, scale)(random);
      traffic.carry(0, 1, begin, end);
      intervals.emplace_back(begin, end);
    }
    contend::Replayed found;
    traffic.give(found);
    const auto expected = within(intervals, found.bin, 6);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK_NEAR(found.load[i], expected[i], 1e-9 * scale);          // host 0 sends
      CHECK_NEAR(found.load[3 * 6 + i], expected[i], 1e-9 * scale);  // host 1 receives
      CHECK(found.load[6 + i] == 0.0 && found.load[2 * 6 + i] == 0.0);
    }
  }
}

TEST(two_flows_at_half_the_rate_fill_a_link_and_lose_their_time_there) {
  Traffic traffic(two_hosts(), {.bins = 8, .messages = 0});
  contend::Lanes lanes(2);
  const std::int32_t lane = lanes.add(1);
  const std::vector<std::int32_t> ways[] = {{traffic.port_out(0), traffic.port_in(1)},
                                            {traffic.port_out(1), traffic.port_in(1)}};
  traffic.pass(1.0, lanes);
  lanes.advance(1.0);
  for (std::int32_t flow = 0; flow < 2; ++flow) {
    lanes.enter(flow, 3.0);
    lanes.place(flow, lane);
    traffic.start(flow, 1.0, 3.0, ways[flow]);
  }
  lanes.set_rate(lane, 0.5);
  lanes.settle();
  traffic.pass(7.0, lanes);  // both have moved all by then
  for (std::int32_t flow = 0; flow < 2; ++flow) traffic.end(flow, 7.0);
  contend::Replayed found;
  traffic.give(found);
  const auto expected = within({{1.0, 7.0}}, found.bin, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK_NEAR(found.load[3 * 8 + i], expected[i], 1e-12);
    CHECK_NEAR(found.load[i], expected[i] / 2, 1e-12);
  }
  CHECK_NEAR(found.lost[3], 2 * 3.0, 1e-12);  // each takes 6 s, alone 3
  CHECK(found.lost[0] == 0.0 && found.lost[1] == 0.0);
}

TEST(the_slowest_messages_are_kept_and_all_are_counted_as_under_way) {
  Traffic traffic(two_hosts(), {.bins = 4, .messages = 3});
  for (std::int32_t number = 0; number < 10; ++number) {
    Message message;
    message.start = number;
    message.end = number + 0.1 * ((number * 7) % 10);
    message.src = number;
    traffic.entered(number, message.start);
    traffic.ended(number, message);
  }
  contend::Replayed found;
  traffic.give(found);
  CHECK(found.message_src.size() == 3);
  for (const std::int32_t src : found.message_src) CHECK((src * 7) % 10 >= 7);
  double total = 0.0;
  for (const double seconds : found.flight) total += seconds;
  CHECK_NEAR(total, 4.5, 1e-9);
}

TEST(nothing_is_kept_unless_it_is_asked_for) {
  Traffic traffic(two_hosts(), {});
  CHECK(!traffic.is_on());
  contend::Replayed found;
  traffic.give(found);
  CHECK(found.load.empty() && found.flight.empty());
}

}  // namespace
