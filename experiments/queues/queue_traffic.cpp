#include "experiments/queues/queue_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/compiler.h"
#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/experiment.h"
#include "mappings/composition/c_text.h"
#include "mappings/composition/queue_code.h"
#include "mappings/composition/queue_use.h"
#include "mappings/resolver/initial_state.h"
#include "mappings/resolver/queue_wiring.h"

namespace nplab::experiments {
namespace {

using mappings::Queue;
using mappings::QueueUse;
using mappings::Stage;
using mappings::ThreadPlace;

constexpr std::uint32_t kRingBase = 0x400;      // bytes, in either memory
constexpr std::uint32_t kFramesBase = 0x40000;  // in SRAM, of engine 0
constexpr std::uint32_t kFramesBytes = 0x400;   // of an engine
constexpr unsigned kEntryBits = 20;             // of a value that counts a producer's entries
constexpr std::uint32_t kInfo = 64;             // packet information: a frame of 64 bytes

Stage stage_of(const std::string& name, const std::vector<ThreadPlace>& threads) {
  Stage stage;
  stage.name = name;
  stage.threads = threads;
  return stage;
}

std::set<unsigned> engines_of(const QueueTraffic& traffic) {
  std::set<unsigned> engines;
  for (const auto* threads : {&traffic.producers, &traffic.consumers}) {
    for (const ThreadPlace& thread : *threads)
      engines.insert(thread.engine);
  }
  return engines;
}

// `if (ctx() == 1) produce(5);` for each thread of the side on the engine.
std::string calls_on(unsigned engine, const std::vector<ThreadPlace>& threads,
                     const std::string& function) {
  std::string code;
  for (std::size_t rank = 0; rank < threads.size(); ++rank) {
    if (threads[rank].engine == engine)
      code += fmt::format("  if (ctx() == {}) {}({});\n", threads[rank].context, function, rank);
  }
  return code;
}

class TrafficProgram {
 public:
  TrafficProgram(const QueueTraffic& traffic, const Queue& queue, unsigned contexts)
      : traffic_(traffic),
        queue_(queue),
        contexts_(contexts),
        put_(queue, stage_of("producer", traffic.producers), QueueUse::Side::kProducer),
        get_(queue, stage_of("consumer", traffic.consumers), QueueUse::Side::kConsumer) {}

  [[nodiscard]] std::string text(unsigned engine) const {
    std::string code = "#define DIMENSIONS 1\n#define WORK_SEED 0\n";
    code += "#include \"microengine.h\"\n#include \"queue.h\"\n";
    code += mappings::queue_code(queue_, 0) + pause() + produce() + consume();
    code += "int main(void) {\n" + calls_on(engine, traffic_.producers, "produce");
    code += calls_on(engine, traffic_.consumers, "consume");
    return code + "  return 0;\n}\n";
  }

 private:
  [[nodiscard]] std::string values(const std::string& prefix) const {
    std::string text = fmt::format(", {0}buffer, {0}info", prefix);
    for (const auto& element : queue_.carried)
      text += ", " + prefix + mappings::metadata_variable(element);
    return text;
  }
  [[nodiscard]] std::string pause() const {
    if (traffic_.longest_pause == 0)
      return "#define PAUSE(state)\n";
    return fmt::format(
        "#define PAUSE(state) do {{ state ^= state << 13; state ^= state >> 17; state ^= state << "
        "5; "
        "for (u32 left = state & {}; left; --left) ctx_swap_voluntary(); }} while (0)\n",
        traffic_.longest_pause);
  }

  [[nodiscard]] std::string produce() const {
    std::string code = "static inline void produce(const u32 rank) {\n";
    code += "  u32 state = rank * 77 + 12345;\n" + mappings::indented(put_.declaration(), 1);
    code += fmt::format("  u32 buffer = rank << {};\n", kEntryBits);
    code += fmt::format("  for (u32 left = {}; left; --left) {{\n", traffic_.handed_over);
    code += fmt::format("    PAUSE(state);\n    const u32 info = {};\n", kInfo);
    std::uint32_t distance = 1;
    for (const auto& element : queue_.carried)
      code += fmt::format("    const u32 {} = buffer + {};\n", mappings::metadata_variable(element),
                          distance++);
    code += fmt::format("    u32 {}_place;\n    while (!({}_place = {}_put({}{})))\n", queue_.name,
                        queue_.name, queue_.name, put_.arguments(), values(""));
    code += "      ctx_swap_voluntary();\n";
    if (traffic_.wait == mappings::QueueWait::kSignal)
      code += mappings::indented(put_.signal(contexts_), 2);
    code += mappings::indented(put_.next(), 2) + "    buffer += 1;\n  }\n";
    return code + (traffic_.fills_first ? start_next() : "") + "}\n";
  }

  // One producer after the other says that it is done, the last one to all consumers.
  [[nodiscard]] std::string start_next() const {
    const auto number = [&](const ThreadPlace& thread) {
      return thread.engine * (contexts_ > 4 ? 8 : 4) + thread.context;
    };
    std::string code = "  if (rank) ctx_wait(inter_thread);\n";
    std::vector<std::uint32_t> next;
    for (std::size_t i = 1; i < traffic_.producers.size(); ++i)
      next.push_back(number(traffic_.producers[i]));
    if (!next.empty()) {
      code += fmt::format("  if (rank < {}) {{\n    signal_thread({});\n    return;\n  }}\n",
                          next.size(), mappings::indexed_constant("rank", next));
    }
    for (const ThreadPlace& consumer : traffic_.consumers)
      code += fmt::format("  signal_thread({});\n", number(consumer));
    return code;
  }

  [[nodiscard]] std::string consume() const {
    const std::size_t share =
        traffic_.producers.size() * traffic_.handed_over / traffic_.consumers.size();
    std::string code = "static inline void consume(const u32 rank) {\n";
    code += "  u32 state = rank * 91 + 54321;\n" + mappings::indented(get_.declaration(), 1);
    code += traffic_.fills_first
                ? fmt::format("  ctx_wait(inter_thread);\n  for (u32 left = {}; left; --left) {{\n",
                              share)
                : "  for (;;) {\n";
    code += "    u32 buffer, info;\n";
    for (const auto& element : queue_.carried)
      code += fmt::format("    u32 {};\n", mappings::metadata_variable(element));
    code += look() + check();
    if (queue_.release == mappings::QueueRelease::kEndOfPacket)
      code += fmt::format("    PAUSE(state);\n    {0}_release(ring);\n", queue_.name);
    return code + "    PAUSE(state);\n  }\n}\n";
  }

  // Looks round the rings until one has an entry.
  [[nodiscard]] std::string look() const {
    const bool sleeps = traffic_.wait == mappings::QueueWait::kSignal;
    std::string code = "    u32 looks = 0;\n    u32 ring;\n    for (;;) {\n";
    code += fmt::format("      const u32 found = {}_get({}{});\n      ring = {}_queue;\n",
                        queue_.name, get_.arguments(), values("&"), queue_.name);
    code += mappings::indented(get_.next(), 3) + "      if (found) break;\n";
    if (sleeps) {
      code += fmt::format("      if (++looks == {}) {{ ctx_wait(inter_thread); looks = 0; }}\n",
                          get_.rings());
    } else {
      code += "      ctx_swap_voluntary();\n";
    }
    return code + "    }\n";
  }
  // A mark tells which entry it was; one that is not as it was put ends the run.
  [[nodiscard]] std::string check() const {
    std::string code = "    console_hex(buffer);\n";
    std::uint32_t distance = 1;
    for (const auto& element : queue_.carried)
      code += fmt::format("    if ({} != buffer + {}) abort();\n",
                          mappings::metadata_variable(element), distance++);
    return code;
  }

  const QueueTraffic& traffic_;
  const Queue& queue_;
  const unsigned contexts_;
  const QueueUse put_;
  const QueueUse get_;
};

// Keeps what consumers show.
class TakenLog final : public simulator::AnnotationSink {
 public:
  explicit TakenLog(const std::vector<ThreadPlace>& consumers) : consumers_(consumers) {}
  void annotation(isa::Annotation::Kind, simulator::ThreadId thread, std::uint32_t first,
                  std::uint32_t, simulator::Cycle) override {
    const ThreadPlace place{thread.engine.index(), static_cast<unsigned>(thread.context.index())};
    const auto consumer = std::find(consumers_.begin(), consumers_.end(), place);
    taken.push_back({static_cast<std::uint32_t>(consumer - consumers_.begin()), first >> kEntryBits,
                     first & ((1u << kEntryBits) - 1)});
  }
  std::vector<TakenEntry> taken;

 private:
  const std::vector<ThreadPlace>& consumers_;
};

std::vector<simulator::InitialLongword> initial_memory(const Queue& queue) {
  mappings::Placement placement;
  placement.queues.push_back(queue);
  mappings::MemoryImage image;
  mappings::put_initial_state(placement, image);
  std::vector<simulator::InitialLongword> memory;
  for (const isa::DataSegment& segment : image.segments()) {
    std::uint32_t address = segment.address;
    for (const std::uint32_t longword : segment.longwords) {
      memory.push_back({segment.space, address, longword});
      address += 4;
    }
  }
  return memory;
}

std::optional<simulator::LoadedProgram> load(const std::string& source, unsigned engine,
                                             const QueueTraffic& traffic, unsigned contexts,
                                             Diagnostics& diagnostics) {
  compiler::CompileOptions options;
  options.optimization = compiler::Optimization::kPublished;
  options.include_directories = library_folders();
  add_thread_bits(contexts, options);
  options.frame.space = isa::MemorySpace::kSram;
  options.frame.base = kFramesBase + engine * kFramesBytes;
  options.frame.bytes_per_thread = kFramesBytes / contexts;
  options.frame.contexts = contexts;
  auto image =
      compiler::compile(source, fmt::format("queue-engine{}.c", engine), options, diagnostics);
  if (!image)
    return std::nullopt;
  std::set<unsigned> enabled;
  for (const auto* threads : {&traffic.producers, &traffic.consumers}) {
    for (const ThreadPlace& thread : *threads) {
      if (thread.engine == engine)
        enabled.insert(thread.context);
    }
  }
  simulator::LoadedProgram program{std::move(*image), {}};
  for (const unsigned context : enabled)
    program.contexts.emplace_back(context);
  return program;
}

}  // namespace

Queue make_traffic_queue(const QueueTraffic& traffic, const simulator::ChipDescription& chip,
                         Diagnostics& diagnostics) {
  mappings::QueueEntry entry;
  entry.name = "passed";
  entry.sync = {traffic.sync, {}};
  entry.primitive = {traffic.primitive, {}};
  entry.memory = {traffic.memory, {}};
  entry.quantum = {traffic.quantum, {}};
  entry.entries = {traffic.entries, {}};
  entry.release = {traffic.release, {}};
  entry.wait = {traffic.wait, {}};
  entry.call_instructions = traffic.call_instructions;
  entry.kernel_instructions = traffic.kernel_instructions;
  Queue queue;
  queue.name = entry.name;
  queue.per = traffic.per;
  queue.route = traffic.route;
  queue.memory = traffic.memory;
  queue.entries = traffic.entries;
  queue.entry_longwords = traffic.entry_longwords;
  queue.full = mappings::WhenFull::kWait;
  queue.release = traffic.release;
  queue.quantum = traffic.quantum;
  queue.wait = traffic.wait;
  for (std::uint32_t i = mappings::kPacketHandleLongwords; i < traffic.entry_longwords; ++i)
    queue.carried.push_back({fmt::format("word_{}", i), std::nullopt});
  queue.instances =
      mappings::wire_queue(traffic.per, traffic.route, traffic.producers, traffic.consumers);
  const mappings::QueueUsers users{.queue = entry,
                                   .instances = queue.instances,
                                   .releasers = traffic.consumers,
                                   .contexts = chip.engine.contexts,
                                   .has_compare_and_swap = facts_of(chip).has_compare_and_swap};
  queue.protocol = mappings::fit_protocol(mappings::derive_protocol(users, diagnostics),
                                          traffic.entry_longwords);
  std::uint32_t base = kRingBase;
  for (auto& instance : queue.instances) {
    instance.base = base;
    base += static_cast<std::uint32_t>(queue.instance_bytes());
  }
  return queue;
}

std::map<unsigned, std::string> traffic_programs(const QueueTraffic& traffic, const Queue& queue,
                                                 unsigned contexts) {
  std::map<unsigned, std::string> programs;
  for (const unsigned engine : engines_of(traffic))
    programs[engine] = TrafficProgram(traffic, queue, contexts).text(engine);
  return programs;
}

std::optional<QueueTrafficResult> run_queue_traffic(const QueueTraffic& traffic,
                                                    const simulator::ChipDescription& chip,
                                                    simulator::Cycles most_cycles,
                                                    Diagnostics& diagnostics) {
  const Queue queue = make_traffic_queue(traffic, chip, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  simulator::SimulationInputs inputs;
  inputs.chip = chip;
  inputs.engines.resize(chip.engine.engines);
  for (const auto& [engine, source] : traffic_programs(traffic, queue, chip.engine.contexts)) {
    auto program = load(source, engine, traffic, chip.engine.contexts, diagnostics);
    if (!program)
      return std::nullopt;
    inputs.engines.at(engine) = std::move(program);
  }
  inputs.memory = initial_memory(queue);
  TakenLog log(traffic.consumers);
  inputs.console = &log;
  inputs.stop.at = simulator::Cycle(most_cycles);
  inputs.watchdog = 0;
  QueueTrafficResult result{simulator::simulate(inputs, simulator::Kernel::kNone), {}, true};
  result.taken = std::move(log.taken);
  result.is_whole = !result.run.fault;
  return result;
}

}  // namespace nplab::experiments
