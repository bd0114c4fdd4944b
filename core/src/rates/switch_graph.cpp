// The contention graph of one switch; see switch_graph.hpp.
#include "rates/switch_graph.hpp"

namespace contend {

void SwitchGraph::add(std::int32_t flow) {
  follow(classes_.start(flow), flow);
  ++out_[src(flow)];
  ++in_[dst(flow)];
  pairs_[src(flow)] += 2 * parallel(flow) - 1;
}

void SwitchGraph::remove(std::int32_t flow) {
  pairs_[src(flow)] -= 2 * parallel(flow) - 1;
  --out_[src(flow)];
  --in_[dst(flow)];
  follow(classes_.end(flow), flow);
}

void SwitchGraph::follow(const std::vector<FlowClasses::Move>& moves, std::int32_t flow) {
  lists_.follow(moves);
  bunches_.resize(static_cast<std::size_t>(classes_.bound()));
  for (const FlowClasses::Move& move : moves) {
    moved_.push_back(move.flow);
    for (const std::int32_t one : {move.from, move.to}) {
      if (one != FlowClasses::none && classes_.size(one) > 0) {
        bunches_[one] = with_ends(classes_.bunch(one));
      }
    }
  }
  // Parallel flows stay a bunch when they become one.
  const FlowClasses::Bunch parallel = classes_.parallel(flow);
  if (parallel.count > 2) return;
  for (std::int32_t i = 0, f = parallel.flow; i < parallel.count; ++i, f = classes_.next(f)) {
    moved_.push_back(f);
  }
}

}  // namespace contend
