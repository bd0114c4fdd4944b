// Replay of traces; see contend/replay.hpp.
#include "contend/replay.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <vector>

#include "array.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using contend::Programs;
using contend::Replayed;
using contend::ReplayNetwork;
using contend::SizeTimes;
using contend::TraceOps;

TraceOps trace_of(const nb::dict& table) {
  return {.first = column<std::int64_t>(table, "first"),
          .kind = column<std::int8_t>(table, "kind"),
          .call = column<std::int16_t>(table, "call"),
          .peer = column<std::int32_t>(table, "peer"),
          .tag = column<std::int32_t>(table, "tag"),
          .size = column<std::int32_t>(table, "size"),
          .comm = column<std::int32_t>(table, "comm"),
          .request = column<std::int32_t>(table, "request"),
          .list = column<std::int32_t>(table, "list"),
          .seconds = column<double>(table, "seconds"),
          .program = column<std::int32_t>(table, "program"),
          .list_offsets = column<std::int64_t>(table, "list_offsets"),
          .list_values = column<std::int64_t>(table, "list_values"),
          .comm_offsets = column<std::int64_t>(table, "comm_offsets"),
          .members = column<std::int64_t>(table, "members")};
}

Programs programs_of(const nb::dict& table) {
  return {.first = column<std::int64_t>(table, "first"),
          .kind = column<std::int8_t>(table, "kind"),
          .rank = column<std::int32_t>(table, "rank"),
          .partner = column<std::int64_t>(table, "partner"),
          .size = column<std::int32_t>(table, "size"),
          .seconds = column<double>(table, "seconds"),
          .offsets = column<std::int64_t>(table, "offsets"),
          .required = column<std::int64_t>(table, "required"),
          .processor = column<std::int8_t>(table, "processor"),
          .cpu = column<std::int32_t>(table, "cpu"),
          .begun_offsets = column<std::int64_t>(table, "begun_offsets"),
          .begun = column<std::int64_t>(table, "begun")};
}

SizeTimes sizes_of(const nb::dict& table) {
  return {.send_overhead = column<double>(table, "send_overhead"),
          .receive_overhead = column<double>(table, "receive_overhead"),
          .latency = column<double>(table, "latency"),
          .gap = column<double>(table, "gap"),
          .work = column<double>(table, "work"),
          .tail = column<double>(table, "tail"),
          .is_eager = column<std::int8_t>(table, "is_eager"),
          .bytes = column<double>(table, "bytes")};
}

ReplayNetwork network_of(const nb::dict& table) {
  return {.carriage = static_cast<contend::Carriage>(nb::cast<int>(table["carriage"])),
          .hosts = nb::cast<std::int32_t>(table["hosts"]),
          .host = column<std::int32_t>(table, "host"),
          .half_handshake = nb::cast<double>(table["half_handshake"]),
          .pairs = column<std::int64_t>(table, "pairs"),
          .pair_offsets = column<std::int64_t>(table, "pair_offsets"),
          .pair_links = column<std::int32_t>(table, "pair_links"),
          .pair_latency = column<double>(table, "pair_latency"),
          .capacity = column<double>(table, "capacity"),
          .model = nb::cast<std::string>(table["model"]),
          .parameters = column<double>(table, "parameters"),
          .buffer = column<double>(table, "buffer"),
          .pair_delay = column<double>(table, "pair_delay"),
          .first_trips = nb::cast<double>(table["first_trips"]),
          .connected = column<std::int64_t>(table, "connected")};
}

// The dictionaries keep their arrays alive; nobody else changes them meanwhile.
Replayed replay(const nb::dict& trace, std::int32_t calls, const nb::dict& programs,
                const nb::dict& sizes, const nb::dict& network, bool is_recorded, std::int32_t bins,
                std::int32_t messages, bool has_path) {
  const TraceOps ops = trace_of(trace);
  const Programs schedules = programs_of(programs);
  const SizeTimes times = sizes_of(sizes);
  const ReplayNetwork carrier = network_of(network);
  const nb::gil_scoped_release released;
  return contend::replay(ops, calls, schedules, times, carrier, is_recorded,
                         {.bins = bins, .messages = messages, .has_path = has_path});
}

template <typename T>
auto array_of(std::vector<T> Replayed::* field) {
  return [field](nb::handle_t<Replayed> self) {
    return show(nb::cast<const Replayed&>(self).*field, self);
  };
}

}  // namespace

void bind_replay(nb::module_& m) {
  nb::class_<Replayed>(m, "Replayed", "When each operation of a trace is done.")
      .def_prop_ro("rank_end", array_of(&Replayed::rank_end))
      .def_prop_ro("call_time", array_of(&Replayed::call_time))
      .def_prop_ro("start", array_of(&Replayed::start))
      .def_prop_ro("end", array_of(&Replayed::end))
      .def_prop_ro("stuck", array_of(&Replayed::stuck))
      .def_prop_ro("waited", array_of(&Replayed::waited))
      .def_prop_ro("awaited", array_of(&Replayed::awaited))
      .def_ro("bin", &Replayed::bin)
      .def_prop_ro("flight", array_of(&Replayed::flight))
      .def_prop_ro("load", array_of(&Replayed::load))
      .def_prop_ro("lost", array_of(&Replayed::lost))
      .def_prop_ro("message_start", array_of(&Replayed::message_start))
      .def_prop_ro("message_end", array_of(&Replayed::message_end))
      .def_prop_ro("message_src", array_of(&Replayed::message_src))
      .def_prop_ro("message_dst", array_of(&Replayed::message_dst))
      .def_prop_ro("message_size", array_of(&Replayed::message_size))
      .def_ro("path_time", &Replayed::path_time)
      .def_prop_ro("path_sizes", array_of(&Replayed::path_sizes))
      .def_ro("path_halves", &Replayed::path_halves)
      .def_prop_ro("path_calls", array_of(&Replayed::path_calls))
      .def_prop_ro("path_links", array_of(&Replayed::path_links))
      .def_prop_ro("path_latencies", array_of(&Replayed::path_latencies))
      .def_ro("messages", &Replayed::messages)
      .def_ro("unreceived", &Replayed::unreceived);

  m.def("replay", &replay, "trace"_a, "calls"_a, "programs"_a, "sizes"_a, "network"_a,
        "is_recorded"_a, "bins"_a = 0, "kept_messages"_a = 0, "has_path"_a = false,
        "Runs a trace on a network; the tables hold arrays by name.");
}
