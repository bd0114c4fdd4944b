// Many problems, each by the next thread that is free; see contend/many.hpp.
#include "contend/many.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "contend/error.hpp"

namespace contend {
namespace {

class Many {
 public:
  Many(std::span<const Problem> problems, bool is_recorded)
      : problems_(problems), is_recorded_(is_recorded), solutions_(problems.size()) {}

  // Until no problem is left, or one has failed: all before that have been taken by then.
  void work() {
    while (!has_failed_) {
      const std::size_t number = next_++;
      if (number >= problems_.size()) return;
      try {
        solutions_[number] =
            solve(problems_[number].setting, *problems_[number].model, is_recorded_);
      } catch (...) {
        note_failure(number);
      }
    }
  }

  std::vector<Solution> take() {
    if (!failure_) return std::move(solutions_);
    try {
      std::rethrow_exception(failure_);
    } catch (const Error& error) {
      throw Error("problem " + std::to_string(failed_) + ": " + error.what());
    }
  }

 private:
  void note_failure(std::size_t number) {
    const std::lock_guard locked(mutex_);
    has_failed_ = true;
    if (failure_ && failed_ < number) return;
    failed_ = number;
    failure_ = std::current_exception();
  }

  std::span<const Problem> problems_;
  bool is_recorded_;
  std::vector<Solution> solutions_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;
  std::size_t failed_ = 0;
  std::exception_ptr failure_;  // of the problem `failed_`
};

}  // namespace

std::vector<Solution> solve_many(std::span<const Problem> problems, int threads, bool is_recorded) {
  if (threads < 1) throw Error("there must be at least 1 thread, got " + std::to_string(threads));
  Many many(problems, is_recorded);
  {
    std::vector<std::jthread> others;
    const std::size_t wanted = std::min(static_cast<std::size_t>(threads), problems.size());
    for (std::size_t n = 1; n < wanted; ++n) others.emplace_back([&many] { many.work(); });
    many.work();
  }
  return many.take();
}

}  // namespace contend
