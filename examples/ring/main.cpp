// One to eight chips in a ring, in one process: packets go around for ever. How does the host's
// time per simulated cycle grow with the number of chips?
//
//   ring [MOST [MILLISECONDS]]
//
// A process elaborates one platform, so each number of chips has a process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include <nplab/systemc/chip.h>

namespace {

using nplab::systemc::Chip;
using sc_core::sc_time;

constexpr unsigned kPorts = 4;

// Joins the ring's ends, and puts the first packets into it.
class Junction : public sc_core::sc_module {
 public:
  Junction(sc_core::sc_module_name name, const nplab::systemc::Program& program, unsigned packets)
      : sc_module(name),
        in("in", kPorts),
        out("out", kPorts),
        program_(program),
        packets_(packets) {
    for (unsigned i = 0; i < kPorts; ++i)
      in[i].register_b_transport(this, &Junction::pass, static_cast<int>(i));
    SC_HAS_PROCESS(Junction);
    SC_THREAD(start);
  }
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Junction>> in;
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Junction>> out;

 private:
  void start() {
    for (unsigned i = 0; i < packets_; ++i) {
      auto frame = program_.frame(i);
      tlm::tlm_generic_payload payload;
      payload.set_write();
      payload.set_data_ptr(frame.data());
      payload.set_data_length(static_cast<unsigned>(frame.size()));
      payload.set_streaming_width(payload.get_data_length());
      sc_time delay(20, sc_core::SC_US);
      out[i % kPorts]->b_transport(payload, delay);
    }
  }
  void pass(int port, tlm::tlm_generic_payload& frame, sc_time& delay) {
    sc_time later = delay + sc_time(20, sc_core::SC_US);
    out[port]->b_transport(frame, later);
  }
  const nplab::systemc::Program& program_;
  unsigned packets_;
};

// A cable between two chips: as long as the quantum is.
class Cable : public sc_core::sc_module {
 public:
  explicit Cable(sc_core::sc_module_name name) : sc_module(name) {
    in.register_b_transport(this, &Cable::pass);
  }
  tlm_utils::simple_target_socket<Cable> in{"in"};
  tlm_utils::simple_initiator_socket<Cable> out{"out"};

 private:
  void pass(tlm::tlm_generic_payload& frame, sc_time& delay) {
    sc_time later = delay + sc_time(20, sc_core::SC_US);
    out->b_transport(frame, later);
  }
};

// Processor time in seconds.
double seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Nanoseconds of the host per simulated cycle; negative when something went wrong.
double cost(unsigned chips, double milliseconds) {
  const auto model = nplab::load_chip("ixp1200");
  nplab::systemc::ProgramOptions options;
  options.traffic = "gen:hit=1.0,count=1000";
  const auto program = nplab::load_program("bv1", model, options);
  std::vector<std::unique_ptr<Chip>> ring;
  std::vector<std::unique_ptr<Cable>> cables;
  Junction junction("junction", program, 24 * chips);
  for (unsigned i = 0; i < chips; ++i)
    ring.push_back(std::make_unique<Chip>(("chip" + std::to_string(i)).c_str(), model, program));
  for (unsigned port = 0; port < kPorts; ++port) {
    junction.out[port].bind(ring.front()->port[port].rx);
    ring.back()->port[port].tx.bind(junction.in[port]);
    for (unsigned i = 0; i + 1 < chips; ++i) {
      cables.push_back(std::make_unique<Cable>(sc_core::sc_gen_unique_name("cable")));
      ring[i]->port[port].tx.bind(cables.back()->in);
      cables.back()->out.bind(ring[i + 1]->port[port].rx);
    }
  }
  sc_core::sc_start(500, sc_core::SC_US);  // the packets spread over the ring
  const double before = seconds();
  const std::uint64_t from = ring.front()->cycles();
  sc_core::sc_start(milliseconds, sc_core::SC_MS);
  const double took = seconds() - before;
  const std::uint64_t cycles = ring.front()->cycles() - from;
  std::uint64_t classified = 0;
  for (const auto& chip : ring) {
    classified += chip->counters().classified;
    if (!chip->failures().empty() || chip->counters().classified == 0) {
      std::fprintf(stderr, "%s: %s\n", chip->name(),
                   chip->failures().empty() ? "no packet came" : chip->failures()[0].c_str());
      return -1;
    }
  }
  std::printf("%5u %12llu %14.1f", chips, static_cast<unsigned long long>(classified),
              1e9 * took / static_cast<double>(cycles));
  return 1e9 * took / static_cast<double>(cycles);
}

}  // namespace

int sc_main(int count, char** words) {
  const unsigned most = count > 1 ? std::strtoul(words[1], nullptr, 10) : 8;
  const double milliseconds = count > 2 ? std::strtod(words[2], nullptr) : 20;
  std::puts("chips   classified  ns per cycle   of linear");
  double one = 0, worst = 0;
  for (unsigned chips = 1; chips <= most; chips *= 2) {
    std::fflush(stdout);
    int result[2];
    if (pipe(result) != 0)
      return 2;
    const pid_t child = fork();
    if (child == 0) {
      const double measured = cost(chips, milliseconds);
      std::fflush(stdout);
      const bool is_told = write(result[1], &measured, sizeof measured) == sizeof measured;
      _exit(is_told && measured > 0 ? 0 : 1);
    }
    int status = 0;
    double measured = -1;
    waitpid(child, &status, 0);
    if (status != 0 || read(result[0], &measured, sizeof measured) != sizeof measured)
      return 1;
    one = chips == 1 ? measured : one;
    worst = std::max(worst, measured / one / chips);
    std::printf("%12.2f\n", measured / one / chips);
  }
  std::printf("at most %.2f times what chips alone would take\n", worst);
  return 0;
}
