// Replay: when each operation of a traced program is done on a network that its messages share.
//
// Source: trace-driven simulation as in Dimemas (Labarta et al. 1996) and SMPI (Degomme et al.
// 2017); overheads, gaps and ports as in pLogP (Kielmann, Bal, Verstoep 2000) and LogGOPS (Hoefler,
// Schneider, Lumsdaine 2010); rates as in the engine (contend/engine.hpp).
//
// Idea: a rank runs ahead through its operations as far as nothing is missing that another one has
// to bring, so only two things happen in order of time: a message enters the network, and leaves
// it. Collective operations are schedules: operations with what each requires, and the partner of
// each.
//
// Cost: with S the start of a send of m bytes, the sender is busy os(m) from S on; the first byte
// enters the network at S, the last one work(m) later if the message is alone, and E is
// L(m) + tail(m) after that. A receive that was asked for at t is done at max(E, t + or(m)).
// Messages from one rank to another go one after the other. A message by rendezvous asks first: its
// data start one `half` after the later of its request, which takes another `half`, and of the post
// of its receive; its sender is done when the last byte has entered. Through ports that serve one
// message at a time the first byte comes to that of the receiver at S + L(m). By TCP request and
// answer are messages of their own, behind what their sender sent before; a rank looks at them
// within calls alone.
//
// Where ranks are connected at their first message, data of either start some round trips after
// that was sent at the earliest; a send that blocks waits for it.
//
// Restrictions: the order in which requests of a rank are handled is that of the ends of their
// messages; combining takes no time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contend/sharing.hpp"

namespace contend {

// As in the Python side's contend.programs.traces.kinds, up to the first collective operation.
enum class TraceKind : std::int8_t { time, send, sync_send, receive, probe, wait, collective = 16 };

// What messages of each size take; (n_sizes,), seconds, at least 0.
struct SizeTimes {
  std::span<const double> send_overhead;
  std::span<const double> receive_overhead;
  std::span<const double> latency;
  std::span<const double> gap;   // for which it keeps a port that serves one message at a time
  std::span<const double> work;  // for which it keeps a port or link for itself, if it is alone
  std::span<const double> tail;
  std::span<const std::int8_t> is_eager;
  std::span<const double> bytes{};  // for TCP alone
};

// Operations by rank and program order; (n_ops,) where no other shape is given.
struct TraceOps {
  std::span<const std::int64_t> first;  // (ranks + 1,)
  std::span<const std::int8_t> kind;    // of TraceKind, or any higher number: collective
  std::span<const std::int16_t> call;   // what it is counted as
  std::span<const std::int32_t> peer;   // -1: any source
  std::span<const std::int32_t> tag;    // -1: any tag
  std::span<const std::int32_t> size;   // of SizeTimes
  std::span<const std::int32_t> comm;
  std::span<const std::int32_t> request;  // -1: it blocks
  std::span<const std::int32_t> list;     // of a wait; -1: none
  std::span<const double> seconds;        // before it
  std::span<const std::int32_t> program;  // of a collective operation
  std::span<const std::int64_t> list_offsets;
  std::span<const std::int64_t> list_values;
  std::span<const std::int64_t> comm_offsets;  // (n_comms + 1,)
  std::span<const std::int64_t> members;       // ranks of each communicator, in its order
};

// What a program takes of the processors of its ranks.
enum class Processor : std::int8_t {
  untouched,    // nothing: sends start in their order, overheads are within gaps, as in a schedule
  in_order,     // the overheads; sends in their order, before what arrives after they are ready
  ready_first,  // the overheads; one operation at a time, whichever is ready first: LogGOPSim
};

// Schedules of collective operations, one after the other; indices count all operations.
struct Programs {
  std::span<const std::int64_t> first;  // (n_programs + 1,)
  std::span<const std::int8_t> kind;    // OperationKind of contend/schedule.hpp
  std::span<const std::int32_t> rank;   // in the communicator; never falls
  std::span<const std::int64_t> partner;
  std::span<const std::int32_t> size;
  std::span<const double> seconds;        // of a copy
  std::span<const std::int64_t> offsets;  // (n_ops + 1,) of the rows of `required`
  std::span<const std::int64_t> required;
  std::span<const std::int8_t> processor;  // (n_programs,) of Processor
  // (n_ops,) The processor of its rank that an operation needs, or empty: all need the first.
  std::span<const std::int32_t> cpu{};
  // (n_ops + 1,) and rows of what has to have begun before an operation begins, or empty.
  std::span<const std::int64_t> begun_offsets{};
  std::span<const std::int64_t> begun{};
};

enum class Carriage : std::int8_t {
  alone,   // every message as if no other were there
  ports,   // a host sends one message at a time and receives one at a time, in order of arrival
  shared,  // by a sharing model
  tcp,     // as segments of TCP connections, by routes
};

struct ReplayNetwork {
  Carriage carriage;
  std::int32_t hosts;
  std::span<const std::int32_t> host;  // (ranks,)
  double half_handshake;               // seconds of a request, or of its answer
  // Routes between hosts, by pair src * hosts + dst in ascending order; empty: one switch.
  std::span<const std::int64_t> pairs;
  std::span<const std::int64_t> pair_offsets;  // (n_pairs + 1,)
  std::span<const std::int32_t> pair_links;
  std::span<const double> pair_latency;  // (n_pairs,) added to that of the size, or empty
  std::span<const double> capacity;      // of links, where a host's bandwidth is 1
  std::string model;
  std::span<const double> parameters;
  // For TCP: what links hold that wait, (n_links,) bytes, and what a pair adds to a frame's way,
  // (n_pairs,) seconds; there is no pair_latency then. Pairs have those of their answers too.
  std::span<const double> buffer{};
  std::span<const double> pair_delay{};
  // Libraries that connect two ranks when the first message between them is sent: round trips of an
  // empty message before its data, by TCP beside its frames, 0 where they do not; and pairs that
  // are connected from the start, lower * ranks + higher in ascending order.
  double first_trips = 0.0;
  std::span<const std::int64_t> connected{};
};

// What is recorded of the network beside the times of operations; nothing unless it is asked for.
struct RecordLimits {
  std::int32_t bins = 0;      // of the time, at most; an even number
  std::int32_t messages = 0;  // that are kept: those that are under way longest
  bool has_path = false;      // the critical path is followed; not by TCP
};

// Every field is computed.
struct Replayed {
  std::vector<double> rank_end;     // (ranks,) seconds
  std::vector<double> call_time;    // (ranks * calls,) seconds within calls of each name
  std::vector<double> start, end;   // (n_ops,) or empty
  std::vector<std::int64_t> stuck;  // (ranks,) the operation that never ends, or -1
  std::int64_t messages;
  std::int64_t unreceived;  // messages that nobody has asked for

  // (n_ops,) or empty: for how long of its time an operation waits for a rank that has not begun
  // its part, a late one, and for which rank; -1: none.
  std::vector<double> waited{};
  std::vector<std::int32_t> awaited{};

  // Of the network. Links are the ports of the hosts to send by, those to receive by, and those of
  // routes. `lost` is what messages take longer than alone, each at the link of its way with the
  // most messages for its capacity meanwhile, or in equal parts at several.
  double bin = 0.0;              // seconds of a bin
  std::vector<double> flight{};  // (bins,) seconds that messages are under way
  std::vector<double> load{};    // (links * bins,) seconds of work at the bandwidth of a host
  std::vector<double> lost{};    // (links,) seconds of all messages
  std::vector<double> message_start{}, message_end{};  // (n_kept,)
  std::vector<std::int32_t> message_src{}, message_dst{}, message_size{};

  // Of the critical path: by how much the run ends later for each second that the named thing takes
  // longer. Empty where it was not followed, or is too long.
  double path_time = 0.0;            // seconds: that of the run
  std::vector<double> path_sizes{};  // (6 * n_sizes,) for the columns of SizeTimes, in their order
  double path_halves = 0.0;          // for half a handshake
  // Seconds on it, or their derivative where rates are shared: (calls + 1) * 4, computing,
  // overhead, latency and bytes of each call, and between calls; (links,) of bytes; and (links,)
  // latencies.
  std::vector<double> path_calls{}, path_links{}, path_latencies{};
};

// Throws Error where an argument is not as its fields demand.
Replayed replay(const TraceOps& trace, std::int32_t calls, const Programs& programs,
                const SizeTimes& sizes, const ReplayNetwork& network, bool is_recorded,
                const RecordLimits& limits = {});

}  // namespace contend
