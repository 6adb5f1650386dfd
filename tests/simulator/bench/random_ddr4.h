// DDR4 memories of all kinds for chips of tests, and what their commands break.
#pragma once

#include <random>
#include <string>
#include <type_traits>

#include "simulator/dram/command_trace.h"
#include "simulator/dram/trace_checker.h"
#include "simulator/parameters/ddr4_description.h"

namespace nplab::test {

// The SDRAM becomes DDR4, with few banks and short queues as often as not.
inline void make_ddr4(std::mt19937_64& random, simulator::SdramDescription& sdram) {
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  const auto choose = [&between](auto& choice) {
    using Choice = std::remove_reference_t<decltype(choice)>;
    choice =
        static_cast<Choice>(between(0, static_cast<unsigned>(choice_words(Choice{}).size()) - 1));
  };
  sdram.model = simulator::SdramModel::kDdr4;
  sdram.channels = 1u << between(0, 2);
  sdram.ranks = 1u << between(0, 1);
  sdram.bank_groups = 1u << between(0, 2);
  sdram.banks = 1u << between(0, 2);
  choose(sdram.speed);
  choose(sdram.density);
  choose(sdram.width);
  choose(sdram.scheduler);
  choose(sdram.page);
  choose(sdram.write_drain);
  choose(sdram.refresh);
  choose(sdram.address_mapping);
  sdram.window = between(1, 16);
  sdram.write_queue = between(1, 16);
  sdram.write_high = between(1, sdram.write_queue);
  sdram.write_idle = between(1, sdram.write_high);
  sdram.write_low = between(0, sdram.write_idle - 1);
  sdram.most_hits = between(1, 4);
  sdram.most_wait = between(1, 400);
}

// The first thing that a memory of this description would refuse of the commands; empty: nothing.
inline std::string first_violation(const simulator::SdramDescription& sdram,
                                   const std::vector<simulator::dram::IssuedCommand>& commands) {
  const auto dram = simulator::dram_description(sdram);
  const auto found = simulator::dram::violations(
      {dram.organization, dram.timing, simulator::dram::constraints_of(dram.timing),
       sdram.refresh == simulator::dram::Refresh::kAllBank},
      commands);
  return found.empty() ? "" : found.front().rule + ": " + found.front().sentence;
}

}  // namespace nplab::test
