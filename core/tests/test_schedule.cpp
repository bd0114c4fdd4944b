// Evaluation of schedules: closed forms, then random schedules against repeated sweeps.
#include "contend/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

using contend::OperationKind;

constexpr double g = 2.0;
constexpr double latency = 5.0;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Operations by rank, as a table; `add` in order of rank, `link` when all of them are there.
struct Table {
  std::vector<std::int8_t> kind{};
  std::vector<std::int64_t> rank{}, peer{}, partner{}, offsets{0}, required{};

  std::int64_t add(OperationKind what, std::int64_t of, std::int64_t other,
                   const std::vector<std::int64_t>& requires_these = {}) {
    kind.push_back(static_cast<std::int8_t>(what));
    rank.push_back(of);
    peer.push_back(other);
    required.insert(required.end(), requires_these.begin(), requires_these.end());
    offsets.push_back(static_cast<std::int64_t>(required.size()));
    return static_cast<std::int64_t>(kind.size()) - 1;
  }
  bool is_send(std::size_t i) const { return kind[i] == 0; }
  bool is_copy(std::size_t i) const { return kind[i] == 3; }
  // The k-th send from a to b belongs to the k-th receive of b from a.
  void link() {
    partner.assign(kind.size(), -1);
    for (std::size_t i = 0; i < kind.size(); ++i) {
      if (!is_send(i)) continue;
      for (std::size_t j = 0; j < kind.size(); ++j) {
        if (is_send(j) || is_copy(j) || partner[j] >= 0) continue;
        if (rank[j] != peer[i] || peer[j] != rank[i]) continue;
        partner[i] = static_cast<std::int64_t>(j);
        partner[j] = static_cast<std::int64_t>(i);
        break;
      }
    }
  }
  contend::Schedule view() const { return {kind, rank, partner, offsets, required}; }
  std::vector<double> times() const {
    const std::vector<double> gap(kind.size(), g), late(kind.size(), latency);
    return contend::ScheduleOrder(view()).finish_times({1, gap, late});
  }
  double end() const {
    const std::vector<double> gap(kind.size(), g), late(kind.size(), latency);
    return contend::ScheduleOrder(view()).ends({1, gap, late})[0];
  }
};

// From the definition alone: the time of every operation whose inputs are known, over and over.
// Empty if some never get one.
std::vector<double> swept(const Table& table, const double* gap, const double* late) {
  const std::size_t count = table.kind.size();
  std::vector<double> start(count, unknown), end(count, unknown);
  for (std::size_t round = 0; round < count; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      double needed = 0.0, port = 0.0;
      const auto wait = [](double& until, double other) {
        until = std::isnan(other) || std::isnan(until) ? unknown : std::max(until, other);
      };
      for (auto at = table.offsets[i]; at < table.offsets[i + 1]; ++at) {
        wait(needed, end[static_cast<std::size_t>(table.required[static_cast<std::size_t>(at)])]);
      }
      for (std::size_t j = 0; j < i && !table.is_copy(i); ++j) {
        const bool is_same_port = table.rank[j] == table.rank[i] && !table.is_copy(j) &&
                                  table.is_send(j) == table.is_send(i);
        if (is_same_port) wait(port, end[j]);
      }
      if (table.is_copy(i)) {
        end[i] = needed;
      } else if (table.is_send(i)) {
        wait(start[i] = needed, port);
        end[i] = start[i] + gap[i];
      } else {
        const auto send = static_cast<std::size_t>(table.partner[i]);
        wait(port, start[send] + late[send]);
        wait(end[i] = port + gap[i], needed);
      }
    }
  }
  const bool is_done = std::none_of(end.begin(), end.end(), [](double t) { return std::isnan(t); });
  return is_done ? end : std::vector<double>{};
}

// Up to 12 messages among 2 to 5 ranks; requirements mostly, not always, of earlier operations.
Table random_table(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::int64_t>(random() % n); };
  const std::size_t ranks = 2 + random() % 4;
  struct Operation {
    OperationKind kind;
    std::int64_t rank, peer;
  };
  std::vector<Operation> all;
  for (std::size_t message = 0; message < 1 + random() % 12; ++message) {
    const std::int64_t src = below(ranks);
    const std::int64_t dst = (src + 1 + below(ranks - 1)) % static_cast<std::int64_t>(ranks);
    all.push_back({OperationKind::send, src, dst});
    all.push_back({random() % 2 ? OperationKind::receive : OperationKind::reduce, dst, src});
    if (random() % 4 == 0) all.push_back({OperationKind::copy, src, src});
  }
  std::shuffle(all.begin(), all.end(), random);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.rank < b.rank; });
  Table table;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::int64_t> needed;
    const std::size_t reach = random() % 16 == 0 ? all.size() : i;
    for (std::size_t j = 0; j < reach; ++j) {
      if (j != i && all[j].rank == all[i].rank && random() % 3 == 0) {
        needed.push_back(static_cast<std::int64_t>(j));
      }
    }
    table.add(all[i].kind, all[i].rank, all[i].peer, needed);
  }
  table.link();
  return table;
}

TEST(a_chain_takes_a_gap_and_a_latency_per_message) {
  Table chain;
  chain.add(OperationKind::send, 0, 1);
  for (std::int64_t rank = 1; rank < 7; ++rank) {
    const auto received = chain.add(OperationKind::receive, rank, rank - 1);
    if (rank < 6) chain.add(OperationKind::send, rank, rank + 1, {received});
  }
  chain.link();
  CHECK_NEAR(chain.end(), 6 * (g + latency), 1e-12);
}

TEST(a_gather_takes_as_long_as_the_scatter_that_it_mirrors) {
  Table scatter, gather;
  for (std::int64_t rank = 1; rank < 6; ++rank) {
    scatter.add(OperationKind::send, 0, rank);
    gather.add(OperationKind::receive, 0, rank);
  }
  for (std::int64_t rank = 1; rank < 6; ++rank) {
    scatter.add(OperationKind::receive, rank, 0);
    gather.add(OperationKind::send, rank, 0);
  }
  scatter.link();
  gather.link();
  CHECK_NEAR(scatter.end(), 5 * g + latency, 1e-12);
  CHECK_NEAR(gather.end(), 5 * g + latency, 1e-12);
}

TEST(sends_and_receives_of_a_rank_go_on_side_by_side) {
  Table exchange;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    exchange.add(OperationKind::send, rank, 1 - rank);
    exchange.add(OperationKind::receive, rank, 1 - rank);
  }
  exchange.link();
  CHECK((exchange.times() == std::vector<double>{g, latency + g, g, latency + g}));
}

TEST(a_copy_takes_no_time_but_waits) {
  Table table;
  table.add(OperationKind::send, 0, 1);
  const auto received = table.add(OperationKind::reduce, 1, 0);
  table.add(OperationKind::copy, 1, 1);
  table.add(OperationKind::copy, 1, 1, {received});
  table.link();
  CHECK((table.times() == std::vector<double>{g, latency + g, 0.0, latency + g}));
}

// What sends do at links: nothing but what a test says.
struct Links {
  std::vector<std::int64_t> link, awaited;
  std::vector<double> service, answer;

  explicit Links(const Table& table)
      : link(table.kind.size(), -1),
        awaited(table.kind.size(), -1),
        service(table.kind.size(), 0.0),
        answer(table.kind.size(), 0.0) {}
  std::vector<double> found(const Table& table, const std::vector<double>& gap,
                            const std::vector<double>& late) const {
    return contend::ScheduleOrder(table.view())
        .queued({1, gap, late}, {link, service, awaited, answer});
  }
  std::vector<double> found(const Table& table) const {
    return found(table, std::vector<double>(table.kind.size(), g),
                 std::vector<double>(table.kind.size(), latency));
  }
};

// Ranks 0 and 1 send two messages each to ranks 2 and 3, over one link that takes 3 for each.
Table two_senders() {
  Table table;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    table.add(OperationKind::send, rank, 2 + rank);
    table.add(OperationKind::send, rank, 2 + rank);
  }
  for (std::int64_t rank = 2; rank < 4; ++rank) {
    table.add(OperationKind::receive, rank, rank - 2);
    table.add(OperationKind::receive, rank, rank - 2);
  }
  table.link();
  return table;
}

TEST(messages_that_share_a_link_wait_for_those_before) {
  const Table table = two_senders();
  Links links(table);
  for (std::size_t i = 0; i < 4; ++i) links.link[i] = 0;
  for (std::size_t i = 0; i < 4; ++i) links.service[i] = 3.0;
  // They begin at 0, 2, 0 and 2 and leave the link at 3, 9, 6 and 12, where alone they had ended at
  // 2, 4, 2 and 4.
  CHECK((links.found(table) == std::vector<double>{2, 4, 2, 4, 8, 14, 11, 17,  //
                                                   1, 5, 4, 8, 0, 0, 0, 0}));
}

TEST(a_send_waits_for_the_answer_to_an_earlier_one) {
  const Table table = two_senders();
  Links links(table);
  links.link[0] = links.link[1] = 0;
  links.awaited[1] = 0;
  links.answer[0] = 4.0;
  // The first has arrived at 2 + 5, which its sender knows at 11.
  CHECK((links.found(table) == std::vector<double>{2, 13, 2, 4, 7, 18, 7, 9,  //
                                                   0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(what_no_link_delays_ends_as_without_links) {
  std::mt19937 random(2001);
  int ended = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Table table = random_table(random);
    const std::size_t count = table.kind.size();
    std::vector<double> gap(count), late(count);
    for (double& one : gap) one = static_cast<double>(1 + random() % 8);
    for (double& one : late) one = static_cast<double>(random() % 8);
    const std::vector<double> wanted = swept(table, gap.data(), late.data());
    if (wanted.empty()) continue;
    Links links(table);
    for (std::size_t i = 0; i < count; ++i) {
      links.link[i] = static_cast<std::int64_t>(random() % count) - 1;
    }
    const auto found = links.found(table, gap, late);
    CHECK(std::equal(wanted.begin(), wanted.end(), found.begin()));
    ++ended;
  }
  CHECK(ended > 500);
}

// The waits by definition, of sends in the order of their starts, until nothing changes.
std::vector<double> repeated(const Table& table, const Links& links, const std::vector<double>& gap,
                             const std::vector<double>& late) {
  const std::size_t count = table.kind.size();
  std::vector<double> waits(count), before, done;
  do {
    before = waits;
    std::vector<double> delayed(late);
    for (std::size_t i = 0; i < count; ++i) delayed[i] += waits[i];
    done = swept(table, gap.data(), delayed.data());
    std::vector<std::size_t> sends;
    for (std::size_t i = 0; i < count; ++i) {
      if (table.is_send(i) && links.link[i] >= 0) sends.push_back(i);
    }
    std::stable_sort(sends.begin(), sends.end(), [&](std::size_t one, std::size_t other) {
      return done[one] - gap[one] < done[other] - gap[other];
    });
    std::vector<double> free_at(count);
    for (const std::size_t send : sends) {
      double& free = free_at[static_cast<std::size_t>(links.link[send])];
      free = std::max(free, done[send] - gap[send]) + links.service[send];
      waits[send] = std::max(free - done[send], 0.0);
    }
  } while (waits != before);
  done.insert(done.end(), waits.begin(), waits.end());
  return done;
}

TEST(random_schedules_queue_as_defined) {
  std::mt19937 random(2002);
  int ended = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Table table = random_table(random);
    const std::size_t count = table.kind.size();
    std::vector<double> gap(count), late(count);
    for (double& one : gap) one = static_cast<double>(1 + random() % 8);
    for (double& one : late) one = static_cast<double>(1 + random() % 8);
    if (swept(table, gap.data(), late.data()).empty()) continue;
    Links links(table);
    for (std::size_t i = 0; i < count; ++i) {
      links.link[i] = static_cast<std::int64_t>(random() % 3) - 1;
      links.service[i] = static_cast<double>(random() % 16);
      if (links.link[i] >= static_cast<std::int64_t>(count)) links.link[i] = -1;
    }
    CHECK(links.found(table, gap, late) == repeated(table, links, gap, late));
    ++ended;
  }
  CHECK(ended > 500);
}

TEST(links_that_are_none_are_refused) {
  const Table table = two_senders();
  Links links(table);
  links.link[0] = 8;
  CHECK_THROWS(links.found(table), "link has to be -1 or below the number of operations, 8");
  links = Links(table);
  links.answer[3] = -1.0;
  CHECK_THROWS(links.found(table), "answer must be finite and at least 0");
  links = Links(table);
  links.service.pop_back();
  CHECK_THROWS(links.found(table), "service has 7 entries; give 8");
}

TEST(random_schedules_end_as_defined_or_never) {
  std::mt19937 random(2000);
  int ended = 0;
  int stuck = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Table table = random_table(random);
    const std::size_t count = table.kind.size();
    std::vector<double> gap(3 * count), late(3 * count);
    for (double& one : gap) one = static_cast<double>(random() % 8);
    for (double& one : late) one = static_cast<double>(random() % 8);
    const std::vector<double> first = swept(table, &gap[0], &late[0]);
    if (first.empty()) {
      CHECK_THROWS(contend::ScheduleOrder(table.view()), "waits for itself by way of others");
      ++stuck;
      continue;
    }
    const contend::ScheduleOrder order(table.view());
    const auto done = order.finish_times({3, gap, late});
    const auto ends = order.ends({3, gap, late});
    for (std::size_t i = 0; i < 3; ++i) {
      const auto wanted = swept(table, &gap[i * count], &late[i * count]);
      CHECK(std::equal(wanted.begin(), wanted.end(), done.data() + i * count));
      CHECK_NEAR(ends[i], *std::max_element(wanted.begin(), wanted.end()), 0.0);
    }
    ++ended;
  }
  CHECK(ended > 500 && stuck > 100);
}

// Operation 0 only waits for the circle of 3 and 4.
TEST(an_operation_of_the_circle_is_named) {
  Table table;
  table.add(OperationKind::receive, 0, 2);
  table.add(OperationKind::copy, 1, 1);
  table.add(OperationKind::copy, 2, 2);
  table.add(OperationKind::copy, 2, 2, {4});
  table.add(OperationKind::send, 2, 0, {3});
  table.link();
  CHECK_THROWS(contend::ScheduleOrder(table.view()), "operation 3 of rank 2 waits for itself");
}

TEST(no_operation_takes_no_time) {
  const contend::ScheduleOrder order(Table{}.view());
  CHECK(order.finish_times({2, {}, {}}).empty());
  CHECK((order.ends({2, {}, {}}) == std::vector<double>{0.0, 0.0}));
}

TEST(a_bad_schedule_is_named) {
  const auto broken = [](auto change) {
    Table table;
    table.add(OperationKind::send, 0, 1);
    table.add(OperationKind::receive, 1, 0);
    table.add(OperationKind::copy, 1, 1, {1});
    table.link();
    change(table);
    contend::ScheduleOrder order(table.view());
  };
  CHECK_THROWS(broken([](Table& t) { t.kind[1] = 4; }), "operation 1: its kind is 4");
  CHECK_THROWS(broken([](Table& t) { t.kind[1] = -1; }), "operation 1: its kind is -1");
  CHECK_THROWS(broken([](Table& t) { t.kind[1] = 0; }), "operation 0: operation 1 is not its");
  CHECK_THROWS(broken([](Table& t) { t.kind[1] = 3; }), "operation 0: operation 1 is not its");
  CHECK_THROWS(broken([](Table& t) { t.rank[2] = 0; }), "operation 2: its rank is below");
  CHECK_THROWS(broken([](Table& t) { t.partner[0] = -1; }), "its partner is operation -1, but");
  CHECK_THROWS(broken([](Table& t) { t.partner[0] = 3; }), "operations they are 0 to 2");
  CHECK_THROWS(broken([](Table& t) { t.partner[1] = 2; }), "operation 1 is not its partner");
  CHECK_THROWS(broken([](Table& t) { t.required[0] = 3; }), "operation 2: what it requires is");
  CHECK_THROWS(broken([](Table& t) { t.offsets[1] = 2; }), "offsets must ascend");
  CHECK_THROWS(broken([](Table& t) { t.offsets[3] = 2; }), "offsets must ascend");
  CHECK_THROWS(broken([](Table& t) { t.offsets.pop_back(); }), "offsets has 3 entries; give 4");
  CHECK_THROWS(broken([](Table& t) { t.rank.pop_back(); }), "rank has 2 entries; give 3");
}

TEST(bad_times_are_named) {
  Table table;
  table.add(OperationKind::send, 0, 1);
  table.add(OperationKind::receive, 1, 0);
  table.link();
  const contend::ScheduleOrder order(table.view());
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> good(4), bad{0.0, 0.0, 0.0, -1.0}, endless{0.0, 0.0, inf, 0.0};
  CHECK_THROWS(order.ends({2, bad, good}), "operation 1: its gap must be finite and at least 0");
  CHECK_THROWS(order.finish_times({2, good, endless}), "operation 0: its latency must be finite");
  CHECK_THROWS(order.ends({1, good, good}), "gap has 4 entries; give 2");
}

}  // namespace
