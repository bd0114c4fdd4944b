#include "schedule/waiting.hpp"

#include <algorithm>
#include <numeric>

namespace contend {

Waiting::Waiting(const Schedule& schedule)
    : schedule_(schedule),
      before_(schedule.kind.size(), none),
      after_(schedule.kind.size(), none),
      missing_(schedule.kind.size()),
      offsets_(schedule.kind.size() + 1),
      waiting_(schedule.required.size()) {
  find_ports();
  find_waiting();
}

void Waiting::find_ports() {
  std::int32_t last_send = none;
  std::int32_t last_receive = none;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    if (i > 0 && schedule_.rank[i] != schedule_.rank[i - 1]) last_send = last_receive = none;
    const OperationKind kind = kind_of(schedule_, i);
    if (kind == OperationKind::copy) continue;
    std::int32_t& last = kind == OperationKind::send ? last_send : last_receive;
    before_[i] = last;
    if (last != none) after_[static_cast<std::size_t>(last)] = static_cast<std::int32_t>(i);
    missing_[i] = (last != none) + is_receive(kind);
    last = static_cast<std::int32_t>(i);
  }
}

void Waiting::find_waiting() {
  for (const std::int64_t one : schedule_.required) ++offsets_[static_cast<std::size_t>(one) + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  std::vector<std::int32_t> place(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t i = 0; i < missing_.size(); ++i) {
    each_required(schedule_, i, [&](std::size_t one) {
      waiting_[static_cast<std::size_t>(place[one]++)] = static_cast<std::int32_t>(i);
      ++missing_[i];
    });
  }
}

template <typename Visit>
void Waiting::each_waiting(std::size_t i, Visit visit) const {
  for (auto at = offsets_[i]; at < offsets_[i + 1]; ++at) {
    visit(waiting_[static_cast<std::size_t>(at)]);
  }
  if (kind_of(schedule_, i) == OperationKind::send) {
    visit(static_cast<std::int32_t>(schedule_.partner[i]));
  }
  if (after_[i] != none) visit(after_[i]);
}

// Kahn's algorithm. Of those that are ready the latest goes first, so that a port goes on as far as
// it can and neighbours in the table are neighbours in the order.
std::vector<std::int32_t> Waiting::sorted() {
  std::vector<std::int32_t> ready;
  std::vector<std::int32_t> order;
  order.reserve(missing_.size());
  for (std::size_t i = missing_.size(); i-- > 0;) {
    if (missing_[i] == 0) ready.push_back(static_cast<std::int32_t>(i));
  }
  while (!ready.empty()) {
    order.push_back(ready.back());
    ready.pop_back();
    each_waiting(static_cast<std::size_t>(order.back()), [&](std::int32_t other) {
      if (--missing_[static_cast<std::size_t>(other)] == 0) ready.push_back(other);
    });
  }
  return order;
}

// Something that i waits for and that was left out as well.
std::size_t Waiting::awaited(std::size_t i) const {
  std::size_t found = i;
  const auto look = [&](std::size_t one) {
    if (missing_[one] > 0) found = one;
  };
  each_required(schedule_, i, look);
  if (before_[i] != none) look(static_cast<std::size_t>(before_[i]));
  if (is_receive(kind_of(schedule_, i))) look(static_cast<std::size_t>(schedule_.partner[i]));
  return found;
}

// Going from one that was left out to one that it waits for ends in a circle.
std::size_t Waiting::in_circle() const {
  const auto left = std::find_if(missing_.begin(), missing_.end(), [](auto n) { return n > 0; });
  auto at = static_cast<std::size_t>(left - missing_.begin());
  std::vector<bool> is_seen(missing_.size());
  for (; !is_seen[at]; at = awaited(at)) is_seen[at] = true;
  std::size_t least = at;
  for (std::size_t next = awaited(at); next != at; next = awaited(next)) {
    least = std::min(least, next);
  }
  return least;
}

}  // namespace contend
