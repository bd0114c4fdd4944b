// Traffic; see traffic.hpp.
#include "replay/traffic.hpp"

#include "contend/engine.hpp"

namespace contend {

Traffic::Traffic(const ReplayNetwork& network, const RecordLimits& limits)
    : hosts_(network.hosts),
      bins_(static_cast<std::size_t>(std::max(limits.bins, 0))),
      kept_(static_cast<std::size_t>(std::max(limits.messages, 0))) {
  if (!is_on()) return;
  bins_ += bins_ % 2;
  capacity_.assign(2 * static_cast<std::size_t>(hosts_), 1.0);
  capacity_.insert(capacity_.end(), network.capacity.begin(), network.capacity.end());
  flight_.resize(bins_);
  load_.resize(capacity_.size() * bins_);
  lost_.resize(capacity_.size());
  pressure_.resize(capacity_.size());
}

// Lets the bins hold a time; two and two become one where they do not.
void Traffic::reach(double time) {
  if (width_ == 0.0) width_ = time > 0.0 ? time / static_cast<double>(bins_) : 0.0;
  if (width_ == 0.0) return;
  while (time >= width_ * static_cast<double>(bins_)) {
    width_ *= 2.0;
    bin_ /= 2;
    for (std::vector<double>* values : {&flight_, &load_}) {
      for (std::size_t row = 0; row < values->size(); row += bins_) {
        double* const first = values->data() + row;
        for (std::size_t i = 0; i < bins_ / 2; ++i) first[i] = first[2 * i] + first[2 * i + 1];
        std::fill(first + bins_ / 2, first + bins_, 0.0);
      }
    }
  }
}

// One for each second from begin to end.
void Traffic::add(std::vector<double>& bins, std::size_t row, double begin, double end) {
  if (!(end > begin)) return;
  reach(end);
  double* const first = bins.data() + row * bins_;
  const auto last = std::min(static_cast<std::size_t>(end / width_), bins_ - 1);
  for (auto i = std::min(static_cast<std::size_t>(begin / width_), last); i <= last; ++i) {
    const double from = std::max(begin, static_cast<double>(i) * width_);
    const double until = i == last ? end : static_cast<double>(i + 1) * width_;
    first[i] += std::max(until - from, 0.0);
  }
}

void Traffic::start(std::int32_t flow, double now, double work,
                    std::span<const std::int32_t> links) {
  if (static_cast<std::size_t>(flow) >= place_.size()) {
    place_.resize(2 * static_cast<std::size_t>(flow) + 64, none);
  }
  if (count_ == moving_.size()) moving_.emplace_back();
  place_[flow] = static_cast<std::int32_t>(count_);
  Moving& one = moving_[count_++];
  one.flow = flow;
  one.entered = now;
  one.work = one.left = work;
  one.links.assign(links.begin(), links.end());
  one.sums.clear();
  for (const std::int32_t link : links) {
    one.sums.push_back(pressed(link, now));
    ++pressure_[link].flows;
  }
}

void Traffic::end(std::int32_t flow, double now) {
  Moving& one = moving_[place_[flow]];
  double most = 0.0;
  for (std::size_t i = 0; i < one.links.size(); ++i) {
    const std::int32_t link = one.links[i];
    one.sums[i] = (pressed(link, now) - one.sums[i]) / capacity_[link];
    most = std::max(most, one.sums[i]);
    --pressure_[link].flows;
    load_[static_cast<std::size_t>(link) * bins_ + bin_] += one.left;
  }
  const auto is_narrowest = [&](double sum) { return sum >= most * (1.0 - tie_tolerance); };
  const auto narrowest = std::count_if(one.sums.begin(), one.sums.end(), is_narrowest);
  const double lost = (now - one.entered - one.work) / static_cast<double>(narrowest);
  for (std::size_t i = 0; i < one.links.size(); ++i) {
    if (is_narrowest(one.sums[i])) lose(one.links[i], lost);
  }
  Moving& last = moving_[--count_];
  place_[last.flow] = place_[flow];
  std::swap(one, last);
}

void Traffic::pass(double now, const Lanes& lanes) {
  reach(now);
  if (width_ == 0.0) return;
  while (static_cast<double>(bin_ + 1) * width_ <= now) {
    const double edge = static_cast<double>(bin_ + 1) * width_;
    for (std::size_t i = 0; i < count_; ++i) {
      Moving& one = moving_[i];
      const double left = std::min(lanes.left(one.flow, edge), one.left);
      for (const std::int32_t link : one.links) {
        load_[static_cast<std::size_t>(link) * bins_ + bin_] += one.left - left;
      }
      one.left = left;
    }
    if (count_ > 0) {
      ++bin_;
    } else {
      bin_ = std::min(static_cast<std::size_t>(now / width_), bins_ - 1);
      break;
    }
  }
}

void Traffic::carry(std::int32_t src_host, std::int32_t dst_host, double begin, double end) {
  add(load_, static_cast<std::size_t>(port_out(src_host)), begin, end);
  add(load_, static_cast<std::size_t>(port_in(dst_host)), begin, end);
}

void Traffic::entered(std::int32_t number, double now) {
  const auto i = static_cast<std::size_t>(number);
  if (i >= entered_.size()) entered_.resize(2 * i + 64);
  entered_[i] = now;
}

void Traffic::ended(std::int32_t number, const Message& message) {
  add(flight_, 0, entered_[number], message.end);
  const Kept one{message.start, message.end, message.src, message.dst, message.size};
  const auto is_slower = [](const Kept& a, const Kept& b) { return a.time() > b.time(); };
  if (slowest_.size() < kept_) {
    slowest_.push_back(one);
    std::push_heap(slowest_.begin(), slowest_.end(), is_slower);
  } else if (kept_ > 0 && is_slower(one, slowest_.front())) {
    std::pop_heap(slowest_.begin(), slowest_.end(), is_slower);
    slowest_.back() = one;
    std::push_heap(slowest_.begin(), slowest_.end(), is_slower);
  }
}

void Traffic::give(Replayed& result) {
  if (!is_on()) return;
  result.bin = width_;
  result.flight = std::move(flight_);
  result.load = std::move(load_);
  result.lost = std::move(lost_);
  for (const Kept& one : slowest_) {
    result.message_start.push_back(one.start);
    result.message_end.push_back(one.end);
    result.message_src.push_back(one.src);
    result.message_dst.push_back(one.dst);
    result.message_size.push_back(one.size);
  }
}

}  // namespace contend
