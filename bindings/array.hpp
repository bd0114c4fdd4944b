// One-dimensional numpy arrays and spans, without a copy in either direction.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <vector>

// An argument. Bind it with .noconvert(): a silent conversion could wrap or round its values.
template <typename T>
using ArrayIn =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// A read-only result.
template <typename T>
using ArrayOut = nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<1>>;

template <typename T>
std::span<const T> view(const ArrayIn<T>& array) {
  return {array.data(), array.size()};
}

// Shows a vector that lives as long as the Python object `owner`.
template <typename T>
ArrayOut<T> show(const std::vector<T>& values, nanobind::handle owner) {
  return ArrayOut<T>(values.data(), {values.size()}, owner);
}
