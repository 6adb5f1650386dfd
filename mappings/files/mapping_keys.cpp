#include <limits>

#include "mappings/files/file_keys.h"
#include "mappings/files/mapping_file.h"
#include "mappings/files/tuning.h"

namespace nplab::mappings {
namespace {

using namespace parameters;

constexpr unsigned kMostEngines = 64;  // of any chip; the resolver knows this one
constexpr unsigned kMostContexts = 32;
constexpr std::int64_t kMostBuffers = 1 << 17;  // 2048 bytes each fill the 256 MB of SDRAM
constexpr std::int64_t kMostVariables = 1 << 20;
constexpr std::int64_t kMostEntries = 1 << 20;
constexpr std::int64_t kMostPollCycles = 100'000;
constexpr std::int64_t kMostInstructions = 1 << 16;
constexpr std::int64_t kLargestQuantum = 100;  // as the literature studied it
constexpr std::int64_t kHighestAddress = std::numeric_limits<std::uint32_t>::max();

// NAME, NAME[0], NAME[1..], NAME[..1], NAME[1..2]
constexpr const char* kTaskPattern = R"(^[^\[]*(\[([0-9]+|[0-9]*\.\.[0-9]*)\])?$)";

Value memory() {
  return choice({"sram", "sdram", "scratch"});
}

Value threads() {
  const Value contexts = one_of({integer(1, kMostContexts), list(integer(0, kMostContexts - 1))});
  return one_of({integer(1, kMostEngines * kMostContexts), list(contexts)});
}

KeyMap stage_keys() {
  return {
      {required("name", identifier(), "The stage's name: letters, digits, `_`."),
       required("role", choice({"receive", "tasks", "transmit", "program", "unit"}),
                "What it does; `program`: a hand-written `.c` or `.s` that has its engine alone; "
                "`unit`: a unit of the chip, which tasks use and no queue leads to."),
       optional("unit", choice({"match"}), "",
                "With `role: unit`: which one; `match`: the match engine (match-engine.md)."),
       optional("engines", list(integer(0, kMostEngines - 1), 1), "",
                "Numbers of its engines; all stages but a unit have some."),
       optional("threads", threads(), "",
                "Threads on each engine; or a list with, for each engine, a number or a list of "
                "contexts."),
       optional("placement", choice({"striped", "tiled"}), "",
                "Then `threads` is one number for all engines together, and contexts are chosen."),
       optional("tasks", list(text(kTaskPattern)), "",
                "With `role: tasks`: its tasks, in the order in which they run."),
       optional("program", text(), "", "With `role: program`: the file, beside the mapping."),
       optional("inputs", choice({"one", "each"}), "one",
                "`one`: takes a packet from whichever queue has one; `each`: a join."),
       optional("outputs", choice({"one", "each"}), "one", "`each`: a fork.")},
      ""};
}

KeyMap queue_keys() {
  return {{required("name", identifier(), "The queue's name; not the name of a table."),
           required_by_reader("from", text(), "The stage that produces."),
           required_by_reader("to", text(), "The stage that consumes."),
           required("per", choice({"producer_thread", "consumer_thread", "pair", "shared"}),
                    "How many rings there are: one for each of these, or one `shared`."),
           optional("route", choice({"own", "all"}), "own",
                    "Which rings a thread uses: its `own`, or `all`."),
           required("entries", integer(1, kMostEntries),
                    "A power of two; 1 lets one packet be under way."),
           required("memory", choice({"sram", "sdram", "scratch", "registers"}),
                    "`sram` or `scratch`; between stages of one engine also `registers`."),
           optional("full", choice({"drop", "wait"}), "",
                    "What a producer does: `drop` the packet (default after receive), or `wait`."),
           optional("release", choice({"dequeue", "end_of_packet"}), "dequeue",
                    "When an entry is free again."),
           optional("sync", choice({"auto", "none", "engine", "memory_lock"}), "auto",
                    "How threads that share a side of a ring keep apart; `auto`: the cheapest way "
                    "that is right; `memory_lock`: all counts and a lock in memory."),
           optional("primitive",
                    choice({"auto", "test_and_set", "lock_cam", "ticket", "mcs", "compare_and_swap",
                            "mutex", "condition"}),
                    "auto",
                    "What a lock between several engines is made of; `compare_and_swap`, `ticket` "
                    "and `mcs` are for chips with a cache before SRAM; `auto`: the lock CAM in "
                    "SRAM, except with `sync: memory_lock`."),
           optional("call_instructions", integer(0, kMostInstructions), "64",
                    "With `mutex` and `condition`: what each call of the threads library spends "
                    "besides its references; stands for code that was not printed."),
           optional("kernel_instructions", integer(0, kMostInstructions), "1024",
                    "With `condition`: what the kernel spends to put a thread to sleep, and to "
                    "wake one; stands for code that was not printed."),
           optional("order", choice({"none", "port"}), "none",
                    "`port`: packets leave in the order in which their input port received them; "
                    "the queue has a ring for each port then."),
           optional("wait", choice({"poll", "signal"}), "poll",
                    "How a consumer learns of an entry: it looks again and again, or the producer "
                    "signals it."),
           optional("poll_cycles", integer(0, kMostPollCycles), "0",
                    "The least time between two looks of a thread at an empty or full ring.")
               .in("cycles"),
           optional("lock", choice({"thread", "engine"}), "",
                    "Deprecated: `thread` means `sync: memory_lock`, `engine` means `sync: auto`."),
           optional("quantum", integer(1, kLargestQuantum), "1",
                    "Entries that a consumer takes at a time, at most; it reads them one by one.")},
          ""};
}

KeyMap pin_keys() {
  KeyMap pins;
  for (const char* space : {"sram", "sdram", "scratch"}) {
    pins.keys.push_back(optional(space, names(integer(0, kHighestAddress)), "",
                                 "Base addresses in this memory, by purpose."));
  }
  return pins;
}

KeyMap variable_keys() {
  const Value bytes = integer(0, kMostVariables);
  return {{optional("sram", bytes, "256", "In SRAM.").in("bytes per thread"),
           optional("sdram", bytes, "0", "In SDRAM.").in("bytes per thread"),
           optional("scratch", bytes, "64", "In scratch.").in("bytes per thread")},
          ""};
}

// Each is a value with the reason for it; a command line gives the value alone.
KeyMap tuning_key_map() {
  KeyMap map;
  for (const TuningKey& key : tuning_keys()) {
    const KeyMap choice_made{{required("value", integer(key.min, key.max), "The value."),
                              required("reason", text(), "Why it is so.")},
                             ""};
    map.keys.push_back(optional(std::string(key.name), section(choice_made),
                                std::to_string(key.default_value), std::string(key.summary) + "."));
  }
  return map;
}

KeyMap all_mapping_keys() {
  return {
      {required("mapping", text(), "The mapping's name in reports."),
       required("algorithm", text(), "A name of `nplab list`, or a folder's manifest."),
       optional("summary", text(), "", "A line for lists and reports."),
       required("chip", text(), "A name of `nplab list`, or a file."),
       required("workload", text(), "A name of `nplab list`, or a file."),
       optional("optimize", choice(optimize_words()), "2",
                "The compiler's level (programming.md)."),
       optional(
           "front", choice({"none", "flow-cache"}), "none",
           "What packets meet before the algorithm: `flow-cache` keeps the verdicts of flows."),
       optional("parameters", names(any_integer()), "",
                "The algorithm's parameters by name; else the manifest's defaults."),
       optional("buffers", integer(1, kMostBuffers), "1024",
                "Packet buffers of 2048 bytes in SDRAM."),
       optional("tables", names(memory()), "", "The memory of a table; else the manifest's."),
       required("stages", list(section(stage_keys())), "The stages."),
       required("queues", list(section(queue_keys())), "The queues between them."),
       optional("egress", choice({"same_port", "by_action"}), "same_port",
                "`same_port`: out where it came in; `by_action`: by the rule's `forward:PORT`."),
       optional("no_match", choice({"drop", "allow"}), "drop",
                "What becomes of a packet that no rule matches."),
       optional("memory", section(pin_keys()), "", "Pinned base addresses."),
       optional("variables", section(variable_keys()), "",
                "Memory for what the compiler places; multiples of 8."),
       optional("tuning", section(tuning_key_map()), "",
                "Choices that the publication leaves open.")},
      ""};
}

}  // namespace

const KeyMap& mapping_keys() {
  static const KeyMap kKeys = all_mapping_keys();
  return kKeys;
}

}  // namespace nplab::mappings
