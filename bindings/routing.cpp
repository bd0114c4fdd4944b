// Adaptive routing: least_loaded; see contend/routing.hpp.
#include "contend/routing.hpp"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "array.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using InPlace = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

auto least_loaded(const ArrayIn<double>& start, const ArrayIn<double>& bytes,
                  const TableIn<std::int32_t>& links, std::size_t candidates,
                  const ArrayIn<double>& seconds, const InPlace& empty_at) {
  const contend::Candidates flows{
      view(start), view(bytes), {links.data(), links.size()}, candidates};
  std::vector<std::int32_t> chosen;
  {
    const nb::gil_scoped_release released;
    chosen = contend::least_loaded(flows, view(seconds), {empty_at.data(), empty_at.size()});
  }
  const std::size_t count = chosen.size();
  return give<1>(std::move(chosen), {count, 0});
}

}  // namespace

void bind_routing(nb::module_& m) {
  m.def("least_loaded", &least_loaded, nb::kw_only(), nb::arg("start").noconvert(),
        nb::arg("bytes").noconvert(), nb::arg("links").noconvert(), "candidates"_a,
        nb::arg("seconds").noconvert(), nb::arg("empty_at").noconvert(),
        "The candidate path that each flow takes.");
}
