#include "simulator/dram/ddr4_timing.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace nplab::simulator::dram {
namespace {

using T = const Ddr4Timing&;

constexpr CommandSet kAct = only(DramCommand::kActivate);
constexpr CommandSet kPre = only(DramCommand::kPrecharge);
constexpr CommandSet kPreAll = only(DramCommand::kPrechargeAll);
constexpr CommandSet kRda = only(DramCommand::kReadAuto);
constexpr CommandSet kWra = only(DramCommand::kWriteAuto);
constexpr CommandSet kRef = only(DramCommand::kRefresh);

unsigned write_to_data_end(T t) {
  return t.cwl + t.burst;
}
// The data of `second` begin when those of `first` have left the bus for t_cs clocks.
unsigned data_apart(unsigned first, unsigned second, T t) {
  const unsigned apart = first + t.burst + t.t_cs;
  return apart > second ? apart - second : 1;
}

constexpr std::string_view kJedec = "JESD79-4";
constexpr std::string_view kBus = "one command per clock, one burst on the data bus";

constexpr ConstraintRow kConstraints[] = {
    {"command bus", kAnyCommand, Scope::kChannel, kAnyCommand, [](T) { return 1u; }, kBus},
    {"BL/2 of reads", kReads, Scope::kChannel, kReads, [](T t) { return t.burst; }, kBus},
    {"BL/2 of writes", kWrites, Scope::kChannel, kWrites, [](T t) { return t.burst; }, kBus},

    {"tCCD_S of reads", kReads, Scope::kRank, kReads, [](T t) { return t.t_ccd_s; }, kJedec},
    {"tCCD_S of writes", kWrites, Scope::kRank, kWrites, [](T t) { return t.t_ccd_s; }, kJedec},
    {"tCCD_L of reads", kReads, Scope::kGroup, kReads, [](T t) { return t.t_ccd_l; }, kJedec},
    {"tCCD_L of writes", kWrites, Scope::kGroup, kWrites, [](T t) { return t.t_ccd_l; }, kJedec},
    {"read to write: CL + BL/2 + 2 - CWL", kReads, Scope::kRank, kWrites,
     [](T t) { return t.cl + t.burst + 2 > t.cwl ? t.cl + t.burst + 2 - t.cwl : 1; },
     "JESD79-4, write preamble of one clock"},
    {"tWTR_S: CWL + BL/2 + tWTR_S", kWrites, Scope::kRank, kReads,
     [](T t) { return write_to_data_end(t) + t.t_wtr_s; }, kJedec},
    {"tWTR_L: CWL + BL/2 + tWTR_L", kWrites, Scope::kGroup, kReads,
     [](T t) { return write_to_data_end(t) + t.t_wtr_l; }, kJedec},

    {"reads of two ranks: BL/2 + tCS", kReads, Scope::kOtherRank, kReads,
     [](T t) { return data_apart(t.cl, t.cl, t); }, "data strobes change hands"},
    {"writes of two ranks: BL/2 + tCS", kWrites, Scope::kOtherRank, kWrites,
     [](T t) { return data_apart(t.cwl, t.cwl, t); }, "data strobes change hands"},
    {"read to write of two ranks", kReads, Scope::kOtherRank, kWrites,
     [](T t) { return data_apart(t.cl, t.cwl, t); }, "data strobes change hands"},
    {"write to read of two ranks", kWrites, Scope::kOtherRank, kReads,
     [](T t) { return data_apart(t.cwl, t.cl, t); }, "data strobes change hands"},

    {"tRCD", kAct, Scope::kBank, kColumns, [](T t) { return t.t_rcd; }, kJedec},
    {"tRAS", kAct, Scope::kBank, kPre, [](T t) { return t.t_ras; }, kJedec},
    {"tRAS, all banks", kAct, Scope::kRank, kPreAll, [](T t) { return t.t_ras; }, kJedec},
    {"tRC", kAct, Scope::kBank, kAct, [](T t) { return t.t_rc; }, kJedec},
    {"tRRD_S", kAct, Scope::kRank, kAct, [](T t) { return t.t_rrd_s; }, kJedec},
    {"tRRD_L", kAct, Scope::kGroup, kAct, [](T t) { return t.t_rrd_l; }, kJedec},
    {"tFAW", kAct, Scope::kRank, kAct, [](T t) { return t.t_faw; }, kJedec, 4},
    {"tRP", kPre, Scope::kBank, kAct, [](T t) { return t.t_rp; }, kJedec},
    {"tRP, all banks", kPreAll, Scope::kRank, kAct, [](T t) { return t.t_rp; }, kJedec},
    {"tRTP", kReads, Scope::kBank, kPre, [](T t) { return t.t_rtp; }, kJedec},
    {"tRTP, all banks", kReads, Scope::kRank, kPreAll, [](T t) { return t.t_rtp; }, kJedec},
    {"tWR: CWL + BL/2 + tWR", kWrites, Scope::kBank, kPre,
     [](T t) { return write_to_data_end(t) + t.t_wr; }, kJedec},
    {"tWR, all banks: CWL + BL/2 + tWR", kWrites, Scope::kRank, kPreAll,
     [](T t) { return write_to_data_end(t) + t.t_wr; }, kJedec},
    {"auto-precharge of a read: tRTP + tRP", kRda, Scope::kBank, kAct,
     [](T t) { return t.t_rtp + t.t_rp; }, kJedec},
    {"auto-precharge of a write: CWL + BL/2 + tWR + tRP", kWra, Scope::kBank, kAct,
     [](T t) { return write_to_data_end(t) + t.t_wr + t.t_rp; }, kJedec},

    {"tRC before a refresh", kAct, Scope::kRank, kRef, [](T t) { return t.t_rc; }, kJedec},
    {"tRP before a refresh", kPrecharges, Scope::kRank, kRef, [](T t) { return t.t_rp; }, kJedec},
    {"auto-precharge of a read before a refresh", kRda, Scope::kRank, kRef,
     [](T t) { return t.t_rtp + t.t_rp; }, kJedec},
    {"auto-precharge of a write before a refresh", kWra, Scope::kRank, kRef,
     [](T t) { return write_to_data_end(t) + t.t_wr + t.t_rp; }, kJedec},
    {"tRFC", kRef, Scope::kRank, kAct | kRef | kPrecharges, [](T t) { return t.t_rfc; }, kJedec},
};

constexpr std::string_view kBins =
    "[R] bins of JESD79-4 as public simulators print them (Ramulator 2, DDR4.cpp)";
constexpr std::string_view kValidated =
    "[P] the part of the published validation points; bin V of JESD79-4";

//            BL/2  CL CWL RCD RP RAS RC  RRD_S/L FAW CCD_S/L WTR_S/L WR RTP RFC  REFI tCS
constexpr std::array kSpeeds{
    SpeedRow{Speed::k2666,
             "ddr4-2666",
             "DDR4-2666V",
             20,
             {4, 19, 14, 19, 19, 43, 62, 4, 7, 28, 4, 7, 4, 10, 20, 10, 0, 10'398, 2},
             kValidated},
    SpeedRow{Speed::k2133,
             "ddr4-2133",
             "DDR4-2133P",
             16,
             {4, 15, 11, 15, 15, 36, 51, 4, 6, 23, 4, 6, 3, 8, 16, 8, 0, 8'320, 2},
             kBins},
    SpeedRow{Speed::k2400,
             "ddr4-2400",
             "DDR4-2400R",
             18,
             {4, 16, 12, 16, 16, 39, 55, 4, 6, 26, 4, 6, 3, 9, 18, 9, 0, 9'360, 2},
             kBins},
    SpeedRow{Speed::k2933,
             "ddr4-2933",
             "DDR4-2933Y",
             22,
             {4, 21, 16, 21, 21, 47, 68, 4, 8, 31, 4, 8, 4, 11, 22, 11, 0, 11'440, 2},
             kBins},
    SpeedRow{Speed::k3200,
             "ddr4-3200",
             "DDR4-3200AA",
             24,
             {4, 22, 16, 22, 22, 52, 74, 4, 8, 34, 4, 8, 4, 12, 24, 12, 0, 12'480, 2},
             kBins},
};

// tRRD_S, tRRD_L and tFAW of rows of 2 KB (x16), and tFAW of rows of 512 bytes (x4): JESD79-4,
// tables 169 and 170.
struct WidthRow {
  Speed speed{};
  unsigned x16_rrd_s, x16_rrd_l, x16_faw, x4_faw;
};
constexpr std::array kWidths{
    WidthRow{Speed::k2666, 8, 9, 40, 16},  WidthRow{Speed::k2133, 6, 7, 32, 16},
    WidthRow{Speed::k2400, 7, 8, 36, 16},  WidthRow{Speed::k2933, 8, 10, 44, 16},
    WidthRow{Speed::k3200, 9, 11, 48, 16},
};

// tRFC1 of JESD79-4, in nanoseconds.
constexpr unsigned refresh_nanoseconds(Density density) {
  switch (density) {
    case Density::k4Gb: return 260;
    case Density::k16Gb: return 550;
    default: return 350;
  }
}

}  // namespace

std::vector<std::string> choice_words(Speed /*speed*/) {
  std::vector<std::string> words;
  for (const SpeedRow& row : kSpeeds)
    words.emplace_back(row.name);
  return words;
}
std::vector<std::string> choice_words(Density /*density*/) {
  return {"8Gb", "4Gb", "16Gb"};
}
std::vector<std::string> choice_words(Width /*width*/) {
  return {"x8", "x4", "x16"};
}

std::span<const SpeedRow> speed_rows() {
  return kSpeeds;
}

const SpeedRow& speed_row(Speed speed) {
  return *std::find_if(kSpeeds.begin(), kSpeeds.end(),
                       [speed](const SpeedRow& row) { return row.speed == speed; });
}

Ddr4Timing timing_of(Speed speed, Density density, Width width) {
  const SpeedRow& row = speed_row(speed);
  Ddr4Timing timing = row.timing;
  const WidthRow& by_width =
      *std::find_if(kWidths.begin(), kWidths.end(),
                    [speed](const WidthRow& candidate) { return candidate.speed == speed; });
  if (width == Width::kX16) {
    timing.t_rrd_s = by_width.x16_rrd_s;
    timing.t_rrd_l = by_width.x16_rrd_l;
    timing.t_faw = by_width.x16_faw;
  } else if (width == Width::kX4) {
    timing.t_faw = by_width.x4_faw;
  }
  timing.t_rfc = (refresh_nanoseconds(density) * row.fifteenths + 14) / 15;  // rounded up
  return timing;
}

unsigned density_bits(Density density) {
  switch (density) {
    case Density::k4Gb: return 32;
    case Density::k16Gb: return 34;
    default: return 33;
  }
}

unsigned pins(Width width) {
  switch (width) {
    case Width::kX4: return 4;
    case Width::kX16: return 16;
    default: return 8;
  }
}

std::span<const ConstraintRow> ddr4_constraints() {
  return kConstraints;
}

std::vector<Constraint> constraints_of(const Ddr4Timing& timing) {
  std::vector<Constraint> constraints;
  for (const ConstraintRow& row : kConstraints)
    constraints.push_back(
        {std::string(row.name), row.from, row.scope, row.to, row.clocks(timing), row.count});
  return constraints;
}

}  // namespace nplab::simulator::dram
