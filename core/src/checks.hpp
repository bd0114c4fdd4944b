// Checks of what callers give, and the text of a number in what they throw.
#pragma once

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>

#include "contend/error.hpp"

namespace contend {

inline bool is_amount(double value) { return std::isfinite(value) && value >= 0.0; }

inline std::string text(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

inline void check_count(const std::string& name, std::size_t count, std::size_t wanted) {
  if (count == wanted) return;
  throw Error(name + " has " + std::to_string(count) + " entries; give " + std::to_string(wanted));
}

}  // namespace contend
