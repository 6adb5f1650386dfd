#include "simulator/parameters/chip_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "simulator/base/ids.h"
#include "support/near_miss.h"

namespace nplab::simulator {
namespace {

std::string suggestion_and_list(std::string_view unknown, const std::vector<std::string>& known) {
  const std::string list = fmt::format("known: {}", fmt::join(known, ", "));
  const std::string nearest = suggestion(unknown, known);
  return nearest == list ? list : nearest + " " + list;
}

// Reads the keys of one map, remembers which exist, and at the end rejects the others.
class Section {
 public:
  Section(const yaml::Node* node, Diagnostics& diagnostics)
      : node_(node), diagnostics_(diagnostics) {}
  ~Section() {
    if (node_ != nullptr)
      node_->reject_unknown_keys(known_, diagnostics_);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  const yaml::Node* child(const std::string& key) {
    known_.push_back(key);
    if (node_ == nullptr || !node_->is_map())
      return nullptr;
    return node_->require(key, diagnostics_);
  }

  // A section that a chip may leave out.
  const yaml::Node* optional_child(const std::string& key) {
    known_.push_back(key);
    return node_ != nullptr && node_->is_map() ? node_->find(key) : nullptr;
  }

  template <std::unsigned_integral T>
  void read(const std::string& key, T& target, std::uint64_t least, std::uint64_t most) {
    const yaml::Node* node = child(key);
    if (node == nullptr)
      return;
    const auto value = node->as_integer(diagnostics_);
    if (!value)
      return;
    if (*value < 0 || static_cast<std::uint64_t>(*value) < least ||
        static_cast<std::uint64_t>(*value) > most) {
      diagnostics_.error(node->location(),
                         fmt::format("{}: {} is out of range: {} to {}", key, *value, least, most));
      return;
    }
    target = static_cast<T>(*value);
  }

  void read(const std::string& key, bool& target) {
    const yaml::Node* node = child(key);
    if (node == nullptr)
      return;
    if (const auto value = node->as_boolean(diagnostics_))
      target = *value;
  }

  void read(const std::string& key, std::string& target) {
    const yaml::Node* node = child(key);
    if (node == nullptr)
      return;
    if (auto value = node->as_string(diagnostics_))
      target = std::move(*value);
  }

  // One of a few words; a file that leaves the key out means the first.
  template <class Choice>
    requires std::is_enum_v<Choice>
  void read(const std::string& key, Choice& target) {
    const yaml::Node* node = optional_child(key);
    const auto word = node != nullptr ? node->as_string(diagnostics_) : std::nullopt;
    if (!word)
      return;
    const std::vector<std::string> words = choice_words(target);
    const auto at = std::find(words.begin(), words.end(), *word);
    if (at == words.end())
      diagnostics_.error(node->location(), fmt::format("{}: unknown policy '{}'; {}", key, *word,
                                                       suggestion_and_list(*word, words)));
    else
      target = static_cast<Choice>(at - words.begin());
  }

 private:
  const yaml::Node* node_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

// Ranges that a figure of its kind can sensibly have; they keep a typo from becoming an endless or
// a senseless run.
constexpr std::uint64_t kMostCycles = 10'000;  // of one latency or occupancy
constexpr std::uint64_t kMostEntries = 4'096;  // of a queue
constexpr std::uint64_t kMostAborts = 8;
constexpr std::uint64_t kWidestBus = 64;  // bytes: the longest burst
constexpr std::uint64_t kMostRefreshPeriod = 1'000'000;
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;  // bytes
constexpr std::uint64_t kMostControlStore = 65'536;            // words: a branch target has 16 bits
constexpr std::uint64_t kMostClock = 100'000'000'000;
constexpr std::uint64_t kMostFrame = 16'384;   // bytes
constexpr std::uint64_t kMostBuffer = 65'536;  // bytes a port
constexpr std::uint64_t kMostPorts = 16;       // a port number has four bits in rcv_req

// One key for every queue of the unit.
template <class Unit, class Sizes>
void read_queues(Section& section, const Unit& unit, Sizes& sizes) {
  for (unsigned queue = 0; queue < unit.size(); ++queue)
    section.read(std::string(unit.rows[queue].name), sizes.entries[queue], 1, kMostEntries);
}

void read_clock(const yaml::Node* node, ClockDescription& clock, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("core_hz", clock.core_hz, 1, kMostClock);
  section.read("ix_bus_numerator", clock.ix_bus_numerator, 1, 1000);
  section.read("ix_bus_denominator", clock.ix_bus_denominator, 1, 1000);
}

void read_pipeline(const yaml::Node* node, PipelineDescription& pipeline,
                   Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("unconditional_aborts", pipeline.unconditional_aborts, 0, kMostAborts);
  section.read("condition_aborts", pipeline.condition_aborts, 0, kMostAborts);
  section.read("condition_aborts_behind_setter", pipeline.condition_aborts_behind_setter, 0,
               kMostAborts);
  section.read("state_aborts", pipeline.state_aborts, 0, kMostAborts);
  section.read("test_aborts", pipeline.test_aborts, 0, kMostAborts);
  section.read("swap_aborts", pipeline.swap_aborts, 0, kMostAborts);
  section.read("wake_up_cycles", pipeline.wake_up_cycles, 0, kMostAborts);
  section.read("start_cycles", pipeline.start_cycles, 0, kMostAborts);
  section.read("prefetched_kill", pipeline.prefetched_kill);
}

void read_engine(const yaml::Node* node, EngineDescription& engine, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("engines", engine.engines, 1, kMostEngines);
  section.read("contexts", engine.contexts, 1, kMostContexts);
  section.read("control_store_words", engine.control_store_words, 1, kMostControlStore);
  section.read("command_fifo_entries", engine.command_fifo_entries, 1, kMostEntries);
  section.read("arbitration", engine.arbitration);
  read_pipeline(section.child("pipeline"), engine.pipeline, diagnostics);
}

void read_command_bus(const yaml::Node* node, CommandBusDescription& bus,
                      Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("cycles_per_command", bus.cycles_per_command, 1, kMostCycles);
  section.read("latency", bus.latency, 1, kMostCycles);
  section.read("arbitration", bus.arbitration);
}

void read_sram(const yaml::Node* node, SramDescription& sram, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("bytes", sram.bytes, 4, kMostMemory);
  section.read("bus_bytes", sram.bus_bytes, 4, kWidestBus);
  section.read("bus_cycles", sram.bus_cycles, 1, kMostCycles);
  section.read("turn_around", sram.turn_around, 0, kMostCycles);
  section.read("read_occupancy", sram.read_occupancy, 0, kMostCycles);
  section.read("write_occupancy", sram.write_occupancy, 0, kMostCycles);
  section.read("pipeline_latency", sram.pipeline_latency, 1, kMostCycles);
  section.read("push_latency", sram.push_latency, 1, kMostCycles);
  section.read("write_completion", sram.write_completion, 1, kMostCycles);
  read_queues(section, kSramQueues, sram.queues);
  section.read("effective_capacity", sram.effective_capacity, 0, kMostEntries);
  section.read("arbitration", sram.arbitration);
  section.read("read_group", sram.read_group, 1, kMostEntries);
  section.read("locks", sram.locks, 1, kMostEntries);
  section.read("free_lists", sram.free_lists, 1, 8);
}

void read_sdram(const yaml::Node* node, SdramDescription& sdram, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("bytes", sdram.bytes, 8, kMostMemory);
  section.read("bus_bytes", sdram.bus_bytes, 8, kWidestBus);
  section.read("bus_cycles", sdram.bus_cycles, 1, kMostCycles);
  section.read("turn_around", sdram.turn_around, 0, kMostCycles);
  section.read("bank_select_bit", sdram.bank_select_bit, 3, 29);
  section.read("t_rcd", sdram.t_rcd, 0, kMostCycles);
  section.read("t_rp", sdram.t_rp, 0, kMostCycles);
  section.read("t_ras", sdram.t_ras, 0, kMostCycles);
  section.read("t_rc", sdram.t_rc, 0, kMostCycles);
  section.read("t_rrd", sdram.t_rrd, 0, kMostCycles);
  section.read("refresh_period", sdram.refresh_period, 0, kMostRefreshPeriod);
  section.read("refresh_cycles", sdram.refresh_cycles, 0, kMostCycles);
  section.read("reference_occupancy", sdram.reference_occupancy, 0, kMostCycles);
  section.read("pipeline_latency", sdram.pipeline_latency, 1, kMostCycles);
  section.read("push_latency", sdram.push_latency, 1, kMostCycles);
  section.read("write_completion", sdram.write_completion, 1, kMostCycles);
  read_queues(section, kSdramQueues, sdram.queues);
  section.read("effective_capacity", sdram.effective_capacity, 0, kMostEntries);
  section.read("arbitration", sdram.arbitration);
}

void read_scratch(const yaml::Node* node, ScratchDescription& scratch, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("bytes", scratch.bytes, 4, kMostMemory);
  section.read("bus_bytes", scratch.bus_bytes, 4, kWidestBus);
  section.read("bus_cycles", scratch.bus_cycles, 1, kMostCycles);
  section.read("modify_cycles", scratch.modify_cycles, 0, kMostCycles);
  section.read("pipeline_latency", scratch.pipeline_latency, 1, kMostCycles);
  section.read("push_latency", scratch.push_latency, 1, kMostCycles);
  section.read("write_completion", scratch.write_completion, 1, kMostCycles);
  read_queues(section, kScratchQueues, scratch.queues);
}

void read_fbi(const yaml::Node* node, FbiParameters& fbi, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  read_queues(section, kFbiQueues, fbi.queues);
  section.read("command_latency", fbi.command_latency, 1, kMostCycles);
  section.read("csr_cycles", fbi.csr_cycles, 1, kMostCycles);
  section.read("csr_read_latency", fbi.csr_read_latency, 1, kMostCycles);
  section.read("csr_write_latency", fbi.csr_write_latency, 1, kMostCycles);
  section.read("fifo_longword_cycles", fbi.fifo_longword_cycles, 1, kMostCycles);
  section.read("fifo_latency", fbi.fifo_latency, 1, kMostCycles);
  section.read("hash_cycles", fbi.hash_cycles, 1, kMostCycles);
  section.read("hash_latency", fbi.hash_latency, 1, kMostCycles);
  section.read("signal_latency", fbi.signal_latency, 1, kMostCycles);
  section.read("fifo_elements", fbi.fifo_elements, 1, 16);
  section.read("ready_bus_period", fbi.ready_bus_period, 1, kMostCycles);
  section.read("receive_requests", fbi.receive_requests, 1, kMostEntries);
  section.read("receive_request_margin", fbi.receive_request_margin, 0, kMostEntries);
  section.read("receive_timeout", fbi.receive_timeout, 1, kMostCycles);
  section.read("receive_control_latency", fbi.receive_control_latency, 1, kMostCycles);
  section.read("ix_bytes_per_cycle", fbi.ix_bytes_per_cycle, 1, 64);
  section.read("ix_receive_overhead", fbi.ix_receive_overhead, 0, kMostCycles);
  section.read("ix_transmit_overhead", fbi.ix_transmit_overhead, 0, kMostCycles);
}

void read_media(const yaml::Node* node, MediaParameters& media, Diagnostics& diagnostics) {
  Section section(node, diagnostics);
  section.read("ports", media.ports, 1, kMostPorts);
  section.read("port_bits_per_second", media.port_bits_per_second, 1, kMostClock);
  section.read("receive_buffer", media.receive_buffer, 128, kMostBuffer);
  section.read("transmit_buffer", media.transmit_buffer, 64, kMostBuffer);
  std::uint64_t start = 0;
  section.read("traffic_start", start, 0, std::numeric_limits<std::uint32_t>::max());
  media.traffic_start = Cycle(start);
  section.read("shortest_frame", media.shortest_frame, 1, kMostFrame);
  section.read("longest_frame", media.longest_frame, 1, kMostFrame);
  section.read("overflow_stops", media.overflow_stops);
}

void read_latency_spread(const yaml::Node* node, std::optional<LatencySpreadDescription>& spread,
                         Diagnostics& diagnostics) {
  if (node == nullptr)
    return;
  Section section(node, diagnostics);
  section.read("most", spread.emplace().most, 1, kMostCycles);
  section.read("seed", spread->seed, 0, std::numeric_limits<std::int64_t>::max());
}

void check_size(const yaml::Node& root, const char* unit, std::uint32_t bytes, std::uint32_t access,
                Diagnostics& diagnostics) {
  const yaml::Node* section = root.find(unit);
  const yaml::Node* node = section != nullptr ? section->find("bytes") : nullptr;
  if (node == nullptr || bytes % access == 0)
    return;
  diagnostics.error(
      node->location(),
      fmt::format("{} bytes: {} is not a multiple of {}, its unit of access", unit, bytes, access));
}

// Names a key at fault, where the file has it.
void report(const yaml::Node& root, const char* unit, const char* key, std::string message,
            Diagnostics& diagnostics) {
  const yaml::Node* section = root.find(unit);
  const yaml::Node* node = section != nullptr ? section->find(key) : nullptr;
  if (node != nullptr)
    diagnostics.error(node->location(), std::move(message));
}

void check_bus_width(const yaml::Node& root, const char* unit, unsigned bytes,
                     Diagnostics& diagnostics) {
  if (std::has_single_bit(bytes))
    return;
  report(root, unit, "bus_bytes", fmt::format("bus_bytes: {} is no power of two", bytes),
         diagnostics);
}

void check_sdram_timing(const yaml::Node& root, const SdramDescription& sdram,
                        Diagnostics& diagnostics) {
  if (sdram.t_rc < sdram.t_ras + sdram.t_rp)
    report(
        root, "sdram", "t_rc",
        fmt::format("t_rc: {} is less than t_ras + t_rp, {}", sdram.t_rc, sdram.t_ras + sdram.t_rp),
        diagnostics);
  if (sdram.t_ras < sdram.t_rcd)
    report(root, "sdram", "t_ras",
           fmt::format("t_ras: {} is less than t_rcd, {}: a row stays open until it has given "
                       "data",
                       sdram.t_ras, sdram.t_rcd),
           diagnostics);
  const unsigned stolen = sdram.t_rc + sdram.refresh_cycles;
  if (sdram.refresh_period != 0 && sdram.refresh_period <= stolen)
    report(root, "sdram", "refresh_period",
           fmt::format("refresh_period: {} leaves no time between refreshes; more "
                       "than t_rc + refresh_cycles, {}",
                       sdram.refresh_period, stolen),
           diagnostics);
  const std::uint64_t halves = std::uint64_t{2} << sdram.bank_select_bit;
  if (halves > sdram.bytes)
    report(root, "sdram", "bank_select_bit",
           fmt::format("bank_select_bit: {} lies beyond the memory of {} bytes",
                       sdram.bank_select_bit, sdram.bytes),
           diagnostics);
}

void check_receive_margin(const yaml::Node& root, const FbiParameters& fbi,
                          Diagnostics& diagnostics) {
  if (fbi.receive_request_margin < fbi.receive_requests)
    return;
  report(root, "fbi", "receive_request_margin",
         fmt::format("receive_request_margin: {} leaves no room in a queue of {}",
                     fbi.receive_request_margin, fbi.receive_requests),
         diagnostics);
}

}  // namespace

std::uint64_t ix_bus_cycles(const ClockDescription& clock, Cycles core_cycles) {
  return core_cycles * clock.ix_bus_numerator / clock.ix_bus_denominator;
}

std::optional<ChipDescription> read_chip(const yaml::Node& root, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors().size();
  ChipDescription chip;
  {
    Section section(&root, diagnostics);
    section.read("name", chip.name);
    read_clock(section.child("clock"), chip.clock, diagnostics);
    read_engine(section.child("engine"), chip.engine, diagnostics);
    read_command_bus(section.child("command_bus"), chip.command_bus, diagnostics);
    read_sram(section.child("sram"), chip.sram, diagnostics);
    read_sdram(section.child("sdram"), chip.sdram, diagnostics);
    read_scratch(section.child("scratch"), chip.scratch, diagnostics);
    read_fbi(section.child("fbi"), chip.fbi, diagnostics);
    read_media(section.child("media"), chip.media, diagnostics);
    read_latency_spread(section.optional_child("latency_spread"), chip.latency_spread, diagnostics);
  }
  if (diagnostics.errors().size() == errors_before) {
    check_size(root, "sram", chip.sram.bytes, 4, diagnostics);
    check_size(root, "scratch", chip.scratch.bytes, 4, diagnostics);
    check_size(root, "sdram", chip.sdram.bytes, 8, diagnostics);
    check_bus_width(root, "sram", chip.sram.bus_bytes, diagnostics);
    check_bus_width(root, "sdram", chip.sdram.bus_bytes, diagnostics);
    check_bus_width(root, "scratch", chip.scratch.bus_bytes, diagnostics);
    check_sdram_timing(root, chip.sdram, diagnostics);
    check_receive_margin(root, chip.fbi, diagnostics);
    if (chip.media.shortest_frame > chip.media.longest_frame)
      report(root, "media", "shortest_frame",
             fmt::format("shortest_frame: {} is more than longest_frame, {}",
                         chip.media.shortest_frame, chip.media.longest_frame),
             diagnostics);
  }
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  return chip;
}

}  // namespace nplab::simulator
