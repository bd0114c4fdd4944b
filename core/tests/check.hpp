// A test framework in one header, for one source file per program: TEST(name) registers a function,
// main runs them. Macros, against the general rule: a failed check prints its own text and line.
#pragma once

#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "contend/error.hpp"

namespace contend::check {

// What the one test program collects: its cases by name, and whether the running one has failed.
struct State {
  std::vector<std::pair<const char*, void (*)()>> cases;
  bool has_failed = false;
};

inline State& state() {
  static State only;
  return only;
}

inline void report(bool is_true, const char* claim, const char* file, int line) {
  if (!is_true) std::printf("%s:%d: not true: %s\n", file, line, claim);
  state().has_failed |= !is_true;
}

}  // namespace contend::check

#define TEST(name)                                                      \
  static void name();                                                   \
  static const bool name##_added =                                      \
      (contend::check::state().cases.emplace_back(#name, &name), true); \
  static void name()
#define CHECK(claim) contend::check::report(static_cast<bool>(claim), #claim, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) CHECK(std::abs((a) - (b)) <= (tolerance))
#define CHECK_THROWS(call, part_of_message)                                                \
  try {                                                                                    \
    call;                                                                                  \
    contend::check::report(false, #call " throws", __FILE__, __LINE__);                    \
  } catch (const contend::Error& error) {                                                  \
    CHECK(std::string_view(error.what()).find(part_of_message) != std::string_view::npos); \
  }

int main() {
  auto& [cases, has_failed] = contend::check::state();
  int failed = 0;
  for (const auto& [name, run] : cases) {
    has_failed = false;
    run();
    failed += has_failed;
    if (has_failed) std::printf("FAILED %s\n", name);
  }
  std::printf("%d passed, %d failed\n", static_cast<int>(cases.size()) - failed, failed);
  return failed == 0 ? 0 : 1;
}
