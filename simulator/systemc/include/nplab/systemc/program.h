// What a chip is made of, loaded by name: chips and programs, shared by any number of Chip modules.
// Bad input is an error report of SystemC ("/nplab/load") that lists everything that is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nplab/systemc/updates.h"

namespace nplab {

namespace systemc {

// A chip file, read and checked.
class ChipModel {
 public:
  struct Contents;
  explicit ChipModel(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  [[nodiscard]] const Contents& contents() const { return *contents_; }
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] unsigned ports() const;

 private:
  std::shared_ptr<const Contents> contents_;
};

// A mapping, placed and compiled for a chip, with its tables of rules.
class Program {
 public:
  struct Contents;
  explicit Program(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  [[nodiscard]] const Contents& contents() const { return *contents_; }

  // The reference classifier's answer to a frame: the index of the first rule that matches.
  [[nodiscard]] std::optional<std::uint32_t> classify(const std::uint8_t* frame,
                                                      std::size_t length) const;
  // All rules that match a frame, in decreasing priority: of rules that change, the first one in
  // force is the right answer.
  [[nodiscard]] std::vector<std::uint32_t> matches(const std::uint8_t* frame,
                                                   std::size_t length) const;
  // Whether the rules let a frame pass: it is sent, if no queue is full on its way.
  [[nodiscard]] bool passes(const std::uint8_t* frame, std::size_t length) const;
  // A table of the mapping: where it lies.
  struct Place {
    std::string memory;  // `sram`, `sdram`, `scratch`
    std::uint32_t base = 0;
    std::uint32_t bytes = 0;
  };
  [[nodiscard]] std::optional<Place> table(const std::string& name) const;
  // Of a program with ProgramOptions::updates: the tables as they are at the start, for a host that
  // changes them; the rules that they hold then, by index; the updates that are planned. Else null,
  // all rules, and none.
  [[nodiscard]] std::unique_ptr<TableUpdater> updater() const;
  [[nodiscard]] const std::vector<bool>& in_force_at_start() const;
  [[nodiscard]] const std::vector<RuleUpdate>& updates() const;
  // Frames of the workload's traffic, in order: what a generator at a port can send.
  [[nodiscard]] std::size_t frames() const;
  [[nodiscard]] std::vector<std::uint8_t> frame(std::size_t index) const;

 private:
  std::shared_ptr<const Contents> contents_;
};

// The options of `nplab run` under their names; empty: as the mapping says.
struct ProgramOptions {
  std::string rules;
  std::string workload;
  std::string traffic;  // what Program::frame gives; see also plays_traffic
  // Rules that come and go. The chip's own core processor does nothing: a host makes the updates.
  std::string updates;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::string l4_key;
  std::string arrival;
  std::vector<unsigned> ports_in;
  // The traffic arrives, over and over, on the ports of ports_in whose rx socket is not bound.
  bool plays_traffic = false;
};

}  // namespace systemc

// A listed chip or a chip file, with KEY=VALUE overrides.
systemc::ChipModel load_chip(const std::string& name, const std::vector<std::string>& set = {});

// A listed mapping or a mapping file.
systemc::Program load_program(const std::string& mapping, const systemc::ChipModel& chip,
                              const systemc::ProgramOptions& options = {});

}  // namespace nplab
