// An algorithm's manifest: its tasks, what each reads and writes, its tables, parameters and
// limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::mappings {

struct ParameterDeclaration {
  std::string name;
  std::int64_t default_value = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::string summary;
  bool searched = true;  // by `nplab explore`, unless a space file says otherwise
};

struct TableDeclaration {
  std::string name;
  isa::MemorySpace memory{};  // where it lies unless the mapping says otherwise
  std::string summary;
  SourceLocation location;
  std::string unit;     // of the chip, to which its place belongs; empty: it is a table in memory
  bool device = false;  // it lies in the range of a device on the SRAM bus
};

// A u32 that travels with the packet; one for each dimension, or one.
struct MetadataDeclaration {
  std::string name;
  bool per_dimension = false;
  std::string summary;
  SourceLocation location;
};

// What a task names: a packet field, the packet's length in bytes, or metadata, of its own
// dimension
// (`[d]`), of all (`[*]`), or a scalar.
struct FieldReference {
  enum class Kind { kPacketField, kPacketLength, kMetadata };
  enum class Selector { kScalar, kOwnDimension, kAllDimensions };
  Kind kind{};
  Selector selector{};
  std::string name;
  SourceLocation location;
};

struct TaskDeclaration {
  enum class Per { kPacket, kDimension };
  std::string name;    // of the C function too
  std::string source;  // path of the C file
  Per per{};
  std::vector<FieldReference> reads;
  std::vector<FieldReference> writes;  // metadata only
  std::vector<std::string> tables;
  std::string prepare;  // C function of the source that a thread calls once, before its first
                        // packet; empty: none
  // The algorithm takes fields of more than 32 bits: a packet field is `field`, its lower 32 bits,
  // and `field_high`, those above.
  bool wide_fields = false;
  // Metadata the task writes; when it is 0 no rule matches, and the tasks that follow need not run.
  std::optional<FieldReference> leave_when_zero;
  SourceLocation location;
};

// Tasks that an algorithm's tasks stand between (front.h): `lookup` before them, `keep` after them.
struct FrontTasks {
  std::string lookup;
  std::string keep;
  std::string answered;  // metadata: when it is 1 the verdict is known, and no other task runs
};

struct Manifest {
  std::string algorithm;
  std::string summary;
  std::string file;
  std::string folder;
  unsigned min_dimensions = 0;
  unsigned max_dimensions = 0;
  unsigned field_bits = 0;  // widest field
  std::size_t max_rules = 0;
  std::string max_rules_because;   // why not more, for the user whose set is refused; may be empty
  std::string no_updates_because;  // why rules do not come and go in a run, where they do not
  std::uint64_t profile_packets = 0;  // of a run in which the algorithm's demands are measured
  std::vector<ParameterDeclaration> parameters;
  std::vector<TableDeclaration> tables;
  std::vector<MetadataDeclaration> metadata;
  std::vector<TaskDeclaration> tasks;
  std::optional<FrontTasks> front = {};

  [[nodiscard]] const TaskDeclaration* find_task(std::string_view name) const;
  [[nodiscard]] const TableDeclaration* find_table(std::string_view name) const;
  [[nodiscard]] const MetadataDeclaration* find_metadata(std::string_view name) const;
};

// The metadata that every algorithm gives out: the matching rule's index and action
// (include/verdict.h).
inline constexpr const char* kRuleMetadata = "rule";
inline constexpr const char* kActionMetadata = "action";

// Reads and checks ALGORITHM/manifest.yaml. All errors are reported; then nothing is returned.
std::optional<Manifest> read_manifest(const std::string& path, Diagnostics& diagnostics);

}  // namespace nplab::mappings
