// A host processor that deletes and inserts rules through the chip's host socket while packets
// flow. The chip searches a list of rules in SRAM (mapping `ls`); one longword links a rule into
// the list, so a lookup sees an update wholly or not at all. Every verdict must be right for the
// rules that were in force at some time between the packet's arrival and the verdict.
//
//   host [UPDATES]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>

#include <nplab/systemc/chip.h>

#include "rules.h"

namespace {

using nplab::systemc::Chip;
using sc_core::sc_time;

// The rules in force from one update to the next. An update takes effect at some time while its
// write is under way: until its end both are right.
struct Version {
  std::vector<bool> in_force;
  sc_time from, until;
};

// A record of the list (mappings/linear-search/layout.h): ends of ranges, action, rule, next.
constexpr std::uint32_t kRecordBytes = 8 * kFields + 12;
constexpr std::uint32_t kNext = 8 * kFields + 8;

class Host : public sc_core::sc_module {
 public:
  Host(sc_core::sc_module_name name, std::uint32_t list, unsigned updates)
      : sc_module(name), list_(list), updates_(updates) {
    versions.push_back(
        {std::vector<bool>(kRules.size(), true), sc_core::SC_ZERO_TIME, sc_core::sc_max_time()});
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Host> socket{"socket"};
  std::vector<Version> versions;
  unsigned done = 0;

 private:
  void run() {
    std::mt19937 random(1);
    wait(100, sc_core::SC_US);
    for (; done < updates_; ++done) {
      change(1 + random() % (kRules.size() - 2));
      // No lookup takes so long: it meets one update at most.
      wait(60, sc_core::SC_US);
    }
  }

  // Links the rule in or out.
  void change(std::size_t rule) {
    Version next = versions.back();
    next.in_force[rule] = !next.in_force[rule];
    std::size_t before = rule - 1, after = rule + 1;
    while (!next.in_force[before])
      --before;
    while (!next.in_force[after])
      ++after;
    if (next.in_force[rule]) {
      write(record(rule) + kNext, record(after));  // no lookup is there
      after = rule;
    }
    next.from = sc_core::sc_time_stamp();
    versions.push_back(next);
    write(record(before) + kNext, record(after));
    versions[versions.size() - 2].until = sc_core::sc_time_stamp();
  }

  void write(std::uint64_t address, std::uint32_t word) {
    tlm::tlm_generic_payload access;
    access.set_write();
    access.set_address(nplab::systemc::host_map::kSram + address);
    access.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    access.set_data_length(sizeof word);
    access.set_streaming_width(sizeof word);
    sc_time delay(10, sc_core::SC_US);  // of the bridge between host and chip
    socket->b_transport(access, delay);
    wait(delay);
    if (!access.is_response_ok())
      SC_REPORT_ERROR("host", access.get_response_string().c_str());
  }

  [[nodiscard]] std::uint32_t record(std::size_t rule) const {
    return list_ + kRecordBytes * static_cast<std::uint32_t>(rule);
  }

  std::uint32_t list_;
  unsigned updates_;
};

// Sends the program's traffic to a port, each frame with its number before the check sequence.
class Generator : public sc_core::sc_module {
 public:
  Generator(sc_core::sc_module_name name, const nplab::systemc::Program& program, unsigned first)
      : sc_module(name), program_(program), first_(first) {
    SC_HAS_PROCESS(Generator);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Generator> socket{"socket"};
  static std::vector<sc_time> began;  // by number

 private:
  void run() {
    const sc_time ahead(10, sc_core::SC_US);
    for (std::size_t i = first_;; ++i) {
      auto frame = program_.frame(i % program_.frames());
      const auto number = static_cast<std::uint32_t>(began.size());
      std::memcpy(&frame[frame.size() - 8], &number, sizeof number);
      tlm::tlm_generic_payload payload;
      payload.set_write();
      payload.set_data_ptr(frame.data());
      payload.set_data_length(static_cast<unsigned>(frame.size()));
      payload.set_streaming_width(payload.get_data_length());
      sc_time delay = ahead;
      began.push_back(sc_core::sc_time_stamp() + ahead);
      socket->b_transport(payload, delay);
      wait(2 * (delay - ahead));  // half of the line rate: the list is searched in time
    }
  }
  const nplab::systemc::Program& program_;
  std::size_t first_;
};
std::vector<sc_time> Generator::began;

}  // namespace

int sc_main(int count, char** words) {
  const unsigned updates = count > 1 ? std::strtoul(words[1], nullptr, 10) : 200;
  const std::string rules = "host-example.rules.yaml";
  write_rules(rules);
  const auto model = nplab::load_chip("ixp1200");
  nplab::systemc::ProgramOptions options;
  options.rules = rules;
  options.traffic = "gen:hit=1.0,count=3000";
  options.set = {"parameters.access_longwords=1", "tuning.classify_work=0"};
  const auto program = nplab::load_program("ls", model, options);
  std::remove(rules.c_str());

  nplab::systemc::ChipOptions chip_options;
  chip_options.checks_verdicts = false;  // the host knows which rules are in force
  Chip chip("npu", model, program, chip_options);
  Host host("host", program.table("rules")->base, updates);
  host.socket.bind(chip.host);
  Generator first("first", program, 0), second("second", program, 1000);
  first.socket.bind(chip.port[0].rx);
  second.socket.bind(chip.port[1].rx);

  struct Seen {
    std::vector<std::uint8_t> frame;
    std::optional<std::uint32_t> rule;
    sc_time at;
  };
  std::vector<Seen> seen;
  chip.on_verdict([&](const nplab::systemc::Verdict& one) {
    seen.push_back({{one.frame, one.frame + one.length},
                    one.rule,
                    chip.cycle_time() * static_cast<double>(one.cycle)});
  });
  sc_core::sc_start(sc_time(1, sc_core::SC_MS) + updates * sc_time(90, sc_core::SC_US));

  std::size_t wrong = 0, contested = 0;
  for (const Seen& one : seen) {
    std::uint32_t number = 0;
    std::memcpy(&number, &one.frame[one.frame.size() - 8], sizeof number);
    bool is_right = false, differs = false;
    std::optional<std::optional<std::uint32_t>> before;
    for (const Version& version : host.versions) {
      if (version.from > one.at || version.until < Generator::began[number])
        continue;
      const auto right = right_rule(one.frame.data(), version.in_force);
      is_right = is_right || right == one.rule;
      differs = differs || (before && *before != right);
      before = right;
    }
    wrong += is_right ? 0 : 1;
    contested += differs ? 1 : 0;
  }
  std::cout << host.done << " updates, " << seen.size() << " packets classified, " << contested
            << " of them during an update that changes their rule, " << wrong << " misclassified\n";
  for (const std::string& failure : chip.failures())
    std::cerr << failure << '\n';
  return wrong == 0 && host.done == updates && chip.failures().empty() ? 0 : 1;
}
