// The critical path of a replay; see path.hpp.
#include "replay/path.hpp"

#include <cmath>
#include <utility>

#include "contend/sharing.hpp"

namespace contend {
namespace {

constexpr std::size_t most_places = std::size_t{1} << 23;  // 400 MB
constexpr std::size_t most_looks = 20'000'000;             // at flows under way: a second
constexpr double rounding = 1e-9;

}  // namespace

Path::Path(const SizeTimes& sizes, const ReplayNetwork& network, bool is_on)
    : sizes_(sizes),
      network_(network),
      is_on_(is_on && network.carriage != Carriage::tcp && network.first_trips == 0.0),
      has_ports_(network.carriage == Carriage::ports),
      has_routes_(network.carriage == Carriage::shared && !network.pairs.empty() &&
                  sharing_model(network.model).has_routes) {
  if (!is_on_) return;
  const auto hosts = static_cast<std::size_t>(network.hosts);
  sending_.assign(hosts, none);
  receiving_.assign(hosts, none);
  capacity_.assign(2 * hosts, 1.0);
  capacity_.insert(capacity_.end(), network.capacity.begin(), network.capacity.end());
  load_.resize(capacity_.size());
  most_.resize(capacity_.size());
}

// It is too long to be followed.
void Path::give_up() {
  is_on_ = false;
  places_ = {};
  edges_ = {};
  shares_ = {};
  moving_ = {};
}

std::int32_t Path::add(Place place) {
  if (!is_on_) return none;
  if (places_.size() + edges_.size() >= most_places) give_up();
  if (!is_on_) return none;
  places_.push_back(place);
  return static_cast<std::int32_t>(places_.size()) - 1;
}

double Path::seconds(Part part, std::int32_t size) const {
  switch (part) {
    case Part::send_overhead:
      return sizes_.send_overhead[size];
    case Part::receive_overhead:
      return sizes_.receive_overhead[size];
    case Part::latency:
      return sizes_.latency[size];
    case Part::gap:
      return sizes_.gap[size];
    case Part::work:
      return sizes_.work[size];
    case Part::tail:
      return sizes_.tail[size];
    case Part::half:
      return network_.half_handshake;
    default:
      return 0.0;
  }
}

std::int32_t Path::compute(std::int32_t before, double seconds, std::int32_t call) {
  if (!is_on_ || seconds <= 0.0) return before;
  return add({time(before) + seconds, seconds, before, none, none, none, call, Part::computing});
}

std::int32_t Path::step(std::int32_t before, Part part, std::int32_t size, std::int32_t call) {
  if (!is_on_) return none;
  const double takes = seconds(part, size);
  return add({time(before) + takes, takes, before, size, none, none, call, part});
}

std::int32_t Path::step(std::int32_t before, Part part, const Message& message, Side side) {
  if (!is_on_) return none;
  const std::int32_t src = side == Side::in ? none : network_.host[message.src];
  const std::int32_t dst = side == Side::out ? none : network_.host[message.dst];
  double takes = seconds(part, message.size);
  if (part == Part::latency) takes += pair_latency(message);
  return add({time(before) + takes, takes, before, message.size, src, dst, message.call, part});
}

std::int64_t Path::pair_of(std::int32_t src, std::int32_t dst) const {
  const std::int64_t pair = static_cast<std::int64_t>(src) * network_.hosts + dst;
  const auto place = std::lower_bound(network_.pairs.begin(), network_.pairs.end(), pair);
  return place == network_.pairs.end() || *place != pair ? none : place - network_.pairs.begin();
}

double Path::pair_latency(const Message& message) const {
  if (network_.pair_latency.empty()) return 0.0;
  const auto pair = pair_of(network_.host[message.src], network_.host[message.dst]);
  return pair == none ? 0.0 : network_.pair_latency[static_cast<std::size_t>(pair)];
}

void Path::started(Message& message) {
  message.place = at;
  const std::int32_t host = network_.host[message.src];
  if (!is_on_ || !has_ports_ || host == network_.host[message.dst]) return;
  sending_[host] = step(at, Part::gap, message, Side::out);
}

std::int32_t Path::entered(const Message& message) {
  if (!is_on_) return none;
  return later(message.place, streams_[stream(message)].place);
}

Path::Ends Path::ends(const Message& message) {
  if (!is_on_) return {};
  if (has_ports_) {
    const std::int32_t gone = std::exchange(left, none);
    const std::int32_t last =
        gone != none ? gone
                     : step(later(step(message.place, Part::latency, message, Side::both), busy),
                            Part::work, message, Side::both);
    return {step(message.place, Part::gap, message, Side::out),
            step(last, Part::tail, message, Side::both)};
  }
  const auto flow = static_cast<std::size_t>(message.flow);
  const bool is_shared = message.flow != none && flow < flow_left_.size();
  std::int32_t gone = is_shared ? flow_left_[flow] : none;
  if (gone == none) gone = step(entered(message), Part::work, message, Side::both);
  if (!is_on_) return {};
  streams_[stream(message)].place = gone;
  return {gone,
          step(step(gone, Part::tail, message, Side::both), Part::latency, message, Side::both)};
}

void Path::start(const Message& message, double now, std::span<const std::int32_t> links) {
  if (!is_on_) return;
  const auto flow = static_cast<std::size_t>(message.flow);
  if (flow >= flow_left_.size()) flow_left_.resize(2 * flow + 64, none);
  flow_left_[flow] = none;
  event_ = entered(message);
  moving_.push_back({message.flow,
                     message.size,
                     message.call,
                     event_,
                     now,
                     0.0,
                     0.0,
                     {links.begin(), links.end()}});
}

void Path::end(std::int32_t flow, double now) {
  if (!is_on_) return;
  const auto one = std::find_if(moving_.begin(), moving_.end(),
                                [&](const Moving& other) { return other.flow == flow; });
  if (one == moving_.end()) return;
  pass(*one, now);
  const double last = one->rate > 0.0 ? one->rate : 1.0;
  double seconds = 0.0;
  for (const Edge& change : one->changes) edges_.push_back({change.place, change.weight / last});
  for (const Share& share : one->shares) {
    shares_.push_back({share.link, share.seconds / last});
    seconds += share.seconds / last;
  }
  edges_.push_back({one->begin, one->first_rate / last});
  event_ = add({now, seconds, static_cast<std::int32_t>(ends_.size()), one->size, none, none,
                one->call, Part::shared});
  ends_.push_back({edges_.size(), shares_.size(), 1.0 / last});
  if (!is_on_) return;
  flow_left_[static_cast<std::size_t>(flow)] = event_;
  if (one != moving_.end() - 1) *one = std::move(moving_.back());
  moving_.pop_back();
}

// What it has carried since it was looked at, at the links that limited it.
void Path::pass(Moving& one, double now) {
  const double work = one.rate * (now - one.since) / static_cast<double>(one.narrow.size());
  for (const std::int32_t link : one.narrow) {
    const auto same = std::find_if(one.shares.begin(), one.shares.end(),
                                   [&](const Share& share) { return share.link == link; });
    if (same == one.shares.end()) {
      one.shares.push_back({link, work});
    } else {
      same->seconds += work;
    }
  }
  one.since = now;
}

void Path::share(double now, const Lanes& lanes) {
  if (!is_on_) return;
  looks_ += moving_.size();
  if (looks_ > most_looks) {
    give_up();
    return;
  }
  for (Moving& one : moving_) {
    pass(one, now);
    const double rate = lanes.rate(lanes.lane(one.flow));
    if (one.first_rate == 0.0) {
      one.first_rate = rate;
    } else if (std::abs(rate - one.rate) > rounding * one.rate) {
      one.changes.push_back({event_, rate - one.rate});
    }
    one.rate = rate;
  }
  find_narrow();
}

// Of the links that are full those at which no flow is faster, else those that are fullest.
void Path::find_narrow() {
  for (const Moving& one : moving_) {
    for (const std::int32_t link : one.links) load_[link] = most_[link] = 0.0;
  }
  for (const Moving& one : moving_) {
    for (const std::int32_t link : one.links) {
      load_[link] += one.rate;
      most_[link] = std::max(most_[link], one.rate);
    }
  }
  for (Moving& one : moving_) {
    one.narrow.clear();
    double fullest = 0.0;
    for (const std::int32_t link : one.links) {
      const double use = load_[link] / capacity_[link];
      fullest = std::max(fullest, use);
      if (use >= 1.0 - rounding && one.rate >= most_[link] * (1.0 - rounding)) {
        one.narrow.push_back(link);
      }
    }
    if (!one.narrow.empty()) continue;
    for (const std::int32_t link : one.links) {
      if (load_[link] / capacity_[link] >= fullest * (1.0 - rounding)) one.narrow.push_back(link);
    }
  }
}

void Path::give(std::int32_t last, std::int32_t calls, Replayed& result) const {
  if (!is_on_) return;
  result.path_time = time(last);
  result.path_sizes.resize(sizes_of_parts * sizes_.work.size());
  result.path_calls.resize(kinds * static_cast<std::size_t>(calls + 1));
  result.path_links.resize(capacity_.size());
  result.path_latencies.resize(capacity_.size());
  std::vector<double> worth(places_.size());
  if (last != none) worth[static_cast<std::size_t>(last)] = 1.0;
  for (auto i = static_cast<std::int64_t>(places_.size()) - 1; i >= 0; --i) {
    const Place& place = places_[static_cast<std::size_t>(i)];
    const double own = worth[static_cast<std::size_t>(i)];
    if (own == 0.0) continue;
    follow(place, own, calls, result);
    if (place.part != Part::shared) {
      if (place.before != none) worth[static_cast<std::size_t>(place.before)] += own;
      continue;
    }
    const auto flow = static_cast<std::size_t>(place.before);
    for (std::size_t e = flow ? ends_[flow - 1].edges : 0; e < ends_[flow].edges; ++e) {
      const Edge& edge = edges_[e];
      if (edge.place != none) worth[static_cast<std::size_t>(edge.place)] += own * edge.weight;
    }
  }
}

// What a place adds to the derivatives, where the run ends `worth` seconds later for each of it.
void Path::follow(const Place& place, double worth, std::int32_t calls, Replayed& result) const {
  const auto sizes = sizes_.work.size();
  const auto size = static_cast<std::size_t>(place.size);
  double of_size = worth;
  Kind kind = Kind::bytes;
  std::size_t column = static_cast<std::size_t>(place.part);
  switch (place.part) {
    case Part::send_overhead:
    case Part::receive_overhead:
    case Part::tail:
      kind = Kind::overhead;
      break;
    case Part::latency:
    case Part::half:
      kind = Kind::latency;
      break;
    case Part::computing:
      kind = Kind::computing;
      break;
    case Part::shared: {
      const auto flow = static_cast<std::size_t>(place.before);
      column = static_cast<std::size_t>(Part::work);
      of_size *= ends_[flow].per_work;
      for (std::size_t s = flow ? ends_[flow - 1].shares : 0; s < ends_[flow].shares; ++s) {
        result.path_links[shares_[s].link] += worth * shares_[s].seconds;
      }
      break;
    }
    default:
      break;
  }
  if (column < sizes_of_parts) result.path_sizes[column * sizes + size] += of_size;
  if (place.part == Part::half) result.path_halves += worth;
  const auto call = static_cast<std::size_t>(place.call == none ? calls : place.call);
  result.path_calls[call * kinds + static_cast<std::size_t>(kind)] += worth * place.seconds;
  if (place.src == none && place.dst == none) return;
  if (place.part == Part::latency) follow_way(place, worth, result);
  if (place.part != Part::gap && place.part != Part::work) return;
  const bool is_local = place.src == place.dst;
  const double each = worth * place.seconds / (place.src != none && place.dst != none ? 2.0 : 1.0);
  if (is_local) return;
  if (place.src != none) result.path_links[place.src] += each;
  if (place.dst != none) result.path_links[network_.hosts + place.dst] += each;
}

// A latency of each link on the way of a message.
void Path::follow_way(const Place& place, double worth, Replayed& result) const {
  if (place.src == place.dst) return;
  if (!has_routes_) {
    result.path_latencies[place.src] += worth;
    result.path_latencies[network_.hosts + place.dst] += worth;
  }
  const auto pair = pair_of(place.src, place.dst);
  if (pair == none) return;
  const auto begin = network_.pair_offsets[static_cast<std::size_t>(pair)];
  const auto end = network_.pair_offsets[static_cast<std::size_t>(pair) + 1];
  for (auto i = begin; i < end; ++i) {
    result.path_latencies[2 * network_.hosts + network_.pair_links[i]] += worth;
  }
}

}  // namespace contend
