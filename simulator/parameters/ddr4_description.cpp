#include "simulator/parameters/ddr4_description.h"

#include <fmt/format.h>

#include <bit>
#include <initializer_list>
#include <string>
#include <utility>

namespace nplab::simulator {
namespace {

using dram::Ddr4Timing;

constexpr unsigned kMostBanks = 64;               // of a channel: they are bits of a word
constexpr std::uint64_t kColumnsOfDevice = 1024;  // of a row [R: JESD79-4]

// A row of the timing by its key, in the memory and in the chip file.
struct TimingKey {
  const char* name;
  unsigned Ddr4Timing::* row;
  unsigned Ddr4TimingDescription::* given;
};
constexpr TimingKey kTimingKeys[] = {
    {"cl", &Ddr4Timing::cl, &Ddr4TimingDescription::cl},
    {"cwl", &Ddr4Timing::cwl, &Ddr4TimingDescription::cwl},
    {"t_rcd", &Ddr4Timing::t_rcd, &Ddr4TimingDescription::t_rcd},
    {"t_rp", &Ddr4Timing::t_rp, &Ddr4TimingDescription::t_rp},
    {"t_ras", &Ddr4Timing::t_ras, &Ddr4TimingDescription::t_ras},
    {"t_rc", &Ddr4Timing::t_rc, &Ddr4TimingDescription::t_rc},
    {"t_rrd_s", &Ddr4Timing::t_rrd_s, &Ddr4TimingDescription::t_rrd_s},
    {"t_rrd_l", &Ddr4Timing::t_rrd_l, &Ddr4TimingDescription::t_rrd_l},
    {"t_faw", &Ddr4Timing::t_faw, &Ddr4TimingDescription::t_faw},
    {"t_ccd_s", &Ddr4Timing::t_ccd_s, &Ddr4TimingDescription::t_ccd_s},
    {"t_ccd_l", &Ddr4Timing::t_ccd_l, &Ddr4TimingDescription::t_ccd_l},
    {"t_wtr_s", &Ddr4Timing::t_wtr_s, &Ddr4TimingDescription::t_wtr_s},
    {"t_wtr_l", &Ddr4Timing::t_wtr_l, &Ddr4TimingDescription::t_wtr_l},
    {"t_wr", &Ddr4Timing::t_wr, &Ddr4TimingDescription::t_wr},
    {"t_rtp", &Ddr4Timing::t_rtp, &Ddr4TimingDescription::t_rtp},
    {"t_rfc", &Ddr4Timing::t_rfc, &Ddr4TimingDescription::t_rfc},
    {"t_refi", &Ddr4Timing::t_refi, &Ddr4TimingDescription::t_refi},
    {"t_cs", &Ddr4Timing::t_cs, &Ddr4TimingDescription::t_cs},
};

Ddr4Timing timing_of(const SdramDescription& sdram) {
  Ddr4Timing timing = dram::timing_of(sdram.speed, sdram.density, sdram.width);
  if (sdram.timing)
    for (const TimingKey& key : kTimingKeys)
      if (const unsigned given = *sdram.timing.*key.given; given != 0)
        timing.*key.row = given;
  return timing;
}

class Ddr4Checker {
 public:
  Ddr4Checker(const yaml::Node& root, const SdramDescription& sdram, Diagnostics& diagnostics)
      : section_(*root.find("sdram")),
        timing_section_(section_.find("timing")),
        sdram_(sdram),
        timing_(timing_of(sdram)),
        diagnostics_(diagnostics) {}

  void check() {
    check_organization();
    check_queues();
    check_timing();
  }

 private:
  using Names = std::initializer_list<const char*>;

  // Reports at the first of the keys that the file gives; else at their section.
  void report(const yaml::Node& section, Names keys, std::string message) {
    const yaml::Node* at = &section;
    for (const char* key : keys) {
      if (const yaml::Node* node = section.find(key)) {
        at = node;
        break;
      }
    }
    diagnostics_.error(at->location(), std::move(message));
  }

  void check_organization() {
    bool are_powers = true;
    for (const auto& [key, value] : {std::pair{"channels", sdram_.channels},
                                     {"ranks", sdram_.ranks},
                                     {"bank_groups", sdram_.bank_groups},
                                     {"banks", sdram_.banks}}) {
      if (std::has_single_bit(value))
        continue;
      are_powers = false;
      report(section_, {key}, fmt::format("{}: {} is not a power of two", key, value));
    }
    const unsigned banks = sdram_.ranks * sdram_.bank_groups * sdram_.banks;
    if (are_powers && banks > kMostBanks)
      report(section_, {"ranks", "bank_groups", "banks"},
             fmt::format("{} ranks of {} bank groups of {} banks are {} banks; a channel has {} at "
                         "most",
                         sdram_.ranks, sdram_.bank_groups, sdram_.banks, banks, kMostBanks));
  }

  // `less` may be at most `more`, or must be less than it.
  enum class Bound { kAtMost, kLess };
  void check_mark(const char* less, unsigned value, const char* more, unsigned bound, Bound kind) {
    if (value < bound || (kind == Bound::kAtMost && value == bound))
      return;
    report(section_, {less, more},
           fmt::format("{}: {} must be {} {}, {}", less, value,
                       kind == Bound::kLess ? "less than" : "at most", more, bound));
  }
  void check_queues() {
    check_mark("write_high", sdram_.write_high, "write_queue", sdram_.write_queue, Bound::kAtMost);
    check_mark("write_idle", sdram_.write_idle, "write_high", sdram_.write_high, Bound::kAtMost);
    check_mark("write_low", sdram_.write_low, "write_idle", sdram_.write_idle, Bound::kLess);
  }

  void report_row(Names keys, std::string message) {
    const yaml::Node& at = timing_section_ != nullptr ? *timing_section_ : section_;
    report(at, keys, std::move(message));
  }
  void check_order(const char* less, unsigned value, const char* more, unsigned bound) {
    if (value > bound)
      report_row({more, less}, fmt::format("{}: {} is less than {}, {}", more, bound, less, value));
  }
  void check_timing() {
    const Ddr4Timing& t = timing_;
    if (t.t_rc < t.t_ras + t.t_rp)
      report_row({"t_rc", "t_ras", "t_rp"},
                 fmt::format("t_rc: {} is less than t_ras + t_rp, {}", t.t_rc, t.t_ras + t.t_rp));
    check_order("t_rcd", t.t_rcd, "t_ras", t.t_ras);
    check_order("t_rrd_s", t.t_rrd_s, "t_rrd_l", t.t_rrd_l);
    check_order("a burst", t.burst, "t_ccd_s", t.t_ccd_s);
    check_order("t_ccd_s", t.t_ccd_s, "t_ccd_l", t.t_ccd_l);
    check_order("t_wtr_s", t.t_wtr_s, "t_wtr_l", t.t_wtr_l);
    if (t.t_refi <= t.t_rfc + t.t_rc)
      report_row({"t_refi", "t_rfc", "t_rc"},
                 fmt::format("t_refi: {} leaves no time between refreshes; more than t_rfc + t_rc, "
                             "{}",
                             t.t_refi, t.t_rfc + t.t_rc));
  }

  const yaml::Node& section_;
  const yaml::Node* timing_section_;
  const SdramDescription& sdram_;
  Ddr4Timing timing_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_ddr4(const yaml::Node& root, const SdramDescription& sdram, Diagnostics& diagnostics) {
  Ddr4Checker(root, sdram, diagnostics).check();
}

dram::DramDescription dram_description(const SdramDescription& sdram) {
  const std::uint64_t bits_of_row = kColumnsOfDevice * dram::pins(sdram.width);
  const std::uint64_t rows = (std::uint64_t{1} << dram::density_bits(sdram.density)) /
                             (bits_of_row * sdram.bank_groups * sdram.banks);
  dram::DramDescription description;
  description.organization = {.channels = sdram.channels,
                              .ranks = sdram.ranks,
                              .groups = sdram.bank_groups,
                              .banks = sdram.banks,
                              .rows = static_cast<unsigned>(rows),
                              .columns = kColumnsOfDevice / dram::kBurstTransfers};
  description.mapping = sdram.address_mapping;
  description.timing = timing_of(sdram);
  description.controller = {.scheduler = sdram.scheduler,
                            .window = sdram.window,
                            .write_queue = sdram.write_queue,
                            .write_high = sdram.write_high,
                            .write_idle = sdram.write_idle,
                            .write_low = sdram.write_low,
                            .write_drain = sdram.write_drain,
                            .most_hits = sdram.most_hits,
                            .most_wait = sdram.most_wait,
                            .page = sdram.page,
                            .refresh = sdram.refresh};
  return description;
}

}  // namespace nplab::simulator
