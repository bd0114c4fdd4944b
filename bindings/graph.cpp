// Message exchange digraph: port_loads and lower_bound; see contend/graph.hpp.
#include "contend/graph.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>

#include "array.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

contend::PortLoads port_loads(std::int32_t n, const ArrayIn<std::int32_t>& src,
                              const ArrayIn<std::int32_t>& dst, const ArrayIn<double>& bytes) {
  const contend::MessageGraph graph{n, view(src), view(dst), view(bytes)};
  const nb::gil_scoped_release released;
  return contend::port_loads(graph);
}

template <typename T>
auto array_of(std::vector<T> contend::PortLoads::* field) {
  return [field](nb::handle_t<contend::PortLoads> self) {
    return show(nb::cast<const contend::PortLoads&>(self).*field, self);
  };
}

}  // namespace

void bind_graph(nb::module_& m) {
  using contend::LowerBound;
  using contend::PortLoads;

  nb::class_<PortLoads>(m, "PortLoads", "What the two ports of each vertex carry.")
      .def_prop_ro("out_degrees", array_of(&PortLoads::out_degrees))
      .def_prop_ro("in_degrees", array_of(&PortLoads::in_degrees))
      .def_prop_ro("bytes_sent", array_of(&PortLoads::bytes_sent))
      .def_prop_ro("bytes_received", array_of(&PortLoads::bytes_received));

  nb::class_<LowerBound>(m, "LowerBound", "The least time an exchange takes.")
      .def_ro("startups", &LowerBound::startups)
      .def_ro("startup_seconds", &LowerBound::startup_seconds)
      .def_ro("bytes", &LowerBound::bytes)
      .def_ro("bandwidth_seconds", &LowerBound::bandwidth_seconds)
      .def_ro("synchronous_seconds", &LowerBound::synchronous_seconds)
      .def_ro("is_simultaneous", &LowerBound::is_simultaneous)
      .def_ro("holds_claim_3", &LowerBound::holds_claim_3)
      .def_ro("seconds", &LowerBound::seconds);

  m.def("port_loads", &port_loads, "n"_a, nb::kw_only(), nb::arg("src").noconvert(),
        nb::arg("dst").noconvert(), nb::arg("bytes").noconvert(),
        "Degrees and bytes of each vertex of a message graph.");
  m.def("lower_bound", &contend::lower_bound, "loads"_a, nb::kw_only(), "alpha"_a, "beta"_a,
        "The least time of an exchange with these loads.");
}
