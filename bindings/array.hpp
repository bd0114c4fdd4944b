// Numpy arrays and spans, without a copy in either direction.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

// An argument. Bind it with .noconvert(): a silent conversion could wrap or round its values.
template <typename T>
using ArrayIn =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// The same with rows and columns.
template <typename T>
using TableIn =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

// A read-only result.
template <typename T>
using ArrayOut = nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<1>>;

template <typename T>
std::span<const T> view(const ArrayIn<T>& array) {
  return {array.data(), array.size()};
}

// What a dictionary holds under a name, for as long as it holds it.
template <typename T>
std::span<const T> column(const nanobind::dict& table, const char* name) {
  return view(nanobind::cast<ArrayIn<T>>(table[name], false));
}

// Shows a vector that lives as long as the Python object `owner`.
template <typename T>
ArrayOut<T> show(const std::vector<T>& values, nanobind::handle owner) {
  return ArrayOut<T>(values.data(), {values.size()}, owner);
}

// Gives a vector away, as an array with the first of these dimensions.
template <std::size_t Dimensions, typename T>
auto give(std::vector<T>&& values, const std::array<std::size_t, 2>& shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const T* data = kept->data();
  const nanobind::capsule owner(
      kept.release(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  return nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<Dimensions>>(
      data, Dimensions, shape.data(), owner);
}
