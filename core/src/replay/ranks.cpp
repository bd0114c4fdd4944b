// Ranks: each runs through its operations until it has to wait; see ranks.hpp.
#include "replay/ranks.hpp"

#include <algorithm>
#include <utility>

namespace contend {

Ranks::Ranks(const TraceOps& trace, std::int32_t calls, const ProgramTable& programs,
             const ReplayNetwork& network, Transport& transport, bool is_recorded, Path& path)
    : trace_(trace),
      calls_(calls),
      transport_(transport),
      matching_(trace, transport.messages(), requests_),
      collectives_(trace, programs, network, transport, *this, is_recorded, path),
      ranks_(trace.first.size() - 1),
      has_phases_(transport.is_memoryless() && !path.is_on() && !programs.takes_processors()),
      phases_(trace),
      path_(path),
      result_() {
  result_.call_time.resize(ranks_.size() * static_cast<std::size_t>(calls));
  if (is_recorded) {
    result_.start.resize(trace.kind.size());
    result_.end.resize(trace.kind.size());
    result_.waited.resize(trace.kind.size());
    result_.awaited.assign(trace.kind.size(), none);
  }
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    ranks_[r].next = trace.first[r];
    ranks_[r].last = trace.first[r + 1];
  }
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    active_ += ranks_[r].next < ranks_[r].last;
    if (ranks_[r].next < ranks_[r].last) begin(static_cast<std::int32_t>(r));
    runnable_.push_back(static_cast<std::int32_t>(r));
  }
}

Replayed Ranks::result() {
  std::int32_t last = none;
  for (const Rank& rank : ranks_) {
    last = path_.later(last, rank.place);
    result_.rank_end.push_back(rank.time);
    result_.stuck.push_back(rank.next < rank.last ? rank.next : -1);
  }
  result_.unreceived = transport_.messages().in_use();
  path_.give(last, calls_, result_);
  return std::move(result_);
}

void Ranks::drain() {
  while (true) {
    if (has_phases_ && is_still()) pass_phases();
    while (!runnable_.empty()) {
      const std::int32_t rank = runnable_.back();
      runnable_.pop_back();
      run(rank);
    }
    if (!collectives_.drain()) return;
  }
}

bool Ranks::is_still() const {
  return active_ > 0 && runnable_.size() == static_cast<std::size_t>(active_) &&
         transport_.is_still();
}

// All ranks can go on: passes the phases that begin now and were seen before.
void Ranks::pass_phases() {
  Standing now;
  double first = unknown;
  for (const std::int32_t rank : runnable_) {
    if (ranks_[rank].next < ranks_[rank].last) finish(rank);
  }
  for (const Rank& rank : ranks_) {
    now.next.push_back(rank.next);
    now.time.push_back(rank.time);
    first = std::min(first, rank.time);
  }
  if (requests_.in_use() == 0 && transport_.is_free(first)) {
    note_phase(now);
    while (const Phase* phase = phases_.find(now)) {
      pass(*phase);
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        now.next[rank] = ranks_[rank].next;
        now.time[rank] = ranks_[rank].time;
      }
    }
    open_phase_ = {std::move(now), {}, result_.call_time, result_.messages};
    has_phases_ = !phases_.is_given_up();
  }
  for (const std::int32_t rank : runnable_) {
    if (ranks_[rank].next < ranks_[rank].last) begin(rank);
  }
}

void Ranks::note_phase(const Standing& now) {
  Phase& phase = open_phase_;
  if (phase.before.next.empty()) return;
  phase.after = now;
  for (std::size_t i = 0; i < phase.call_time.size(); ++i) {
    phase.call_time[i] = result_.call_time[i] - phase.call_time[i];
  }
  phase.messages = result_.messages - phase.messages;
  phases_.add(std::move(phase));
}

void Ranks::pass(const Phase& phase) {
  const double then = phase.before.first_time();
  double now = unknown;
  for (const Rank& rank : ranks_) now = std::min(now, rank.time);
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Rank& me = ranks_[r];
    const auto rank = static_cast<std::int32_t>(r);
    const std::int64_t begin = phase.before.next[r];
    const std::int64_t count = phase.after.next[r] - begin;
    for (std::int64_t i = 0; i < count; ++i) {
      if (static_cast<TraceKind>(trace_.kind[begin + i]) >= TraceKind::collective) {
        collectives_.pass(rank, trace_.comm[begin + i]);
      }
      if (result_.start.empty()) continue;
      result_.start[me.next + i] = result_.start[begin + i] - then + now;
      result_.end[me.next + i] = result_.end[begin + i] - then + now;
      result_.waited[me.next + i] = result_.waited[begin + i];
      result_.awaited[me.next + i] = result_.awaited[begin + i];
    }
    me.next += count;
    me.time = phase.after.time[r] - then + now;
    active_ -= count > 0 && me.next == me.last;
  }
  for (std::size_t i = 0; i < phase.call_time.size(); ++i) {
    result_.call_time[i] += phase.call_time[i];
  }
  result_.messages += phase.messages;
}

void Ranks::run(std::int32_t number) {
  while (ranks_[number].pending == 0 && ranks_[number].next < ranks_[number].last) {
    finish(number);
    if (ranks_[number].next < ranks_[number].last) begin(number);
  }
}

void Ranks::begin(std::int32_t number) {
  Rank& me = ranks_[number];
  const std::int64_t op = me.next;
  const auto kind = static_cast<TraceKind>(trace_.kind[op]);
  if (kind == TraceKind::time) {
    me.called = me.time;
    me.time += trace_.seconds[op];
    me.place = path_.compute(me.place, trace_.seconds[op], trace_.call[op]);
    return;
  }
  me.time += trace_.seconds[op];
  me.place = path_.compute(me.place, trace_.seconds[op], none);
  me.called = me.time;
  switch (kind) {
    case TraceKind::send:
    case TraceKind::sync_send:
      send(number, kind == TraceKind::send && transport_.sizes().is_eager[trace_.size[op]] != 0);
      break;
    case TraceKind::receive:
      receive(number);
      break;
    case TraceKind::probe:
      probe(number);
      break;
    case TraceKind::wait:
      wait(number);
      break;
    default:
      join(number);
  }
}

// In the order of the ends, whatever their order in the trace.
void Ranks::finish(std::int32_t number) {
  Rank& me = ranks_[number];
  const bool is_recorded = !result_.start.empty();
  if (is_recorded) note_last(me);
  ends_.clear();
  for (const std::int32_t one : me.awaited) {
    const Request& request = requests_[one];
    ends_.push_back({request.time, request.overhead, request.place, request.size});
    requests_.give_back(one);
  }
  if (ends_.size() > 1) std::sort(ends_.begin(), ends_.end());
  for (const auto& [time, overhead, place, size] : ends_) {
    me.time = std::max(time, me.time + overhead);
    const std::int32_t taken = overhead > 0.0 ? path_.step(me.place, Path::Part::receive_overhead,
                                                           size, trace_.call[me.next])
                                              : me.place;
    me.place = path_.later(taken, place);
  }
  me.awaited.clear();
  me.probe = none;
  const std::int64_t op = me.next++;
  active_ -= me.next == me.last;
  result_.call_time[static_cast<std::size_t>(number) * static_cast<std::size_t>(calls_) +
                    static_cast<std::size_t>(trace_.call[op])] += me.time - me.called;
  if (is_recorded) {
    result_.start[op] = me.called;
    result_.end[op] = me.time;
    if (const double late = std::min(me.begun, me.time) - me.called;
        me.other != none && late > 0.0) {
      result_.waited[op] = late;
      result_.awaited[op] = me.other;
    }
  }
}

void Ranks::note_last(Rank& me) {
  me.other = none;
  double last = -1.0;
  for (const std::int32_t one : me.awaited) {
    if (requests_[one].time <= last) continue;
    last = requests_[one].time;
    me.other = requests_[one].other;
    me.begun = requests_[one].begun;
  }
}

std::int32_t Ranks::request_of(std::int32_t rank) {
  const std::int32_t request = requests_.take();
  requests_[request].rank = rank;
  requests_[request].posted = ranks_[rank].time;
  requests_[request].posted_place = ranks_[rank].place;
  return request;
}

void Ranks::send(std::int32_t number, bool is_eager) {
  Rank& me = ranks_[number];
  const std::int64_t op = me.next;
  const double overhead = transport_.sizes().send_overhead[trace_.size[op]];
  const bool blocks = trace_.request[op] < 0;
  const std::int32_t id = transport_.messages().take();
  ++result_.messages;
  Message& message = transport_.messages()[id];
  message.start = me.time;
  message.src = number;
  message.dst = trace_.peer[op];
  message.size = trace_.size[op];
  message.comm = trace_.comm[op];
  message.tag = trace_.tag[op];
  message.is_eager = is_eager;
  message.call = trace_.call[op];
  message.asked = me.place;
  const auto take = [&](std::int32_t from) {
    return overhead > 0.0 ? path_.step(from, Path::Part::send_overhead, message.size, message.call)
                          : from;
  };
  if (is_eager) {
    const double start = launch(id, me.time, me.place);
    me.time = (blocks ? transport_.connected(message, start) : me.time) + overhead;
    me.place = take(blocks ? message.place : me.place);
    if (!blocks) {
      const std::int32_t request = request_of(number);
      requests_[request].time = me.time;
      requests_[request].place = me.place;
      keep_or_await(number, request);
    }
  } else {
    const std::int32_t request = request_of(number);
    message.sender = request;
    me.time += overhead;
    me.place = take(me.place);
    keep_or_await(number, request);
    transport_.ask(id);
  }
  if (matching_.is_open(trace_.peer[op])) {
    const double way = transport_.envelope_after(transport_.messages()[id]);
    transport_.set_alarm(me.called + way, envelope, id);
  } else {
    offer(id);
  }
}

void Ranks::receive(std::int32_t number) {
  const std::int64_t op = ranks_[number].next;
  const std::int32_t request = request_of(number);
  requests_[request].src = trace_.peer[op];
  requests_[request].tag = trace_.tag[op];
  requests_[request].comm = trace_.comm[op];
  const std::int32_t message = matching_.message_for(request);
  if (message != none) match(message, request);
  keep_or_await(number, request);
}

void Ranks::probe(std::int32_t number) {
  Rank& me = ranks_[number];
  const std::int64_t op = me.next;
  const std::int32_t request = request_of(number);
  requests_[request].src = trace_.peer[op];
  requests_[request].tag = trace_.tag[op];
  requests_[request].comm = trace_.comm[op];
  const std::int32_t message = matching_.waiting_for(request);
  if (message == none) {
    me.probe = request;
  } else {
    const Message& found = transport_.messages()[message];
    requests_[request].time = found.start + transport_.sizes().latency[found.size];
    requests_[request].place = path_.step(found.asked, Path::Part::latency, found.size, found.call);
    requests_[request].other = found.src;
    requests_[request].begun = found.start;
  }
  await(number, request);
}

void Ranks::wait(std::int32_t number) {
  Rank& me = ranks_[number];
  const std::int32_t list = trace_.list[me.next];
  if (list < 0) return;
  for (auto i = trace_.list_offsets[list]; i < trace_.list_offsets[list + 1]; ++i) {
    const std::int32_t request = std::exchange(open(number, trace_.list_values[i]), none);
    if (request != none) await(number, request);  // else it was done before
  }
}

void Ranks::join(std::int32_t number) {
  const std::int64_t op = ranks_[number].next;
  const std::int32_t request = request_of(number);
  keep_or_await(number, request);
  collectives_.join(op, number, ranks_[number].called, request, ranks_[number].place);
}

void Ranks::keep_or_await(std::int32_t number, std::int32_t request) {
  const std::int32_t name = trace_.request[ranks_[number].next];
  if (name < 0) {
    await(number, request);
  } else {
    open(number, name) = request;
  }
}

void Ranks::await(std::int32_t number, std::int32_t request) {
  ranks_[number].awaited.push_back(request);
  if (requests_[request].time < unknown) return;
  requests_[request].is_awaited = true;
  ++ranks_[number].pending;
}

void Ranks::resolve(std::int32_t number, double time) {
  Request& request = requests_[number];
  request.time = time;
  if (request.is_awaited && --ranks_[request.rank].pending == 0) runnable_.push_back(request.rank);
}

// Looks for the receive of a message, or lets it wait for one.
void Ranks::offer(std::int32_t id) {
  const std::int32_t request = matching_.receive_for(id);
  if (request != none) {
    match(id, request);
    return;
  }
  const Message& message = transport_.messages()[id];
  Rank& other = ranks_[message.dst];
  if (other.probe == none) return;
  const std::int32_t probe = other.probe;
  if (matching_.waiting_for(probe) == none) return;
  other.probe = none;
  requests_[probe].other = message.src;
  requests_[probe].begun = message.start;
  requests_[probe].place =
      path_.step(message.asked, Path::Part::latency, message.size, message.call);
  resolve(probe, message.start + transport_.sizes().latency[message.size]);
}

void Ranks::match(std::int32_t id, std::int32_t request) {
  Message& message = transport_.messages()[id];
  message.receiver = request;
  requests_[request].other = message.src;
  requests_[request].begun = message.start;
  requests_[request].overhead = transport_.sizes().receive_overhead[message.size];
  requests_[request].size = message.size;
  if (message.end < unknown) {
    const double end = message.end;
    requests_[request].place = message.come;
    transport_.messages().give_back(id);
    resolve(request, end);
  } else if (!message.is_eager && !message.has_started) {
    requests_[message.sender].other = message.dst;
    requests_[message.sender].begun = requests_[request].posted;
    const std::int32_t ready =
        path_.later(path_.step(message.asked, Path::Part::half, message.size, message.call),
                    requests_[request].posted_place);
    path_.at = path_.step(ready, Path::Part::half, message.size, message.call);
    transport_.answer(id, requests_[request].posted);
    path_.started(transport_.messages()[id]);
  }
}

double Ranks::launch(std::int32_t id, double ready, std::int32_t place) {
  path_.at = place;
  const double start = transport_.launch(id, ready);
  path_.started(transport_.messages()[id]);
  return start;
}

// What comes while a rank computes is looked at in the call after that, behind what it sends first.
double Ranks::looks(std::int32_t rank, double now) const {
  if (ranks_[rank].pending == 0) return now;
  return std::max({now, ranks_[rank].called, collectives_.free_from(rank)});
}

void Ranks::ended(std::int32_t id) {
  const Message message = transport_.messages()[id];
  if (message.instance != none) {
    ++result_.messages;
    collectives_.ended(id);
    return;
  }
  const Path::Ends ends = path_.ends(message);
  if (message.sender != none) {
    requests_[message.sender].place = ends.sent;
    resolve(message.sender, message.sent);
  }
  transport_.messages()[id].come = ends.end;
  if (message.receiver == none) return;  // nobody has asked for it yet
  requests_[message.receiver].place = ends.end;
  transport_.messages().give_back(id);
  resolve(message.receiver, message.end);
}

void Ranks::alarm(std::int32_t what, std::int32_t number, double now, std::uint64_t sequence) {
  if (what == envelope) {
    offer(number);
  } else {
    collectives_.alarm(what, number, now, sequence);
  }
}

}  // namespace contend
