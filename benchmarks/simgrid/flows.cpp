// The end of each flow by SimGrid's plain max-min, for the comparison with contend.
//
// Source: SimGrid 3.32, s4u interface, network model CM02 with the maxmin solver.
// Idea: one switch, where each host sends through a link up and receives through a link down, both
// of one bandwidth and no latency; or a platform, with SimGrid's own routes; or links of given
// capacity, where each flow brings its route. What CM02 adds to max-min for TCP is switched off:
// factors of bandwidth and latency 1, no window, no weight of the round trip, no traffic of
// acknowledgements.
//
//   flows HOSTS BANDWIDTH < FLOWS > ENDS      with SimGrid's own options, such as --cfg=...
//   flows PLATFORM.xml < FLOWS > ENDS         hosts are named by their numbers
//   flows HOSTS CAPACITIES < FLOWS > ENDS     a file, with a line per link
//
// FLOWS has a line `src dst bytes start` per flow, bytes whole, in order of start; in the last case
// the number of its links and their numbers follow, the same for all flows of a pair. ENDS has
// first a line with the user CPU seconds of the simulation and the bytes by which its peak memory
// exceeds that of the loaded flows and the platform; then the end of each flow, in seconds.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

struct Flow {
  int src;
  int dst;
  std::uint64_t bytes;
  double start;  // seconds
  std::vector<int> route{};
};

std::vector<Flow> read_flows(bool have_routes) {
  std::vector<Flow> flows;
  for (Flow f{}; std::cin >> f.src >> f.dst >> f.bytes >> f.start;) {
    std::size_t links = 0;
    if (have_routes) std::cin >> links;
    f.route.resize(links);
    for (int& link : f.route) std::cin >> link;
    flows.push_back(f);
  }
  return flows;
}

std::vector<s4u::Host*> one_switch(int hosts, double bandwidth) {
  s4u::NetZone* zone = s4u::create_star_zone("switch");
  std::vector<s4u::Host*> made;
  for (int h = 0; h < hosts; ++h) {
    const std::string name = std::to_string(h);
    s4u::Host* host = zone->create_host(name, 1e9)->seal();
    const s4u::LinkInRoute up(zone->create_link(name + " up", bandwidth)->seal());
    const s4u::LinkInRoute down(zone->create_link(name + " down", bandwidth)->seal());
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {up}, false);
    zone->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {down}, false);
    made.push_back(host);
  }
  zone->seal();
  return made;
}

// Hosts of a file, in the order of the numbers that are their names.
std::vector<s4u::Host*> platform(s4u::Engine& engine, const std::string& path) {
  engine.load_platform(path);
  std::vector<s4u::Host*> hosts = engine.get_all_hosts();
  const auto number = [](const s4u::Host* host) { return std::stoi(host->get_name()); };
  std::ranges::sort(hosts, {}, number);
  return hosts;
}

// A zone that knows nothing but the route of each pair.
std::vector<s4u::Host*> given_links(int hosts, const std::string& path,
                                    const std::vector<Flow>& flows) {
  s4u::NetZone* zone = s4u::create_empty_zone("links");
  std::vector<s4u::Host*> made;
  for (int h = 0; h < hosts; ++h) {
    made.push_back(zone->create_host(std::to_string(h), 1e9)->seal());
  }
  std::vector<s4u::Link*> links;
  std::ifstream capacities(path);
  for (double rate = 0.0; capacities >> rate;) {
    links.push_back(zone->create_link("link " + std::to_string(links.size()), rate)->seal());
  }
  std::set<std::pair<int, int>> known;
  for (const Flow& flow : flows) {
    if (!known.emplace(flow.src, flow.dst).second) continue;
    std::vector<s4u::LinkInRoute> route;
    for (const int link : flow.route) route.emplace_back(links.at(link));
    zone->add_bypass_route(made[flow.src]->get_netpoint(), made[flow.dst]->get_netpoint(), nullptr,
                           nullptr, route);
  }
  zone->seal();
  return made;
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return *end == '\0';
}

void sleep_until(double start) {
  if (start > s4u::Engine::get_clock()) s4u::this_actor::sleep_until(start);
}

// An actor per host starts its flows in turn. They go to mailboxes with a receiver, which makes a
// flow start without a receive. Comm::sendto would need no mailbox, but SimGrid then looks for each
// flow that ends in the list of all that are under way.
std::vector<double> simulate(s4u::Engine& engine, const std::vector<s4u::Host*>& hosts,
                             const std::vector<Flow>& flows) {
  std::vector<std::vector<std::size_t>> from(hosts.size());
  for (std::size_t i = 0; i < flows.size(); ++i) from[flows[i].src].push_back(i);
  std::vector<s4u::Mailbox*> into;
  for (const s4u::Host* host : hosts)
    into.push_back(engine.mailbox_by_name_or_create(host->get_name()));
  std::vector<double> ends(flows.size());
  const double last = flows.empty() ? 0.0 : flows.back().start;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const s4u::ActorPtr actor = s4u::Actor::create("host", hosts[h], [&, h] {
      std::vector<s4u::CommPtr> comms;
      for (const std::size_t i : from[h]) {
        sleep_until(flows[i].start);
        comms.push_back(into[flows[i].dst]->put_async(&ends[i], flows[i].bytes));
      }
      s4u::Comm::wait_all(comms);
      for (std::size_t i = 0; i < comms.size(); ++i) ends[from[h][i]] = comms[i]->get_finish_time();
      sleep_until(last);
    });
    into[h]->set_receiver(actor);
  }
  engine.run();
  return ends;
}

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

// Of this program alone; ru_maxrss would begin with what its parent had.
long peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::atol(line.c_str() + 6);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  const bool is_platform = argc == 2 && std::string(argv[1]).ends_with(".xml");
  if (!is_platform && argc != 3) {
    std::fprintf(stderr, "usage: flows PLATFORM.xml | HOSTS BANDWIDTH|CAPACITIES < FLOWS > ENDS\n");
    return EXIT_FAILURE;
  }
  for (const char* option :
       {"network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1",
        "network/TCP-gamma:0", "network/weight-S:0", "network/crosstraffic:0"}) {
    s4u::Engine::set_config(option);
  }
  const bool have_routes = argc == 3 && !is_number(argv[2]);
  const std::vector<Flow> flows = read_flows(have_routes);
  const auto hosts = is_platform   ? platform(engine, argv[1])
                     : have_routes ? given_links(std::atoi(argv[1]), argv[2], flows)
                                   : one_switch(std::atoi(argv[1]), std::atof(argv[2]));
  const long memory = peak_bytes();
  const double begin = user_seconds();
  const std::vector<double> ends = simulate(engine, hosts, flows);
  std::printf("%.6f %ld\n", user_seconds() - begin, peak_bytes() - memory);
  for (const double end : ends) std::printf("%.17g\n", end);
  return EXIT_SUCCESS;
}
