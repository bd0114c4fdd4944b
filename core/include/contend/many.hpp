// Many problems: the end times of many sets of flows, or of one under many parameters, by threads.
//
// Idea: problems do not touch each other, so each thread takes the next one that nobody has taken.
// A solution is that of its problem alone, whatever thread found it and however many there are.
// Restrictions: functions of penalties are called from all threads at once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contend/engine.hpp"

namespace contend {

// The model and the views of `setting` outlive the solution.
struct Problem {
  Setting setting;
  const SharingModel* model;
};

// In the order of the problems. Throws Error with the first problem, counted from 0, that is not as
// its fields demand or cannot be solved; those behind it may then not be looked at.
std::vector<Solution> solve_many(std::span<const Problem> problems, int threads,
                                 bool is_recorded = false);

}  // namespace contend
