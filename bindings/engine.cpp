// The engine and its sharing models: solve, solve_many and sharing_models; see contend/engine.hpp
// and contend/many.hpp.
#include "contend/engine.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "contend/error.hpp"
#include "contend/many.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// A solution by columns.
struct Columns {
  std::vector<double> end;
  std::int64_t events;
  std::vector<std::int32_t> flow;
  std::vector<double> from, until, rate;

  explicit Columns(contend::Solution&& solution)
      : end(std::move(solution.end)), events(solution.events) {
    for (const contend::Stretch& stretch : solution.stretches) {
      flow.push_back(stretch.flow);
      from.push_back(stretch.from);
      until.push_back(stretch.until);
      rate.push_back(stretch.rate);
    }
  }
};

// Calls Python with the flows in the network and copies the penalties that it returns.
struct PythonPenalties {
  const nb::callable* function;  // outlives the solution

  void operator()(std::span<const std::int32_t> flows, std::span<double> penalties) const {
    const nb::gil_scoped_acquire acquired;
    const ArrayOut<std::int32_t> shown(flows.data(), {flows.size()}, nb::handle());
    const nb::object copy = nb::cast(shown, nb::rv_policy::copy);
    const auto found = nb::cast<std::vector<double>>((*function)(copy));
    if (found.size() != flows.size()) {
      throw contend::Error("got " + std::to_string(found.size()) + " penalties for " +
                           std::to_string(flows.size()) + " flows; give one per flow");
    }
    std::copy(found.begin(), found.end(), penalties.begin());
  }
};
// The core copies it without the interpreter's lock, so a copy must count no references.
static_assert(std::is_trivially_copyable_v<PythonPenalties>);

Columns solve(const std::string& model, std::int32_t hosts, const ArrayIn<double>& start,
              const ArrayIn<std::int32_t>& src, const ArrayIn<std::int32_t>& dst,
              const ArrayIn<double>& bytes, const ArrayIn<double>& latency, double bandwidth,
              const ArrayIn<double>& capacity, const ArrayIn<std::int64_t>& offsets,
              const ArrayIn<std::int32_t>& links, const ArrayIn<std::int64_t>& required_offsets,
              const ArrayIn<std::int32_t>& required, const ArrayIn<std::int64_t>& behind_offsets,
              const ArrayIn<std::int32_t>& behind, const ArrayIn<double>& parameters,
              const std::optional<nb::callable>& penalties, bool is_recorded, double tolerance) {
  contend::Setting setting{.flows = {.hosts = hosts,
                                     .start = view(start),
                                     .src = view(src),
                                     .dst = view(dst),
                                     .bytes = view(bytes),
                                     .latency = view(latency),
                                     .required_offsets = view(required_offsets),
                                     .required = view(required),
                                     .behind_offsets = view(behind_offsets),
                                     .behind = view(behind)},
                           .network = {.bandwidth = bandwidth,
                                       .capacity = view(capacity),
                                       .offsets = view(offsets),
                                       .links = view(links)},
                           .parameters = view(parameters),
                           .penalties = {}};
  if (penalties) setting.penalties = PythonPenalties{&*penalties};
  const nb::gil_scoped_release released;
  return Columns(contend::solve(setting, contend::sharing_model(model), is_recorded, tolerance));
}

contend::Setting setting_of(const nb::dict& problem) {
  return {.flows = {.hosts = nb::cast<std::int32_t>(problem["hosts"]),
                    .start = column<double>(problem, "start"),
                    .src = column<std::int32_t>(problem, "src"),
                    .dst = column<std::int32_t>(problem, "dst"),
                    .bytes = column<double>(problem, "bytes"),
                    .latency = column<double>(problem, "latency"),
                    .required_offsets = column<std::int64_t>(problem, "required_offsets"),
                    .required = column<std::int32_t>(problem, "required"),
                    .behind_offsets = column<std::int64_t>(problem, "behind_offsets"),
                    .behind = column<std::int32_t>(problem, "behind")},
          .network = {.bandwidth = nb::cast<double>(problem["bandwidth"]),
                      .capacity = column<double>(problem, "capacity"),
                      .offsets = column<std::int64_t>(problem, "offsets"),
                      .links = column<std::int32_t>(problem, "links")},
          .parameters = column<double>(problem, "parameters"),
          .penalties = {}};
}

std::vector<Columns> solve_many(const std::string& model, const std::vector<nb::dict>& problems,
                                int threads, bool is_recorded) {
  const contend::SharingModel& sharing = contend::sharing_model(model);
  std::vector<contend::Problem> taken;
  for (const nb::dict& problem : problems) taken.push_back({setting_of(problem), &sharing});
  const nb::gil_scoped_release released;
  std::vector<Columns> columns;
  for (contend::Solution& solution : contend::solve_many(taken, threads, is_recorded)) {
    columns.emplace_back(std::move(solution));
  }
  return columns;
}

template <typename T>
auto array_of(std::vector<T> Columns::* field) {
  return [field](nb::handle_t<Columns> self) {
    return show(nb::cast<const Columns&>(self).*field, self);
  };
}

std::vector<std::pair<std::string, double>> parameters_of(const contend::SharingModel& model) {
  std::vector<std::pair<std::string, double>> parameters;
  for (const contend::Parameter& parameter : model.parameters) {
    parameters.emplace_back(parameter.name, parameter.initial);
  }
  return parameters;
}

}  // namespace

void bind_engine(nb::module_& m) {
  using contend::SharingModel;

  nb::class_<SharingModel>(m, "SharingModel", "How flows share what they pass.")
      .def_ro("name", &SharingModel::name)
      .def_prop_ro("parameters", &parameters_of)
      .def_ro("has_routes", &SharingModel::has_routes)
      .def_ro("keeps_capacity", &SharingModel::keeps_capacity);

  nb::class_<Columns>(m, "Solution", "The end of each flow.")
      .def_prop_ro("end", array_of(&Columns::end))
      .def_ro("events", &Columns::events)
      .def_prop_ro("flow", array_of(&Columns::flow))
      .def_prop_ro("begin", array_of(&Columns::from))
      .def_prop_ro("until", array_of(&Columns::until))
      .def_prop_ro("rate", array_of(&Columns::rate));

  m.def("sharing_models", &contend::sharing_models, "All sharing models.");
  m.def("solve", &solve, "model"_a, nb::kw_only(), "hosts"_a, nb::arg("start").noconvert(),
        nb::arg("src").noconvert(), nb::arg("dst").noconvert(), nb::arg("bytes").noconvert(),
        nb::arg("latency").noconvert(), "bandwidth"_a, nb::arg("capacity").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("links").noconvert(),
        nb::arg("required_offsets").noconvert(), nb::arg("required").noconvert(),
        nb::arg("behind_offsets").noconvert(), nb::arg("behind").noconvert(),
        nb::arg("parameters").noconvert(), "penalties"_a.none(), "is_recorded"_a,
        "tolerance"_a = 0.0, "The end of each flow.");
  m.def("solve_many", &solve_many, "model"_a, "problems"_a, nb::kw_only(), "threads"_a,
        "is_recorded"_a, "The solution of each problem.");
}
