// A host processor that inserts and deletes rules through the chip's host socket while packets
// flow. The chip classifies by tuple space search. nplab's updater says what an update writes:
// memory that no lookup reaches, then one longword that links the rule in or out. Then the host
// waits until all lookups are over that began before, so that a lookup meets one update at most and
// memory can be used again. Every verdict must be right for the rules that were in force at some
// time between the packet's arrival and the verdict.
//
// Where the chip's match unit searches (tss-unit), an update is a request of the unit's service
// port for each of the rule's entries, and the unit counts every rule's packets and bytes. The host
// reads them at the same port, twice while no packet is under way: what came in between must be
// what the verdicts say.
//
//   host [UPDATES [MAPPING [processes]]]
//
// The default is 200 updates of tss-data. `processes`: the unit's modules work in processes of
// their own, in step with the kernel's time; every check is the same.
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <nplab/systemc/chip.h>

namespace {

using nplab::systemc::Chip;
using nplab::systemc::Program;
using nplab::systemc::RuleUpdate;
using nplab::systemc::TableWrite;
namespace counters = nplab::systemc::counters;
using sc_core::sc_time;
namespace host_map = nplab::systemc::host_map;
namespace readers = nplab::systemc::readers;

// The rules in force from one update to the next. An update takes effect at some time while its
// link is written: until the write's end both are right.
struct Version {
  std::vector<bool> in_force;
  sc_time from, until;
};

struct Seen {
  std::vector<std::uint8_t> frame;
  std::optional<std::uint32_t> rule;
  sc_time at;
};

// What the unit had counted by rule when so many packets had been classified and none was under
// way.
struct Count {
  std::size_t verdicts = 0;
  std::vector<counters::Values> rules;
};

class Host : public sc_core::sc_module {
 public:
  Host(sc_core::sc_module_name name, const Program& program, const Chip& chip,
       const std::vector<Seen>& seen, bool& is_traffic_paused)
      : sc_module(name),
        program_(program),
        chip_(chip),
        seen_(seen),
        is_traffic_paused_(is_traffic_paused),
        tables_(program.updater()),
        readers_(host_map::kScratch + program.table("readers")->base) {
    versions.push_back(
        {program.in_force_at_start(), sc_core::SC_ZERO_TIME, sc_core::sc_max_time()});
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Host> socket{"socket"};
  std::vector<Version> versions;
  std::vector<Count> counts;  // of a chip whose match unit has the rules: two
  unsigned done = 0;

 private:
  void run() {
    wait(100, sc_core::SC_US);
    for (const RuleUpdate& update : program_.updates()) {
      change(update);
      wait_for_lookups();
      tables_->reclaim();
      ++done;
    }
    if (program_.table("mailboxes")) {
      count();
      wait(2, sc_core::SC_MS);
      count();
    }
    sc_core::sc_stop();
  }

  void change(const RuleUpdate& update) {
    const bool inserts = update.kind == RuleUpdate::Kind::kInsert;
    const auto change = inserts ? tables_->insert(update.rule) : tables_->erase(update.rule);
    for (const TableWrite& write : change->preparation)
      store(write);
    Version next = versions.back();
    next.in_force[update.rule] = inserts;
    next.from = sc_core::sc_time_stamp();
    versions.push_back(next);
    store(change->link);
    for (const TableWrite& next : change->completion)
      next.longwords.empty() ? await(next) : store(next);
    versions[versions.size() - 2].until = sc_core::sc_time_stamp();
  }

  // The unit's outcome of a request, which comes when the request has ended.
  void await(const TableWrite& outcome) {
    if (load(outcome, 1)[0] != 1)
      SC_REPORT_ERROR("host", "the unit refuses a request");
  }

  void count() {
    is_traffic_paused_ = true;
    do
      wait(1, sc_core::SC_MS);
    while (chip_.counters().in_flight != 0);
    Count& count = counts.emplace_back();
    count.verdicts = seen_.size();
    for (std::uint32_t rule = 0; rule < versions.back().in_force.size(); ++rule)
      count.rules.push_back(values_of(rule));
    is_traffic_paused_ = false;
  }
  // Sums over the rule's entries.
  counters::Values values_of(std::uint32_t rule) {
    counters::Values sum;
    for (const auto& read : tables_->counters(rule)) {
      for (const TableWrite& write : read.request)
        store(write);
      await(read.outcome);
      const auto longwords = load(read.counters, counters::kLongwords);
      const counters::Values values = counters::values_of(longwords.data());
      sum.packets += values.packets;
      sum.bytes += values.bytes;
    }
    return sum;
  }

  // Lookups count themselves in and out. A lookup that found the epoch before it changed may count
  // itself in later: both epochs are waited for.
  void wait_for_lookups() {
    wait_until_empty(1 - epoch_);
    std::uint32_t next = 1 - epoch_;
    access(tlm::TLM_WRITE_COMMAND, readers_ + readers::kEpoch, &next, 1);
    wait_until_empty(epoch_);
    epoch_ = next;
  }
  void wait_until_empty(std::uint32_t epoch) {
    std::uint32_t counts[readers::kBytes / 4];
    do
      access(tlm::TLM_READ_COMMAND, readers_, counts, readers::kBytes / 4);
    while (counts[readers::begun(epoch) / 4] != counts[readers::ended(epoch) / 4]);
  }

  static std::uint64_t address_of(const TableWrite& place) {
    const auto base = place.memory == "sram"    ? host_map::kSram
                      : place.memory == "sdram" ? host_map::kSdram
                                                : host_map::kScratch;
    return base + place.address;
  }
  void store(const TableWrite& write) {
    auto longwords = write.longwords;
    access(tlm::TLM_WRITE_COMMAND, address_of(write), longwords.data(), longwords.size());
  }
  std::vector<std::uint32_t> load(const TableWrite& place, std::size_t count) {
    std::vector<std::uint32_t> longwords(count);
    access(tlm::TLM_READ_COMMAND, address_of(place), longwords.data(), count);
    return longwords;
  }

  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t* words,
              std::size_t count) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(words));
    payload.set_data_length(static_cast<unsigned>(4 * count));
    payload.set_streaming_width(payload.get_data_length());
    sc_time delay(10, sc_core::SC_US);  // of the bridge between host and chip
    socket->b_transport(payload, delay);
    wait(delay);
    if (!payload.is_response_ok())
      SC_REPORT_ERROR("host", payload.get_response_string().c_str());
  }

  const Program& program_;
  const Chip& chip_;
  const std::vector<Seen>& seen_;
  bool& is_traffic_paused_;
  const std::unique_ptr<nplab::systemc::TableUpdater> tables_;
  const std::uint64_t readers_;
  std::uint32_t epoch_ = 0;
};

// Sends the program's traffic to a port, each frame with its number before the check sequence.
class Generator : public sc_core::sc_module {
 public:
  Generator(sc_core::sc_module_name name, const Program& program, unsigned first,
            const bool& is_paused)
      : sc_module(name), program_(program), first_(first), is_paused_(is_paused) {
    SC_HAS_PROCESS(Generator);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Generator> socket{"socket"};
  static std::vector<sc_time> began;  // by number

 private:
  void run() {
    const sc_time ahead(10, sc_core::SC_US);
    for (std::size_t i = first_;; ++i) {
      while (is_paused_)
        wait(10, sc_core::SC_US);
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
      wait(2 * (delay - ahead));  // half of the line rate
    }
  }
  const Program& program_;
  std::size_t first_;
  const bool& is_paused_;
};
std::vector<sc_time> Generator::began;

struct Judgement {
  bool is_right = false;
  bool is_contested = false;  // an update under way changed the packet's rule
};

Judgement judge(const Seen& one, const Program& program, const std::vector<Version>& versions) {
  std::uint32_t number = 0;
  std::memcpy(&number, &one.frame[one.frame.size() - 8], sizeof number);
  const auto matches = program.matches(one.frame.data(), one.frame.size());
  Judgement judgement;
  std::optional<std::optional<std::uint32_t>> before;
  for (const Version& version : versions) {
    if (version.from > one.at || version.until < Generator::began[number])
      continue;
    std::optional<std::uint32_t> right;
    for (const std::uint32_t rule : matches)
      if (!right && version.in_force[rule])
        right = rule;
    judgement.is_right = judgement.is_right || right == one.rule;
    judgement.is_contested = judgement.is_contested || (before && *before != right);
    before = right;
  }
  return judgement;
}

// Rules whose packets or bytes are not those of the verdicts between two counts.
std::size_t inexact_rules(const Count& before, const Count& after, const std::vector<Seen>& seen) {
  std::vector<counters::Values> expected = before.rules;
  for (std::size_t i = before.verdicts; i < after.verdicts; ++i)
    if (seen[i].rule) {
      ++expected[*seen[i].rule].packets;
      expected[*seen[i].rule].bytes += seen[i].frame.size();
    }
  std::size_t inexact = 0;
  for (std::size_t rule = 0; rule < expected.size(); ++rule)
    inexact += expected[rule].packets != after.rules[rule].packets ||
                       expected[rule].bytes != after.rules[rule].bytes
                   ? 1
                   : 0;
  return inexact;
}

}  // namespace

int sc_main(int count, char** words) {
  const std::string updates = count > 1 ? words[1] : "200";
  const std::string mapping = count > 2 ? words[2] : "tss-data";
  const auto model = nplab::load_chip(mapping == "tss-unit" ? "ixp1200-match" : "ixp1200");
  nplab::systemc::ProgramOptions options;
  options.rules = "gen:acl,count=30";
  options.traffic = "gen:hit=1.0,count=3000";
  options.updates = "gen:absent=0.3,count=" + updates;
  const auto program = nplab::load_program(mapping, model, options);

  nplab::systemc::ChipOptions chip_options;
  chip_options.checks_verdicts = false;  // the host knows which rules are in force
  chip_options.unit_processes = count > 3;
  Chip chip("npu", model, program, chip_options);
  std::vector<Seen> seen;
  bool is_paused = false;
  Host host("host", program, chip, seen, is_paused);
  host.socket.bind(chip.host);
  Generator first("first", program, 0, is_paused), second("second", program, 1000, is_paused);
  first.socket.bind(chip.port[0].rx);
  second.socket.bind(chip.port[1].rx);

  chip.on_verdict([&](const nplab::systemc::Verdict& one) {
    seen.push_back({{one.frame, one.frame + one.length},
                    one.rule,
                    chip.cycle_time() * static_cast<double>(one.cycle)});
  });
  sc_core::sc_start();

  std::size_t wrong = 0, contested = 0;
  for (const Seen& one : seen) {
    const Judgement judgement = judge(one, program, host.versions);
    wrong += judgement.is_right ? 0 : 1;
    contested += judgement.is_contested ? 1 : 0;
  }
  std::cout << host.done << " updates, " << seen.size() << " packets classified, " << contested
            << " of them during an update that changes their rule, " << wrong << " misclassified\n";
  std::size_t inexact = 0;
  if (host.counts.size() == 2) {
    const Count& before = host.counts[0];
    const Count& after = host.counts[1];
    inexact = inexact_rules(before, after, seen);
    std::cout << after.verdicts - before.verdicts << " packets between two counts of "
              << after.rules.size() << " rules; " << inexact << " rules are counted wrong\n";
  }
  for (const std::string& failure : chip.failures())
    std::cerr << failure << '\n';
  return wrong == 0 && inexact == 0 && host.done == program.updates().size() &&
                 chip.failures().empty()
             ? 0
             : 1;
}
