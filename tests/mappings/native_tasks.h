// Runs a placement's tasks on the host: their C sources, compiled by the host's compiler against
// stub address spaces, read the tables out of memory mapped at the very addresses that the builder
// wrote into them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mappings/resolver/place.h"

namespace nplab::mappings::testing {

struct Verdict {
  std::uint32_t rule = 0;
  std::uint32_t action = 0;
};

class NativeTasks {
 public:
  // Compiles and maps. The tables must be placed where a process may map memory: see `host_pins`.
  explicit NativeTasks(const PlacedMapping& placed);
  ~NativeTasks();
  NativeTasks(const NativeTasks&) = delete;
  NativeTasks& operator=(const NativeTasks&) = delete;

  [[nodiscard]] Verdict run(const std::vector<std::uint64_t>& key) const;

 private:
  void map_tables(const PlacedMapping& placed);

  std::string folder_;
  void* library_ = nullptr;
  void (*classify_)(const std::uint32_t*, const std::uint32_t*, std::uint32_t*,
                    std::uint32_t*) = nullptr;
  std::vector<std::pair<void*, std::size_t>> mapped_;
};

// The C that NativeTasks compiles: the header `placement.h` and the program.
std::string native_header(const Placement& placement);
std::string native_program(const Placement& placement);

// An override that pins every table of `mapping` to an address that a process may map, and a chip
// with memories so large.
MappingOverride host_pins(const std::string& mapping);
ChipFacts host_chip();

}  // namespace nplab::mappings::testing
