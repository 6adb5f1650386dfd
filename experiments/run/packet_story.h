// One packet's way through a run, found and told: nplab trace packet.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "simulator/observe/packet_trace.h"

namespace nplab::experiments {

// What became of a packet.
struct PacketFate {
  std::uint64_t packet = 0;
  std::optional<unsigned> port_in;
  std::optional<simulator::Cycle> received;
  std::optional<simulator::Cycle> verdict;
  std::optional<std::uint32_t> rule;  // of the verdict; none: no rule matches
  std::optional<unsigned> port_out;
  std::optional<simulator::Cycle> left;  // sent or dropped
  std::optional<simulator::DropReason> dropped;
};

// A wait in a queue of the mapping, between the work of two stages.
struct TimeInQueue {
  std::string queue;
  std::string memory;
  simulator::Cycle from;  // the end of the work before
  simulator::Cycle to;    // the beginning of the work after
};

// What was right for a packet while rules came and went; none: no rule matches.
struct RightRules {
  std::optional<std::uint32_t> when_received;
  std::optional<std::uint32_t> at_verdict;
};

struct PacketStory {
  PacketFate fate;
  std::optional<RightRules> right;  // with updates, of a packet that has a verdict
  std::vector<simulator::ThreadWork> work;
  std::vector<std::string> stages;  // of each piece of work
  std::vector<TimeInQueue> waits;
  // "file.c:12" of a word; empty when it has no source line. Uses the programs that the story was
  // made of.
  std::function<std::string(simulator::EngineId, std::uint32_t)> source;
  bool is_whole = false;  // it left before the run's stop
};

// Runs the experiment twice: to see when the packet is in the chip, and to follow it there, in
// lockstep. Nothing when the packet was not received, which is reported.
std::optional<PacketStory> packet_story(const Experiment& experiment,
                                        const std::vector<CompiledProgram>& programs,
                                        std::uint64_t packet, Diagnostics& diagnostics);

std::string story_text(const PacketStory& story, const std::string& mapping);
// Schema "nplab.packet/1" (docs/formats.md).
std::string story_json(const PacketStory& story, const std::string& mapping);

}  // namespace nplab::experiments
