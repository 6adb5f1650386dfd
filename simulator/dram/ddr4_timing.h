// The timing of DDR4: figures by speed, density and width of the devices, and the constraints that
// follow from them, as rows. The model (device_timing.h) and the checker of command traces
// (trace_checker.h) read the same rows and have nothing else in common.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/dram/commands.h"

namespace nplab::simulator::dram {

// In clocks of the memory; the names are those of JESD79-4.
struct Ddr4Timing {
  unsigned burst = kBurstTransfers / 2;  // BL/2: the data bus is taken so long
  unsigned cl = 0;
  unsigned cwl = 0;
  unsigned t_rcd = 0;
  unsigned t_rp = 0;
  unsigned t_ras = 0;
  unsigned t_rc = 0;
  unsigned t_rrd_s = 0;
  unsigned t_rrd_l = 0;
  unsigned t_faw = 0;
  unsigned t_ccd_s = 0;
  unsigned t_ccd_l = 0;
  unsigned t_wtr_s = 0;
  unsigned t_wtr_l = 0;
  unsigned t_wr = 0;
  unsigned t_rtp = 0;
  unsigned t_rfc = 0;
  unsigned t_refi = 0;
  unsigned t_cs = 0;  // between the data of two ranks
};

// The words of a chip file, the default first.
enum class Speed : std::uint8_t { k2666, k2133, k2400, k2933, k3200 };
std::vector<std::string> choice_words(Speed speed);
enum class Density : std::uint8_t { k8Gb, k4Gb, k16Gb };
std::vector<std::string> choice_words(Density density);
enum class Width : std::uint8_t { kX8, kX4, kX16 };
std::vector<std::string> choice_words(Width width);

// A bin of the standard and what its figures rest on.
struct SpeedRow {
  Speed speed{};
  std::string_view name;  // in chip files
  std::string_view bin;   // in JESD79-4
  unsigned fifteenths;    // of a GHz: the clock; 20 is 1.333 GHz, a period of 0.75 ns
  Ddr4Timing timing;      // of x8 devices; without t_rfc
  std::string_view source;
};
std::span<const SpeedRow> speed_rows();
const SpeedRow& speed_row(Speed speed);

// All figures of one kind of device.
Ddr4Timing timing_of(Speed speed, Density density, Width width);
// Bits of a device: 2^this.
unsigned density_bits(Density density);
// Data pins of a device: 4, 8 or 16.
unsigned pins(Width width);

// Where the second command of a constraint goes, compared with the first.
enum class Scope : std::uint8_t { kBank, kGroup, kRank, kOtherRank, kChannel };

// One of the commands `to` comes at least so many clocks after the last of the commands `from`;
// with a count n, after the n-th last.
struct ConstraintRow {
  std::string_view name;
  CommandSet from;
  Scope scope;
  CommandSet to;
  unsigned (*clocks)(const Ddr4Timing& timing);
  std::string_view source;
  unsigned count = 1;
};
std::span<const ConstraintRow> ddr4_constraints();

// A row with its figure.
struct Constraint {
  std::string name;
  CommandSet from = 0;
  Scope scope{};
  CommandSet to = 0;
  unsigned clocks = 0;
  unsigned count = 1;
};
std::vector<Constraint> constraints_of(const Ddr4Timing& timing);

}  // namespace nplab::simulator::dram
