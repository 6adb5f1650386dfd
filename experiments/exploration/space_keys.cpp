#include "experiments/exploration/space_keys.h"

#include <cstdint>

#include "mappings/files/file_keys.h"

namespace nplab::experiments {
namespace {

using namespace parameters;

constexpr std::int64_t kMostStages = 16;
constexpr std::int64_t kMostEngines = 64;
constexpr std::int64_t kMostContexts = 32;

// Values of a key of mapping files, each checked as the mapping's own key is.
Value values_of(std::string_view section, std::string_view key) {
  const KeyMap* keys = find_keys(mappings::mapping_keys(), section);
  return list(keys->find(key)->value, 1);
}

Value numbers(std::int64_t most) {
  return list(integer(1, most), 1);
}

KeyMap stage_keys() {
  return {{optional("least", integer(1, kMostStages), "1", "Fewest stages of tasks."),
           optional("most", integer(1, kMostStages), "",
                    "Most stages of tasks; else 4, or 3 on a chip of more than 8 engines."),
           optional("task_order", choice({"manifest", "any"}), "manifest",
                    "`manifest`: tasks follow one another as the manifest lists them; `any`: in "
                    "every order that their metadata allow."),
           optional("forks", boolean(), "false",
                    "Whether independent tasks also run beside one another, between a fork and a "
                    "join."),
           optional("sharing", list(choice({"own", "pool"}), 1), "[own, pool]",
                    "`own`: each stage of tasks has engines of its own; `pool`: all of them run on "
                    "each engine of a pool.")},
          ""};
}

KeyMap engine_keys() {
  return {
      {optional("most", integer(1, kMostEngines), "",
                "Most engines of a mapping, ports included; else those of the chip."),
       optional("per_stage", numbers(kMostEngines), "",
                "Engines of a stage of tasks, or of the pool; else 1 to 4, further powers of two, "
                "and what the other stages leave."),
       optional("threads", numbers(kMostContexts), "",
                "Threads on each engine of the stages of tasks, the same for all of them; of a "
                "pool those of all stages together. Else all contexts and half of them.")},
      ""};
}

KeyMap receive_keys() {
  return {{optional("engines", numbers(kMostEngines), "",
                    "Engines that receive; each has as many threads as its share of the ports "
                    "needs. Else 1 and 2, and 4 on a chip of more than 8 engines.")},
          ""};
}

KeyMap transmit_keys() {
  return {{optional("threads", numbers(kMostContexts), "",
                    "Threads of the engine that transmits; else all contexts."),
           optional("with_receive", list(boolean(), 1), "[false, true]",
                    "Whether the engine that receives also transmits, where there is one, with the "
                    "contexts that receiving leaves.")},
          ""};
}

KeyMap queue_keys() {
  const auto values = [](const char* key, const char* sentence) {
    return optional(key, values_of("queues", key), "", sentence);
  };
  return {{values("per", "As in a mapping; `shared`, or how rings are counted."),
           values("route", "As in a mapping; `own` is the same for every `per`."),
           values("memory", "As in a mapping; `registers` needs a pool."),
           values("entries", "As in a mapping: powers of two."), values("sync", "As in a mapping."),
           values("wait", "As in a mapping."), values("order", "As in a mapping."),
           values("quantum", "As in a mapping."), values("poll_cycles", "As in a mapping.")},
          ""};
}

KeyMap all_queue_keys() {
  return {{optional("received", section(queue_keys()), "", "The queue after receive."),
           optional("between", section(queue_keys()), "", "All queues between stages of tasks."),
           optional("classified", section(queue_keys()), "", "The queue to transmit.")},
          ""};
}

KeyMap keys_of_space() {
  return {
      {required("space", text(), "The space's name."),
       optional("summary", text(), "", "What it is for."),
       optional("others", choice({"all", "first"}), "all",
                "What axes that the file leaves out have: `all` values of the default space, or "
                "only the `first`; cuts and engines per stage always all."),
       optional("stages", section(stage_keys()), "", "Cuts of the task graph."),
       optional("engines", section(engine_keys()), "", "Engines and threads of stages of tasks."),
       optional("receive", section(receive_keys()), "", "Engines that receive."),
       optional("transmit", section(transmit_keys()), "", "Engines that transmit."),
       optional("queues", section(all_queue_keys()), "", "Shapes of queues."),
       optional("tables", names(list(choice({"sram", "sdram", "scratch"}), 1)), "",
                "Memories of a table."),
       optional("parameters", names(list(any_integer(), 1)), "",
                "Values of a parameter of the algorithm."),
       optional("optimize", values_of("", "optimize"), "[2]", "The compiler's levels."),
       optional("buffers", integer(1, 1 << 17), "4096", "Packet buffers of every mapping.")},
      ""};
}

}  // namespace

const KeyMap& space_keys() {
  static const KeyMap kKeys = keys_of_space();
  return kKeys;
}

}  // namespace nplab::experiments
