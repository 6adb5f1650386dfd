// What an algorithm's parts demand of a chip, measured in one short run of any of its mappings.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "experiments/prediction/code/code_profile.h"
#include "experiments/prediction/demand.h"
#include "experiments/prepare/experiment.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// A value; what a prediction needs beside the placement.
struct AlgorithmProfile {
  std::string algorithm;
  std::string mapping;         // that was run
  std::uint64_t packets = 0;   // received and followed to their end
  double sent_share = 1;       // of them; the others were denied or match no rule
  double frame_bytes = 64;     // mean, with the check sequence
  double mpackets = 1;         // of a frame, mean
  double same_bank_share = 0;  // of SDRAM references: to the bank of the one before
  double tasks_stages = 1;     // that share the unprinted work of classification
  // By part (part_names.h), each time that it runs; of the library and of a stage's own code, per
  // packet.
  std::map<std::string, Demand> parts;
  std::set<std::string> own_programs;  // stages (part_of_stage) that ran in a program of their own
  CodeProfile code;                    // how often the words of these parts were executed
  double seconds = 0;                  // of the host, for measuring
  bool cached = false;                 // read from a file
};

// That share the unprinted work of classification.
double tasks_stages(const mappings::Placement& placement);

// Runs the experiment's mapping on the first packets of its traffic, as many as the manifest says,
// which arrive without loss, and follows each cycle. Nothing, and diagnostics, when its programs do
// not compile or the run fails.
std::optional<AlgorithmProfile> measure_profile(const Experiment& experiment,
                                                Diagnostics& diagnostics);

// JSON, of this schema. What is no such text, or damaged, gives nothing.
inline constexpr const char* kDemandsSchema = "nplab.demands/5";
std::string profile_to_json(const AlgorithmProfile& profile);
std::optional<AlgorithmProfile> profile_from_json(const std::string& text);

}  // namespace nplab::experiments
