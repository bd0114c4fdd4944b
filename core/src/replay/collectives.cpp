// Collective operations under way; see collectives.hpp.
#include "replay/collectives.hpp"

#include <algorithm>
#include <utility>

namespace contend {

Collectives::Collectives(const TraceOps& trace, const ProgramTable& programs,
                         const ReplayNetwork& network, Transport& transport, Owner& owner,
                         bool follows_causes, Path& path)
    : trace_(trace),
      programs_(programs),
      network_(network),
      transport_(transport),
      owner_(owner),
      follows_causes_(follows_causes),
      has_rendezvous_(std::ranges::count(transport.sizes().is_eager, 0) > 0),
      cpu_((trace.first.size() - 1) * static_cast<std::size_t>(programs.cpus())),
      path_(path),
      cpu_place_(cpu_.size(), none) {}

void Collectives::join(std::int64_t op, std::int32_t rank, double time, std::int32_t request,
                       std::int32_t on_path) {
  const std::int32_t comm = trace_.comm[op];
  const std::int64_t sequence =
      sequences_[{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(comm)}]++;
  const WideKey key{static_cast<std::uint64_t>(comm), static_cast<std::uint64_t>(sequence)};
  Named& name = named_[key];
  if (name.instance == none) name.instance = make(op);
  const std::int32_t number = name.instance;
  const std::int32_t place = place_of(rank, comm);
  Instance& one = instances_[number];
  Part& mine = one.parts[place];
  mine.request = request;
  mine.last_start = mine.finish = mine.joined = time;
  mine.cause = mine.send_cause = place;
  mine.started_place = mine.finish_place = on_path;
  if (++one.joined == static_cast<std::int32_t>(one.parts.size()))
    name = Named();  // nobody looks for it any more
  enter(number, place, time);
}

std::int32_t Collectives::place_of(std::int32_t rank, std::int32_t comm) const {
  const auto begin = trace_.members.begin() + trace_.comm_offsets[comm];
  const auto end = trace_.members.begin() + trace_.comm_offsets[comm + 1];
  if (rank < end - begin && begin[rank] == rank) return rank;  // as in that of all ranks
  return static_cast<std::int32_t>(std::find(begin, end, rank) - begin);
}

std::int32_t Collectives::make(std::int64_t op) {
  const std::int32_t number = instances_.take();
  Instance& one = instances_[number];
  one.program = trace_.program[op];
  one.call = trace_.call[op];
  const std::int32_t comm = trace_.comm[op];
  const auto members =
      static_cast<std::size_t>(trace_.comm_offsets[comm + 1] - trace_.comm_offsets[comm]);
  one.parts.resize(members);
  one.parts_left = static_cast<std::int32_t>(members);
  const auto begin = programs_.begin(one.program), end = programs_.end(one.program);
  const auto ops = static_cast<std::size_t>(end - begin);
  one.missing.resize(ops);
  one.ready.resize(ops);
  if (follows_causes_) one.cause.assign(ops, none);
  if (path_.is_on()) {
    one.places.assign(ops, none);
    one.come.assign(ops, none);
  }
  one.asking.assign(ops, none);
  if (has_rendezvous_) one.started.assign(ops, 0);
  if (programs_.has_begun()) {
    one.has_come.assign(ops, 0);
    one.posted.assign(ops, 0.0);
  }
  for (auto i = begin; i < end; ++i) {
    const bool has_message =
        programs_.kind(i) == OperationKind::receive || programs_.kind(i) == OperationKind::reduce;
    one.missing[i - begin] = 1 + has_message +
                             static_cast<std::int32_t>(programs_.required(i).size()) +
                             programs_.count_of_begun(i);
  }
  const std::int32_t ranks = programs_.ranks(one.program);
  for (std::int32_t place = 0; place < static_cast<std::int32_t>(members); ++place) {
    const auto first = place < ranks ? programs_.begin(one.program, place) : end;
    const auto last = place < ranks ? programs_.begin(one.program, place + 1) : end;
    one.parts[place].rank =
        static_cast<std::int32_t>(trace_.members[trace_.comm_offsets[comm] + place]);
    one.parts[place].left = last - first;
    one.parts[place].next_send = first;
  }
  return number;
}

void Collectives::enter(std::int32_t number, std::int32_t place, double time) {
  const std::int32_t program = instances_[number].program;
  const bool has_ops = place < programs_.ranks(program);
  if (instances_[number].parts[place].left == 0) {
    finish_part(number, place);
    return;
  }
  if (!has_ops) return;
  const auto last = programs_.begin(program, place + 1);
  const std::int32_t on_path = instances_[number].parts[place].finish_place;
  // Libraries post what they receive before they send, so that answers go before requests.
  const bool posts_first = has_rendezvous_ && network_.carriage == Carriage::tcp;
  const auto enters = [&](bool is_receive) {
    for (auto op = programs_.begin(program, place); op < last; ++op) {
      if (!posts_first || (programs_.kind(op) == OperationKind::receive) == is_receive) {
        arrive(number, op, time, place, on_path);
      }
    }
  };
  if (posts_first) enters(true);
  enters(false);
}

void Collectives::arrive(std::int32_t number, std::int64_t op, double time, std::int32_t cause,
                         std::int32_t on_path, bool is_message) {
  Instance& one = instances_[number];
  const auto i = static_cast<std::size_t>(local(number, op));
  if (follows_causes_ && time >= one.ready[i]) one.cause[i] = cause;
  if (!one.places.empty()) one.places[i] = path_.later(one.places[i], on_path);
  one.ready[i] = std::max(one.ready[i], time);
  const bool is_ready = --one.missing[i] == 0;
  if (programs_.has_begun()) note_post(number, op, time, is_message);
  if (is_ready) {
    make_ready(number, op, is_message);
  } else {
    let_come(number, op);
  }
}

// A receive begins when it is posted, whether its message is there or not.
void Collectives::note_post(std::int32_t number, std::int64_t op, double time, bool is_message) {
  if (programs_.kind(op) != OperationKind::receive) return;
  Instance& one = instances_[number];
  const auto i = static_cast<std::size_t>(local(number, op));
  if (is_message) {
    one.has_come[i] = 1;
    return;
  }
  one.posted[i] = std::max(one.posted[i], time);
  const bool is_posted = one.missing[i] == (one.has_come[i] != 0 ? 0 : 1);
  // In its turn: messages that came before go first to a processor that is free then.
  if (is_posted && !programs_.followers(op).empty()) {
    transport_.set_alarm(one.posted[i], number, ~static_cast<std::int32_t>(op));
  }
}

void Collectives::note_begin(std::int32_t number, std::int64_t op, double time,
                             std::int32_t on_path) {
  if (!programs_.followers(op).empty()) begun_.push_back({number, op, time, on_path});
}

// Whether the receive of a program is posted, so that a message that asks may come.
bool Collectives::is_posted(std::int32_t number, std::int64_t op) const {
  const Instance& one = instances_[number];
  const auto i = static_cast<std::size_t>(local(number, op));
  return one.missing[i] - (has_rendezvous_ ? one.started[i] : 0) == 1;
}

void Collectives::let_come(std::int32_t number, std::int64_t op) {
  Instance& one = instances_[number];
  const auto i = static_cast<std::size_t>(local(number, op));
  if (one.asking[i] == none || !is_posted(number, op)) return;
  const std::int32_t message = std::exchange(one.asking[i], none);
  const double posted =
      std::max(one.ready[i], transport_.messages()[message].start + network_.half_handshake);
  if (follows_causes_ && posted <= one.ready[i]) {  // the sender waits for this rank
    one.cause[local(number, transport_.messages()[message].sender)] = one.cause[i];
  }
  answer(message, one.ready[i], reached(number, op));
}

double Collectives::launch(std::int32_t id, double ready, std::int32_t on_path) {
  path_.at = on_path;
  const double start = transport_.launch(id, ready);
  path_.started(transport_.messages()[id]);
  return start;
}

double Collectives::answer(std::int32_t id, double posted, std::int32_t on_path) {
  path_.at = shaken(transport_.messages()[id], on_path);
  const double start = transport_.answer(id, posted);
  path_.started(transport_.messages()[id]);
  return start;
}

// When request and answer of a message are through whose receive is posted at a place.
std::int32_t Collectives::shaken(const Message& message, std::int32_t posted) {
  return path_.step(
      path_.later(path_.step(message.asked, Path::Part::half, message.size, message.call), posted),
      Path::Part::half, message.size, message.call);
}

// A send that may wait for its receiver: what is combined behind it can come meanwhile.
void Collectives::note_start(std::int32_t number, std::int64_t send, double time) {
  for (const std::int64_t next : programs_.dependents(send)) {
    if (programs_.kind(next) != OperationKind::reduce) continue;
    Instance& one = instances_[number];
    const auto i = static_cast<std::size_t>(local(number, next));
    ++one.started[i];
    one.ready[i] = std::max(one.ready[i], time);  // it is ready later than this in any case
    if (!one.places.empty()) one.places[i] = path_.later(one.places[i], reached(number, send));
    let_come(number, next);
  }
}

void Collectives::make_ready(std::int32_t number, std::int64_t op, bool is_by_message) {
  const OperationKind kind = programs_.kind(op);
  double ready = instances_[number].ready[local(number, op)];
  std::int32_t on_path = reached(number, op);
  const std::int32_t call = instances_[number].call;
  const bool is_receive = kind == OperationKind::receive || kind == OperationKind::reduce;
  if (is_receive && (is_by_message || !is_ready_first(number))) {
    if (!is_by_message && is_in_order(number)) {  // its message was there before
      const auto& view = programs_.view();
      const Received asked{ready, on_path};
      const Received taken = receive(cpu_of(part(number, op).rank, op), view.size[view.partner[op]],
                                     call, asked, asked);
      ready = taken.time;
      on_path = taken.place;
    }
    done_.push_back({number, op, ready, on_path});
  } else if (is_ready_first(number)) {
    transport_.set_alarm(ready, number, static_cast<std::int32_t>(op));
  } else if (kind == OperationKind::copy) {
    const double seconds = programs_.view().seconds[op];
    done_.push_back({number, op, ready + seconds, path_.compute(on_path, seconds, call)});
  } else {
    start_sends(number, programs_.view().rank[op]);
  }
}

// In the order of the table.
void Collectives::start_sends(std::int32_t number, std::int32_t place) {
  const std::int32_t program = instances_[number].program;
  const auto last = programs_.begin(program, place + 1);
  while (true) {
    Instance& one = instances_[number];
    Part& mine = one.parts[place];
    while (mine.next_send < last && programs_.kind(mine.next_send) != OperationKind::send) {
      ++mine.next_send;
    }
    if (mine.next_send >= last || one.missing[local(number, mine.next_send)] > 0) return;
    const std::int64_t op = mine.next_send++;
    const auto i = static_cast<std::size_t>(local(number, op));
    if (follows_causes_) {
      if (one.ready[i] >= mine.last_start) mine.send_cause = one.cause[i];
      one.cause[i] = mine.send_cause;
    }
    const double free = is_in_order(number) ? cpu_[cpu_of(mine.rank, op)] : 0.0;
    mine.last_start = std::max({mine.last_start, one.ready[i], free});
    mine.started_place = path_.later(mine.started_place, reached(number, op));
    if (is_in_order(number)) {
      mine.started_place = path_.later(mine.started_place, cpu_place_[cpu_of(mine.rank, op)]);
    }
    send(number, op, mine.last_start, mine.started_place);
  }
}

void Collectives::send(std::int32_t number, std::int64_t op, double ready, std::int32_t on_path) {
  const auto& view = programs_.view();
  const std::int64_t partner = view.partner[op];
  const std::int32_t id = transport_.messages().take();
  Message& message = transport_.messages()[id];
  note_begin(number, op, ready, on_path);
  message.start = ready;
  message.asked = on_path;
  message.call = instances_[number].call;
  message.src = part(number, op).rank;
  message.size = view.size[op];
  message.sender = static_cast<std::int32_t>(op);
  message.receiver = static_cast<std::int32_t>(partner);
  message.instance = number;
  message.is_eager = transport_.sizes().is_eager[message.size] != 0;
  Instance& one = instances_[number];
  if (!one.places.empty()) one.places[local(number, op)] = on_path;
  message.dst = one.parts[view.rank[partner]].rank;
  const auto i = static_cast<std::size_t>(local(number, partner));
  const bool is_eager = message.is_eager;
  double start = ready;
  if (!is_eager) transport_.ask(id);
  if (is_eager) {
    start = launch(id, ready, on_path);
  } else if (is_posted(number, partner)) {
    const double half = network_.half_handshake;
    if (follows_causes_ && one.ready[i] > ready + half) {
      one.cause[local(number, op)] = one.cause[i];
    }
    start = answer(id, one.ready[i], reached(number, partner));
  } else {
    one.asking[i] = id;
  }
  if (!is_eager) note_start(number, op, ready);
  if (processor(number) == Processor::untouched) {
    Part& mine = part(number, op);
    mine.last_start = std::max(mine.last_start, start);
    mine.started_place = path_.later(mine.started_place, transport_.messages()[id].place);
    return;
  }
  const Message& sent = transport_.messages()[id];
  const double until = ready + transport_.sizes().send_overhead[sent.size];
  const std::size_t cpu = cpu_of(sent.src, op);
  cpu_[cpu] = until;
  cpu_place_[cpu] = path_.step(on_path, Path::Part::send_overhead, sent.size, sent.call);
  if (is_let_go(number, is_eager)) done_.push_back({number, op, until, cpu_place_[cpu]});
}

void Collectives::ended(std::int32_t id) {
  const Message message = transport_.messages()[id];
  transport_.messages().give_back(id);
  const std::int32_t number = message.instance;
  const Path::Ends ends = path_.ends(message);
  if (is_in_order(number)) {
    const double busy = message.start + transport_.sizes().send_overhead[message.size];
    const std::int32_t sent =
        path_.step(message.asked, Path::Part::send_overhead, message.size, message.call);
    if (!is_let_go(number, message.is_eager)) {
      done_.push_back(
          {number, message.sender, std::max(message.sent, busy), path_.later(ends.sent, sent)});
    }
    if (!instances_[number].come.empty()) {
      instances_[number].come[local(number, message.receiver)] = ends.end;
    }
    transport_.set_alarm(message.end, number, message.receiver);
    return;
  }
  Received end{message.end, ends.end};
  if (is_ready_first(number)) {
    end = receive(cpu_of(message.dst, message.receiver), message.size, message.call, {0.0, none},
                  end);
  }
  if (!is_ready_first(number) || !message.is_eager) {
    done_.push_back({number, message.sender, message.sent, ends.sent});
  }
  arrive(number, message.receiver, end.time, cause(number, message.sender), end.place, true);
}

// The message of a receive is there; what is not posted yet takes the processor when it is.
void Collectives::come(std::int32_t number, std::int64_t op, double now) {
  const auto& view = programs_.view();
  const Instance& one = instances_[number];
  const auto i = static_cast<std::size_t>(local(number, op));
  Received end{now, one.come.empty() ? none : one.come[i]};
  if (one.missing[i] == 1) {
    end = receive(cpu_of(part(number, op).rank, op), view.size[view.partner[op]], one.call,
                  {one.ready[i], reached(number, op)}, end);
  }
  arrive(number, op, end.time, cause(number, view.partner[op]), end.place, true);
}

// Lets the processor of a rank take a message that is there, once the rank has asked for it.
Collectives::Received Collectives::receive(std::size_t processor, std::int32_t size,
                                           std::int32_t call, Received asked, Received there) {
  double& cpu = cpu_[processor];
  cpu = std::max(there.time, std::max(cpu, asked.time) + transport_.sizes().receive_overhead[size]);
  std::int32_t& on_path = cpu_place_[processor];
  on_path = path_.later(there.place, path_.step(path_.later(on_path, asked.place),
                                                Path::Part::receive_overhead, size, call));
  return {cpu, on_path};
}

double Collectives::busy_until(std::int32_t id, double now) const {
  const Message& message = transport_.messages()[id];
  path_.busy = none;
  if (message.instance == none || !is_ready_first(message.instance)) return now;
  path_.busy = cpu_place_[cpu_of(message.dst, message.receiver)];
  return std::max(cpu_[cpu_of(message.dst, message.receiver)],
                  transport_.can_receive_from(message.dst));
}

void Collectives::alarm(std::int32_t number, std::int32_t op, double now, std::uint64_t sequence) {
  if (op < 0) {
    begun_.push_back({number, ~op, now, reached(number, ~op)});
    return;
  }
  if (is_in_order(number)) {
    come(number, op, now);
    return;
  }
  const std::int32_t rank = part(number, op).rank;
  const OperationKind kind = programs_.kind(op);
  const bool is_send = kind == OperationKind::send;
  if (kind == OperationKind::receive || kind == OperationKind::reduce) {
    const std::size_t cpu = cpu_of(rank, op);  // its message was there before
    done_.push_back(
        {number, op, std::max(now, cpu_[cpu]), path_.later(reached(number, op), cpu_place_[cpu])});
    return;
  }
  const double own = cpu_[cpu_of(rank, op)];
  const double free = std::max(own, is_send ? transport_.can_send_from(rank) : own);
  if (free > now) {
    transport_.set_alarm(free, number, op, sequence);
    return;
  }
  const std::size_t cpu = cpu_of(rank, op);
  std::int32_t on_path = path_.later(reached(number, op), cpu_place_[cpu]);
  if (is_send) {
    on_path = path_.later(on_path, path_.sending(network_.host[rank]));
    send(number, op, now, on_path);
  } else {
    note_begin(number, op, now, on_path);
    const double seconds = programs_.view().seconds[op];
    cpu_[cpu] = now + seconds;
    cpu_place_[cpu] = path_.compute(on_path, seconds, instances_[number].call);
    done_.push_back({number, op, cpu_[cpu], cpu_place_[cpu]});
  }
}

bool Collectives::drain() {
  const bool had_some = drain_begun() || !done_.empty();
  for (std::size_t i = 0; i < done_.size(); ++i) {  // grows meanwhile
    const Done done = done_[i];
    const auto place = programs_.view().rank[done.op];
    Part& mine = instances_[done.instance].parts[place];
    const std::int32_t from = cause(done.instance, done.op);
    if (done.time >= mine.finish) mine.cause = from;
    mine.finish = std::max(mine.finish, done.time);
    mine.finish_place = path_.later(mine.finish_place, done.place);
    const bool is_last = --mine.left == 0;
    for (const std::int64_t next : programs_.dependents(done.op)) {
      if (has_rendezvous_ && programs_.kind(done.op) == OperationKind::send &&
          programs_.kind(next) == OperationKind::reduce &&
          !transport_.sizes().is_eager[programs_.view().size[done.op]]) {
        --instances_[done.instance].started[local(done.instance, next)];
      }
      arrive(done.instance, next, done.time, from, done.place);
    }
    if (is_last) finish_part(done.instance, place);
  }
  done_.clear();
  return drain_begun() || had_some;
}

// What waits for these to begin.
bool Collectives::drain_begun() {
  const bool had_some = !begun_.empty();
  for (std::size_t i = 0; i < begun_.size(); ++i) {  // grows meanwhile
    const Done begun = begun_[i];
    const std::int32_t from = cause(begun.instance, begun.op);
    for (const std::int64_t next : programs_.followers(begun.op)) {
      arrive(begun.instance, next, begun.time, from, begun.place);
    }
  }
  begun_.clear();
  return had_some;
}

void Collectives::finish_part(std::int32_t number, std::int32_t place) {
  Instance& one = instances_[number];
  const Part mine = one.parts[place];
  const Part& decisive = one.parts[mine.cause == none ? place : mine.cause];
  const std::int32_t rank = mine.cause == none ? none : decisive.rank;
  const double begun = decisive.joined;
  if (--one.parts_left == 0) instances_.give_back(number);
  owner_.part_done(mine.request, mine.finish, rank, begun, mine.finish_place);
}

}  // namespace contend
