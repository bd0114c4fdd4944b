// The contention graph of one switch; see switch_graph.hpp.
#include "switch_graph.hpp"

namespace contend {

void SwitchGraph::add(std::int32_t flow) {
  on_.add(flow);
  ++out_[src(flow)];
  ++in_[dst(flow)];
  const std::int32_t count = ++parallel_[key(flow)];
  if (count == 1) ++senders_[dst(flow)];
  pairs_[src(flow)] += 2 * count - 1;
}

void SwitchGraph::remove(std::int32_t flow) {
  on_.remove(flow);
  --out_[src(flow)];
  --in_[dst(flow)];
  const auto found = parallel_.find(key(flow));
  pairs_[src(flow)] -= 2 * found->second - 1;
  if (--found->second > 0) return;
  --senders_[dst(flow)];
  parallel_.erase(found);
}

}  // namespace contend
