// The one base class of what the core throws: catching contend::Error catches all of it.
#pragma once

#include <stdexcept>

namespace contend {

// The message says what was given, what is required and, where it helps, what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace contend
