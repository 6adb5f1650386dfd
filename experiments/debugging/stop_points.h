// What a debugger stops a run at, and what it stopped at.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "isa/program_image.h"

namespace nplab::experiments {

// A run stops before the cycle in which a thread executes one of these words.
struct WordStop {
  unsigned engine = 0;
  std::optional<unsigned> context;  // none: any
  std::vector<std::uint32_t> words;
  int id = 0;  // in what is found
};

enum class MemoryAccess {
  kRead,
  kWrite,
  kReadOrWrite,
  kChange,  // a write after which the longword at the address is another
  kLock,    // a read_lock that got the lock
};

// A run stops after the cycle in which a memory unit serves such a reference to the range.
struct MemoryStop {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes
  std::uint32_t bytes = 4;
  MemoryAccess access = MemoryAccess::kWrite;
  int id = 0;
};

// A run stops after the cycle in which this comes about.
struct ChipStop {
  enum class Kind {
    kMisclassified,  // a verdict is not the reference classifier's
    kVerdict,        // packet `number` of the run gets its verdict
    kQueueFull,      // a ring of queue `number` of the mapping holds `limit` entries
    kEntryTaken,     // of queue `number`: its head moves
    kEntryPut,       // into queue `number`: its tail moves
    kEngineIdle,     // engine `number` has idled for more than `limit` cycles without a break
  };
  Kind kind{};
  std::uint64_t number = 0;
  std::uint64_t limit = 0;
  int id = 0;
};

struct StopPoints {
  std::vector<WordStop> words;
  std::vector<MemoryStop> memory;
  std::vector<ChipStop> chip;

  [[nodiscard]] bool is_empty() const { return words.empty() && memory.empty() && chip.empty(); }
};

// Where a run stops: at the state before cycle `at`.
struct Hit {
  std::uint64_t at = 0;
  int id = 0;  // of the stop point
  std::optional<unsigned> engine;
  std::optional<unsigned> context;
  std::optional<std::uint32_t> word;
  std::string text;  // what came about, as a sentence; empty for words
};

void to_json(nlohmann::json& json, const StopPoints& stops);
void from_json(const nlohmann::json& json, StopPoints& stops);
void to_json(nlohmann::json& json, const Hit& hit);
void from_json(const nlohmann::json& json, Hit& hit);

}  // namespace nplab::experiments
