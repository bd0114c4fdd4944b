// When the operations of a schedule are done: ScheduleOrder; see contend/schedule.hpp.
#include "contend/schedule.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "array.hpp"
#include "contend/error.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using contend::ScheduleOrder;

void make_order(ScheduleOrder* self, const ArrayIn<std::int8_t>& kind,
                const ArrayIn<std::int64_t>& rank, const ArrayIn<std::int64_t>& partner,
                const ArrayIn<std::int64_t>& offsets, const ArrayIn<std::int64_t>& required) {
  const contend::Schedule schedule{view(kind), view(rank), view(partner), view(offsets),
                                   view(required)};
  const nb::gil_scoped_release released;
  new (self) ScheduleOrder(schedule);
}

contend::MessageTimes times_of(const TableIn<double>& gap, const TableIn<double>& latency) {
  if (gap.shape(0) != latency.shape(0)) {
    throw contend::Error("gap has " + std::to_string(gap.shape(0)) + " cases and latency " +
                         std::to_string(latency.shape(0)) + "; give both for each case");
  }
  return {gap.shape(0), {gap.data(), gap.size()}, {latency.data(), latency.size()}};
}

// Evaluates without the interpreter's lock and hands the values over to an array of this shape.
template <std::size_t Dimensions>
auto evaluated(std::vector<double> (ScheduleOrder::*evaluate)(const contend::MessageTimes&) const) {
  return [evaluate](const ScheduleOrder& order, const TableIn<double>& gap,
                    const TableIn<double>& latency) {
    const contend::MessageTimes times = times_of(gap, latency);
    std::vector<double> values = [&] {
      const nb::gil_scoped_release released;
      return (order.*evaluate)(times);
    }();
    return give<Dimensions>(std::move(values), {times.cases, order.size()});
  };
}

// Ends, and waits at links, of one case.
auto queued(const ScheduleOrder& order, const ArrayIn<double>& gap, const ArrayIn<double>& latency,
            const ArrayIn<std::int64_t>& link, const ArrayIn<double>& service,
            const ArrayIn<std::int64_t>& awaited, const ArrayIn<double>& answer) {
  const contend::MessageTimes times{1, view(gap), view(latency)};
  const contend::SharedLinks shared{view(link), view(service), view(awaited), view(answer)};
  std::vector<double> values = [&] {
    const nb::gil_scoped_release released;
    return order.queued(times, shared);
  }();
  return give<2>(std::move(values), {2, order.size()});
}

}  // namespace

void bind_schedule(nb::module_& m) {
  nb::class_<ScheduleOrder>(m, "ScheduleOrder", "Operations, each after what it waits for.")
      .def("__init__", &make_order, nb::kw_only(), nb::arg("kind").noconvert(),
           nb::arg("rank").noconvert(), nb::arg("partner").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("required").noconvert())
      .def("finish_times", evaluated<2>(&ScheduleOrder::finish_times), nb::kw_only(),
           nb::arg("gap").noconvert(), nb::arg("latency").noconvert(),
           "When each operation is done.")
      .def("ends", evaluated<1>(&ScheduleOrder::ends), nb::kw_only(), nb::arg("gap").noconvert(),
           nb::arg("latency").noconvert(), "When the last operation is done.")
      .def("queued", &queued, nb::kw_only(), nb::arg("gap").noconvert(),
           nb::arg("latency").noconvert(), nb::arg("link").noconvert(),
           nb::arg("service").noconvert(), nb::arg("awaited").noconvert(),
           nb::arg("answer").noconvert(),
           "When each operation is done, and how long each message waits at its link.");
}
