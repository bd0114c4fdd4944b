// The extension module contend._core: the core's functions on numpy arrays.
#include <nanobind/nanobind.h>

#include <exception>

#include "contend/error.hpp"

namespace nb = nanobind;

#define BINDING(name) void bind_##name(nb::module_& m);
#include "concepts.def"
#undef BINDING

namespace {

// Raises what the core throws as the error class of the Python side.
void raise_in_python(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const contend::Error& error) {
    const nb::object type = nb::module_::import_("contend.base.errors").attr("InvalidInputError");
    PyErr_SetObject(type.ptr(), type(error.what()).ptr());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The compiled core of contend.";
  nb::register_exception_translator(&raise_in_python);
#define BINDING(name) bind_##name(m);
#include "concepts.def"
#undef BINDING
}
