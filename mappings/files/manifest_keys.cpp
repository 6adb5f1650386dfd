#include <limits>

#include "mappings/files/file_keys.h"

namespace nplab::mappings {
namespace {

using namespace parameters;

constexpr std::int64_t kWidestField = 64;
constexpr std::int64_t kMostRules = std::numeric_limits<std::uint32_t>::max();

// `packet.field[d]`, `packet.field[*]`, `packet.length`, `x`, `x[d]`, `x[*]`
Value references() {
  return list(text());
}

KeyMap dimension_keys() {
  return {{required("min", integer(1, kMostDimensions), "Fewest dimensions that it classifies by."),
           required("max", integer(1, kMostDimensions), "Most dimensions.")},
          ""};
}

KeyMap parameter_keys() {
  const Value value = integer(0, kMostParameter);
  return {{required("name", identifier(), "The parameter's name; `PARAM_NAME` in C."),
           required("default", value, "Its value where a mapping does not give one."),
           required("min", value, "Smallest value."), required("max", value, "Largest value."),
           optional("summary", text(), "", "What it does."),
           optional("searched", boolean(), "true",
                    "Whether `nplab explore` varies it where no space file says so.")},
          ""};
}

KeyMap table_keys() {
  return {{required("name", identifier(), "The table's name; `TABLE_NAME` in C."),
           required("memory", choice({"sram", "sdram", "scratch"}),
                    "Where it lies unless the mapping says otherwise."),
           optional("summary", text(), "", "What it holds."),
           optional("unit", choice({"match"}), "",
                    "The unit of the chip whose registers or mailboxes it is: it lies where the "
                    "chip's file says."),
           optional("device", boolean(), "false",
                    "Whether a device on the SRAM bus is needed there, `sram.device0` to "
                    "`device3` of the chip's file (systemc.md).")},
          ""};
}

KeyMap metadata_keys() {
  return {{required("name", identifier(),
                    "The value's name. Every algorithm has `rule` and `action`, its outputs."),
           optional("per_dimension", boolean(), "false", "Whether each dimension has one."),
           optional("summary", text(), "", "What it means.")},
          ""};
}

KeyMap task_keys() {
  return {
      {required("name", identifier(), "The task's name, and that of its C function."),
       required("source", text(), "The function's file, beside the manifest."),
       required("per", choice({"packet", "dimension"}),
                "`dimension`: it is called once for each dimension."),
       required("reads", references(),
                "`packet.field[d]` (own dimension), `packet.field[*]` (all), `packet.length` (in "
                "bytes), metadata `x`, `x[d]`, `x[*]`."),
       required("writes", references(), "Metadata that it writes."),
       optional("tables", list(text()), "", "Tables that it reads."),
       optional("leave_when_zero", text(), "",
                "Metadata that it writes: when it is 0 no rule matches."),
       optional("prepare", identifier(), "",
                "A C function of its source, without arguments, that every thread calls once "
                "before its first packet.")},
      ""};
}

KeyMap all_manifest_keys() {
  return {
      {required("algorithm", text(), "The algorithm's name, that of its folder."),
       required("summary", text(), "A line for lists and reports."),
       required("dimensions", section(dimension_keys()), "How many header fields it takes."),
       required("field_bits", integer(1, kWidestField),
                "Widest field. Over 32, tasks get `field_high`, the bits above the lower 32, too.")
           .in("bits"),
       required("max_rules", integer(1, kMostRules), "Most rules that it can hold.").in("rules"),
       optional("max_rules_because", text(), "", "Why not more, for the message that says so."),
       optional("no_updates_because", text(), "",
                "Why rules do not come and go in a run, for the message that says so."),
       optional(
           "profile_packets", integer(1, 1'000'000), "500",
           "How long the run is in which `predict` measures the algorithm: longer where tables "
           "fill while packets are classified.")
           .in("packets"),
       optional("parameters", list(section(parameter_keys())), "", "What a mapping may choose."),
       optional("tables", list(section(table_keys())), "", "Its tables."),
       optional("metadata", list(section(metadata_keys())), "",
                "Values that travel with the packet from task to task."),
       required("tasks", list(section(task_keys())), "Its tasks.")},
      ""};
}

}  // namespace

const KeyMap& manifest_keys() {
  static const KeyMap kKeys = all_manifest_keys();
  return kKeys;
}

}  // namespace nplab::mappings
