// The end of each flow on a SimGrid platform: ends PLATFORM < FLOWS > ENDS
//
// Source: SimGrid 3.32, s4u interface. FLOWS has a line `src dst bytes start` per flow, hosts by
// their names; ENDS the end of each, in seconds.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

struct Flow {
  std::string src;
  std::string dst;
  std::uint64_t bytes;
  double start;
};

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  if (argc != 2) return EXIT_FAILURE;
  engine.load_platform(argv[1]);
  std::vector<Flow> flows;
  for (Flow f{}; std::cin >> f.src >> f.dst >> f.bytes >> f.start;) flows.push_back(f);
  std::vector<double> ends(flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const Flow& flow = flows[i];
    s4u::Mailbox* box = s4u::Mailbox::by_name(std::to_string(i));
    s4u::Actor::create("receiver", s4u::Host::by_name(flow.dst), [box, &ends, i] {
      box->get<double>();
      ends[i] = s4u::Engine::get_clock();
    });
    s4u::Actor::create("sender", s4u::Host::by_name(flow.src), [box, &flow, &ends, i] {
      s4u::this_actor::sleep_until(flow.start);
      box->put(&ends[i], flow.bytes);
    });
  }
  engine.run();
  for (const double end : ends) std::printf("%.17g\n", end);
  return EXIT_SUCCESS;
}
