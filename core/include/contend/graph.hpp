// Message exchange digraph (MED): who sends how many bytes to whom, and the least time it takes.
//
// Source: Steffenel, Martinasso, Trystram, "Assessing Contention Effects on MPI_Alltoall
// Communications", GPC 2007, section 4 (claims 1 to 3, proposition 1).
//
// Idea: a vertex is a process, an arc one message. A process sends one message and receives one
// message at a time (1-port full-duplex), so a process has two ports, out and in, and a message of
// w bytes holds the out port of its source and the in port of its destination for
// alpha + w beta seconds. What the busiest port has to carry bounds the whole exchange from below.
//
// Restrictions: no forwarding (a message goes straight from src to dst); one alpha and one beta for
// all pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace contend {

// A view of the arcs, one entry of each array per message. Parallel arcs are separate messages with
// a start-up each; a message of no bytes still has a start-up.
struct MessageGraph {
  std::int32_t n;                     // number of vertices, at least 1
  std::span<const std::int32_t> src;  // (n_messages,), in 0 .. n - 1
  std::span<const std::int32_t> dst;  // (n_messages,), in 0 .. n - 1, never equal to src
  std::span<const double> bytes;      // (n_messages,), finite, at least 0
};

// Throws Error, naming the first arc at fault, unless the graph is as its fields demand.
void validate(const MessageGraph& graph);

// What the two ports of each vertex carry; every field is computed, shape (n,).
struct PortLoads {
  std::vector<std::int64_t> out_degrees;  // messages sent, Delta_s(v)
  std::vector<std::int64_t> in_degrees;   // messages received, Delta_r(v)
  std::vector<double> bytes_sent;
  std::vector<double> bytes_received;
};

// Validates the graph and adds up its arcs in one pass over the messages.
PortLoads port_loads(const MessageGraph& graph);

// Every field is computed. No schedule of the exchange is faster than `seconds`.
struct LowerBound {
  // Claim 1: start-ups, at least the largest degree, in or out.
  std::int64_t startups;
  double startup_seconds;  // startups alpha

  // Claim 2: bytes that one port has to carry, at least.
  double bytes;
  double bandwidth_seconds;  // bytes beta

  // Claim 3: startups alpha + bytes beta. It holds in the synchronous model, where all processes
  // begin each step together: there are at least `startups` steps, and the bytes of the most loaded
  // port are spread over steps that each last as long as their largest message.
  double synchronous_seconds;

  // Claim 3 as printed also holds in the asynchronous model (MPI) "if both maxima are due to the
  // same process". `is_simultaneous` is that condition to the letter. It is not enough where send
  // and receive overlap: a process that sends three empty messages while it receives one large
  // message attains both maxima, on different ports, and needs less than their sum.
  // `holds_claim_3` asks for both maxima on the same port of the same process, and then the sum is
  // a bound. Byte sums are compared exactly; sums of whole numbers below 2^53 are exact.
  bool is_simultaneous;
  bool holds_claim_3;

  // max over v of max(out_degree alpha + sent beta, in_degree alpha + received beta). It holds
  // without a side condition: a port carries its messages one after another, each for
  // alpha + w beta, and cannot be done before their sum. It is never below claims 1 and 2, never
  // above claim 3, and equal to claim 3 where `holds_claim_3`.
  double seconds;
};

// alpha in seconds per message and beta in seconds per byte, both finite and at least 0.
LowerBound lower_bound(const PortLoads& loads, double alpha, double beta);

}  // namespace contend
