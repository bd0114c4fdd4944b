// Flows that start again once they have ended, as messages between two ranks do, by every model.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "contend/sharing.hpp"
#include "rates/between_switches.hpp"
#include "rates/lanes.hpp"

namespace {

using contend::Lanes;

// Flows that all begin at once, under one model.
struct Trial {
  explicit Trial(const contend::SharingModel& model) {
    for (const contend::Parameter& one : model.parameters) parameters.push_back(one.initial);
    setting.parameters = parameters;
    sharing = contend::make_sharing(setting, model, lanes);
    for (std::int32_t flow = 0; flow < 4; ++flow) enter(flow, 1.0 + flow);
    settle();
  }

  void enter(std::int32_t flow, double size) {
    lanes.enter(flow, size);
    sharing->start(flow);
  }
  void settle() {
    sharing->share();
    lanes.settle();
  }
  std::vector<double> rates() const {
    std::vector<double> found;
    for (std::int32_t flow = 0; flow < 4; ++flow) found.push_back(lanes.rate(lanes.lane(flow)));
    return found;
  }
  // The time goes on to the next end; which flows end.
  std::vector<std::int32_t> go_on() {
    std::vector<std::int32_t> ended;
    const double now = lanes.next_end();
    lanes.advance(now);
    lanes.take_ended(now, ended);
    for (const std::int32_t flow : ended) sharing->end(flow);
    return ended;
  }

  std::vector<std::int32_t> src{0, 0, 1, 3}, dst{1, 2, 2, 2};
  std::vector<double> none = std::vector<double>(4), parameters{};
  contend::Setting setting{{4, none, src, dst, none, {}}, {4.0, {}, {}, {}}, {}, {}};
  Lanes lanes{4};
  std::unique_ptr<contend::Sharing> sharing{};
};

TEST(a_flow_that_ends_and_starts_again_in_an_instant_leaves_all_rates_as_they_were) {
  for (const contend::SharingModel& model : contend::sharing_models()) {
    if (model.name == "measured") continue;  // asks its caller for penalties
    Trial trial(model);
    const auto before = trial.rates();
    for (int n = 0; n < 20; ++n) {
      for (const std::int32_t flow : trial.go_on()) trial.enter(flow, 2.0);
      trial.settle();
      const auto now = trial.rates();
      for (std::size_t f = 0; f < 4; ++f) CHECK_NEAR(now[f], before[f], 1e-12 * before[f]);
    }
  }
}

TEST(a_flow_that_starts_again_later_has_the_rate_that_it_had) {
  for (const contend::SharingModel& model : contend::sharing_models()) {
    if (model.name == "measured") continue;
    Trial trial(model);
    const auto before = trial.rates();
    const auto ended = trial.go_on();
    trial.settle();
    for (const std::int32_t flow : ended) trial.enter(flow, 2.0);
    trial.settle();
    const auto now = trial.rates();
    for (std::size_t f = 0; f < 4; ++f) CHECK_NEAR(now[f], before[f], 1e-12 * before[f]);
  }
}

}  // namespace
