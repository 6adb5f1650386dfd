#include "simulator/parameters/chip_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "isa/match/mailbox.h"
#include "simulator/base/ids.h"
#include "simulator/parameters/ddr4_description.h"
#include "support/parameters/check.h"
#include "support/parameters/conditional_keys.h"
#include "support/parameters/old_names.h"
#include "support/parameters/section_reader.h"

namespace nplab::simulator {

// A cycle is described and read as its number.
static parameters::Value value_of(const Cycle& /*member*/, parameters::Range range) {
  return parameters::integer(range.least, range.most);
}
static void read_value(const yaml::Node& node, Cycle& cycle) {
  std::uint64_t number = 0;
  parameters::read_value(node, number);
  cycle = Cycle(number);
}

namespace {

using parameters::kAnything;
using parameters::SectionReader;

// Ranges that a figure of its kind can sensibly have; they keep a typo from becoming an endless or
// a senseless run.
constexpr std::int64_t kMostCycles = 10'000;                // of one latency or occupancy
constexpr std::int64_t kMostEntries = 4'096;                // of a queue
constexpr std::int64_t kMostLines = std::int64_t{1} << 20;  // of a cache
constexpr std::int64_t kLongestLine = 64;                   // bytes: the longest burst
constexpr std::int64_t kMostWays = 64;
constexpr std::int64_t kMostAborts = 8;
constexpr std::int64_t kWidestBus = 64;  // bytes: the longest burst
constexpr std::int64_t kMostRefreshPeriod = 1'000'000;
constexpr std::int64_t kMostMemory = std::int64_t{1} << 30;  // bytes
constexpr std::int64_t kMostControlStore = 65'536;           // words: a branch target has 16 bits
constexpr std::int64_t kMostClock = 100'000'000'000;
constexpr std::int64_t kMostFrame = 16'384;   // bytes
constexpr std::int64_t kMostBuffer = 65'536;  // bytes a port
constexpr std::int64_t kMostPorts = 16;       // a port number has four bits in rcv_req
constexpr std::int64_t kMostChannels = 16;
constexpr std::int64_t kMostRanks = 8;
constexpr std::int64_t kMostGroups = 8;
constexpr std::int64_t kMostSessions = 4'096;
constexpr std::int64_t kMostSlotBits = 26;
constexpr std::int64_t kMostWindow = 64;  // requests are bits of a word
constexpr std::int64_t kMostHits = 1'000'000;
constexpr std::int64_t kMostWait = 1'000'000'000;
constexpr std::int64_t kMostInterval = 1'000'000;  // memory clocks between refreshes
constexpr std::int64_t kLatestStart = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMostSeed = std::numeric_limits<std::int64_t>::max();

constexpr parameters::Range between(std::int64_t least, std::int64_t most) {
  return {least, most};
}

// One key for every queue of the unit.
template <class Section, const auto& kUnit>
void add_queues(SectionReader<Section>& section, QueueSizes<kUnit> Section::* sizes,
                const std::string& source) {
  for (unsigned queue = 0; queue < kUnit.size(); ++queue) {
    const QueueRow& row = kUnit.rows[queue];
    section.add_key(
        parameters::required(std::string(row.name), parameters::integer(1, kMostEntries),
                             fmt::format("Capacity of the queue of {}.", row.contents))
            .in("entries")
            .from(source),
        [sizes, queue](const yaml::Node& node, Section& into) {
          parameters::read_value(node, (into.*sizes).entries[queue]);
        });
  }
}

template <class Section>
SectionReader<Section> make_reader();

#define SECTION_BEGIN(Type)                 \
  template <>                               \
  SectionReader<Type> make_reader<Type>() { \
    using Self = Type;                      \
    SectionReader<Self> section;
#define PARAMETER(type, name, limits, unit, source, sentence) \
  section.add(#name, &Self::name, limits, unit, source, sentence);
#define CHOICE(type, name, noun, source, sentence) \
  section.add_choice(#name, &Self::name, noun, source, sentence);
#define QUEUES(unit, name, source) add_queues<Self, unit>(section, &Self::name, source);
#define DEFAULTED(type, name, value, limits, unit, source, sentence) \
  section.add_defaulted(#name, &Self::name, limits, unit, source, sentence);
#define FORMERLY(old_name) section.formerly(#old_name);
#define ONLY_WITH(choice, word) section.only_with({#choice, #word});
#define WITH_ANY section.only_with({});
#define SUBSECTION(Type, name, sentence) \
  section.add_section(#name, &Self::name, make_reader<Type>(), sentence);
#define OPTIONAL_SUBSECTION(Type, name, sentence) SUBSECTION(Type, name, sentence)
#define BASE(name, sentence) section.add_base(#name, sentence);
#define SECTION_END(Type) \
  return section;         \
  }
#include "simulator/parameters/chip_parameters.def"

const SectionReader<ChipDescription>& chip_reader() {
  static const SectionReader<ChipDescription> kReader = make_reader<ChipDescription>();
  return kReader;
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
  report(root, unit, "bus_bytes", fmt::format("bus_bytes: {} is not a power of two", bytes),
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

void check_frame_lengths(const yaml::Node& root, const MediaParameters& media,
                         Diagnostics& diagnostics) {
  if (media.shortest_frame <= media.longest_frame)
    return;
  report(root, "media", "shortest_frame",
         fmt::format("shortest_frame: {} is more than longest_frame, {}", media.shortest_frame,
                     media.longest_frame),
         diagnostics);
}

void report_cache(const yaml::Node& root, const char* unit, const char* key, std::string message,
                  Diagnostics& diagnostics) {
  const yaml::Node* section = root.find(unit);
  const yaml::Node* cache = section != nullptr ? section->find("cache") : nullptr;
  const yaml::Node* node = cache != nullptr ? cache->find(key) : nullptr;
  if (node != nullptr)
    diagnostics.error(node->location(), std::move(message));
}

void check_cache(const yaml::Node& root, const char* unit, std::uint32_t bytes,
                 const std::optional<CacheDescription>& cache, Diagnostics& diagnostics) {
  if (!cache)
    return;
  const auto complain = [&](const char* key, std::string message) {
    report_cache(root, unit, key, std::move(message), diagnostics);
  };
  if (!std::has_single_bit(cache->line_bytes))
    complain("line_bytes", fmt::format("line_bytes: {} is not a power of two", cache->line_bytes));
  else if (bytes % cache->line_bytes != 0)
    complain("line_bytes", fmt::format("line_bytes: a memory of {} bytes does not divide into "
                                       "lines of {}",
                                       bytes, cache->line_bytes));
  if (cache->replacement == CacheReplacement::kTreePlru && !std::has_single_bit(cache->ways))
    complain("ways",
             fmt::format("ways: {} is not a power of two, as tree-plru needs; `replacement: lru` "
                         "takes any number",
                         cache->ways));
  else if (cache->lines % cache->ways != 0 || !std::has_single_bit(cache->lines / cache->ways))
    complain("lines",
             fmt::format("lines: {} lines of {} ways are not a power of two of sets; "
                         "right would be {}",
                         cache->lines, cache->ways,
                         cache->ways * std::bit_floor(std::max(1u, cache->lines / cache->ways))));
}

void check_devices(const yaml::Node& root, const SramDescription& sram, Diagnostics& diagnostics) {
  const yaml::Node* section = root.find("sram");
  const auto devices = sram_devices(sram);
  for (unsigned i = 0; i < devices.size(); ++i) {
    const std::string key = "device" + std::to_string(i);
    const yaml::Node* node = section != nullptr ? section->find(key) : nullptr;
    if (!devices[i] || node == nullptr)
      continue;
    const SramDeviceDescription& device = *devices[i];
    const auto complain = [&](const char* at, const std::string& message) {
      const yaml::Node* member = node->find(at);
      diagnostics.error((member != nullptr ? *member : *node).location(),
                        fmt::format("{}: {}", at, message));
    };
    if (device.base % 4 != 0)
      complain("base", fmt::format("{:#x} is not a multiple of 4", device.base));
    if (device.bytes % 4 != 0)
      complain("bytes", fmt::format("{} is not a multiple of 4", device.bytes));
    if (device.base > sram.bytes || device.bytes > sram.bytes - device.base)
      complain("base",
               fmt::format("the range {:#x} to {:#x} ends outside the SRAM of {} bytes",
                           device.base, std::uint64_t{device.base} + device.bytes, sram.bytes));
    if (sram.cache)
      complain("base", "references to a device cannot pass the caches before the SRAM");
    for (unsigned k = 0; k < i; ++k) {
      if (!devices[k])
        continue;
      if (devices[k]->name == device.name)
        complain("name", fmt::format("'{}' is the name of device{}, too", device.name, k));
      if (device.base < std::uint64_t{devices[k]->base} + devices[k]->bytes &&
          devices[k]->base < std::uint64_t{device.base} + device.bytes)
        complain("base", fmt::format("the range {:#x} to {:#x} overlaps that of device{}, {:#x} to "
                                     "{:#x}",
                                     device.base, std::uint64_t{device.base} + device.bytes, k,
                                     devices[k]->base,
                                     std::uint64_t{devices[k]->base} + devices[k]->bytes));
    }
  }
}

void check_match(const yaml::Node& root, const ChipDescription& chip, Diagnostics& diagnostics) {
  const yaml::Node* section = root.find("match");
  if (!chip.match || section == nullptr)
    return;
  const MatchUnitParameters& match = *chip.match;
  const auto complain = [&](const char* at, const std::string& message) {
    const yaml::Node* member = section->find(at);
    diagnostics.error((member != nullptr ? *member : *section).location(),
                      fmt::format("{}: {}", at, message));
  };
  const std::uint64_t end = std::uint64_t{match.base} + isa::match::kMailboxRange;
  if (match.base % 4 != 0)
    complain("base", fmt::format("{:#x} is not a multiple of 4", match.base));
  if (end > chip.sram.bytes)
    complain("base", fmt::format("the mailboxes at {:#x} to {:#x} end outside the SRAM of {} bytes",
                                 match.base, end, chip.sram.bytes));
  if (chip.sram.cache)
    complain("base", "references to the match unit cannot pass the caches before the SRAM");
  for (const auto& device : sram_devices(chip.sram))
    if (device && match.base < std::uint64_t{device->base} + device->bytes && device->base < end)
      complain("base",
               fmt::format("the mailboxes at {:#x} to {:#x} overlap the range of the device "
                           "'{}', {:#x} to {:#x}",
                           match.base, end, device->name, device->base,
                           std::uint64_t{device->base} + device->bytes));
  const unsigned ways = match.cache_ways;
  if (match.cache_replacement == CacheReplacement::kTreePlru && !std::has_single_bit(ways))
    complain("cache_ways", fmt::format("{} is not a power of two, as tree-plru needs it", ways));
  if (match.cache_lines % ways != 0 ||
      (match.cache_lines != 0 && !std::has_single_bit(match.cache_lines / ways)))
    complain("cache_lines", fmt::format("{} lines of {} ways are not a power of two of sets",
                                        match.cache_lines, ways));
  if (!std::has_single_bit(match.channels))
    complain("channels", fmt::format("{} is not a power of two", match.channels));
}

// What no single key shows.
void check_together(const yaml::Node& root, const ChipDescription& chip, Diagnostics& diagnostics) {
  check_size(root, "sram", chip.sram.bytes, 4, diagnostics);
  check_size(root, "scratch", chip.scratch.bytes, 4, diagnostics);
  check_size(root, "sdram", chip.sdram.bytes, 8, diagnostics);
  check_bus_width(root, "sram", chip.sram.bus_bytes, diagnostics);
  check_bus_width(root, "scratch", chip.scratch.bus_bytes, diagnostics);
  if (chip.sdram.model == SdramModel::kDdr4) {
    check_ddr4(root, chip.sdram, diagnostics);
  } else {
    check_bus_width(root, "sdram", chip.sdram.bus_bytes, diagnostics);
    check_sdram_timing(root, chip.sdram, diagnostics);
  }
  check_cache(root, "sram", chip.sram.bytes, chip.sram.cache, diagnostics);
  check_cache(root, "sdram", chip.sdram.bytes, chip.sdram.cache, diagnostics);
  check_cache(root, "scratch", chip.scratch.bytes, chip.scratch.cache, diagnostics);
  check_devices(root, chip.sram, diagnostics);
  check_match(root, chip, diagnostics);
  check_receive_margin(root, chip.fbi, diagnostics);
  check_frame_lengths(root, chip.media, diagnostics);
}

}  // namespace

std::array<std::optional<SramDeviceDescription>, kMostSramDevices> sram_devices(
    const SramDescription& sram) {
  return {sram.device0, sram.device1, sram.device2, sram.device3};
}

std::uint64_t ix_bus_cycles(const ClockDescription& clock, Cycles core_cycles) {
  return core_cycles * clock.ix_bus_numerator / clock.ix_bus_denominator;
}

const parameters::KeyMap& chip_keys() {
  return chip_reader().keys();
}

std::optional<ChipDescription> read_chip(const yaml::Node& file, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors().size();
  const auto has_new_errors = [&] { return diagnostics.errors().size() != errors_before; };
  yaml::Node root = file;
  parameters::rename_old_keys(root, chip_keys(), diagnostics);
  parameters::drop_overridden_keys(root, chip_keys());
  parameters::check(root, chip_keys(), diagnostics);
  if (const yaml::Node* base = root.find(chip_keys().base_key))
    diagnostics.error(base->location(), "only a chip's file may extend another chip");
  if (has_new_errors())
    return std::nullopt;
  ChipDescription chip;
  chip_reader().read(root, chip);
  check_together(root, chip, diagnostics);
  if (has_new_errors())
    return std::nullopt;
  return chip;
}

}  // namespace nplab::simulator
