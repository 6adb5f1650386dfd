#include "experiments/debugging/debug_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "experiments/check/run_checks.h"
#include "experiments/prepare/data_directory.h"
#include "experiments/prepare/unit_choices.h"
#include "experiments/run/prepared_run.h"
#include "experiments/run/replay.h"
#include "mappings/resolver/placement.h"

namespace nplab::experiments {
namespace {

// Passes verdicts on with what the reference says of them.
class JudgedVerdicts final : public simulator::VerdictSink {
 public:
  JudgedVerdicts(const Experiment& experiment, VerdictListener& listener)
      : checks_(experiment), listener_(listener) {}

  void received(const workloads::OfferedPacket& packet, unsigned port,
                simulator::Cycle at) override {
    checks_.received(packet, port, at);
  }
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               simulator::Cycle at) override {
    const auto wrong = checks_.misclassified();
    const auto said = checks_.messages().size();
    checks_.verdict(packet, rule, at);
    std::string complaint;
    if (checks_.misclassified() > wrong)
      complaint = checks_.messages().size() > said ? checks_.messages().back()
                                                   : "another packet is misclassified";
    listener_.judged(packet.sequence, rule, complaint, at);
  }
  void dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
               simulator::Cycle at) override {
    checks_.dropped(packet, reason, at);
  }
  void sent(const workloads::OfferedPacket& packet, unsigned port, simulator::Cycle at) override {
    checks_.sent(packet, port, at);
  }

 private:
  ReferenceChecks checks_;
  VerdictListener& listener_;
};

void add_sources(const isa::ProgramImage& image, std::vector<DebugSource>& sources) {
  for (const std::string& name : image.files) {
    if (std::any_of(sources.begin(), sources.end(),
                    [&](const DebugSource& source) { return source.name == name; }))
      continue;
    const auto shipped = data_directory() / name;
    const std::filesystem::path file =
        std::filesystem::exists(shipped) ? shipped : std::filesystem::path(name);
    std::error_code missing;
    if (std::filesystem::exists(file, missing))
      sources.push_back({name, std::filesystem::absolute(file).lexically_normal().string(), {}});
  }
}

// Which bits are locks, and where counts lie, is said in mappings/library/queue.h.
std::vector<LockPlace> locks_of(const mappings::Queue& queue) {
  constexpr std::uint32_t kTail = 0, kFreed = 4, kHead = 8;  // RING_TAIL, RING_FREED, RING_HEAD
  constexpr std::uint32_t kLockOfCount = 1;                  // RING_LOCK
  constexpr std::uint32_t kLocksOfCounters = 7;  // of producers, consumers and releasers
  using mappings::Exclusion;
  std::vector<LockPlace> locks;
  const mappings::QueueProtocol& protocol = queue.protocol;
  const bool at_end = queue.release == mappings::QueueRelease::kEndOfPacket;
  const auto place = [&](const mappings::QueueInstance& ring, std::uint32_t offset) {
    return ring.base + (protocol.has_own_lines ? offset / 4 * mappings::kQueueLineBytes : offset);
  };
  for (const mappings::QueueInstance& ring : queue.instances) {
    if (protocol.shape == mappings::RingShape::kCounters) {
      locks.push_back({queue.memory, ring.base + mappings::kQueueLockOffset, kLocksOfCounters});
      continue;
    }
    if (protocol.producers.exclusion == Exclusion::kMemoryLock)
      locks.push_back({queue.memory, place(ring, kTail), kLockOfCount});
    if (protocol.consumers.exclusion == Exclusion::kMemoryLock)
      locks.push_back({queue.memory, place(ring, at_end ? kHead : kFreed), kLockOfCount});
    if (protocol.releasers.exclusion == Exclusion::kMemoryLock)
      locks.push_back({queue.memory, place(ring, kFreed), kLockOfCount});
  }
  return locks;
}

std::vector<unsigned> engines_of(
    const mappings::Queue& queue,
    std::vector<mappings::ThreadPlace> mappings::QueueInstance::* side) {
  std::set<unsigned> engines;
  for (const mappings::QueueInstance& ring : queue.instances)
    for (const mappings::ThreadPlace& thread : ring.*side)
      engines.insert(thread.engine);
  return {engines.begin(), engines.end()};
}

std::vector<std::uint32_t> first_entries_of(const mappings::Queue& queue) {
  using Shape = mappings::RingShape;
  std::vector<std::uint32_t> places;
  if (queue.in_registers() || queue.protocol.shape == Shape::kSequence)
    return places;
  for (const mappings::QueueInstance& ring : queue.instances)
    places.push_back(ring.base + queue.control_bytes());
  return places;
}

EntryMark mark_of(const mappings::Queue& queue) {
  switch (queue.protocol.shape) {
    case mappings::RingShape::kLapBit: return EntryMark::kLap;
    case mappings::RingShape::kEntryFlag: return EntryMark::kNotZero;
    default: return EntryMark::kNone;
  }
}

std::vector<DebugQueue> queues_of(const mappings::Placement& placement) {
  std::vector<DebugQueue> queues;
  std::size_t ring = 0;
  for (const mappings::Queue& queue : placement.queues) {
    queues.push_back({queue.name, queue.entries, ring, queue.instances.size(), locks_of(queue),
                      engines_of(queue, &mappings::QueueInstance::producers),
                      engines_of(queue, &mappings::QueueInstance::consumers), queue.memory,
                      first_entries_of(queue), 4 * queue.entry_longwords, mark_of(queue)});
    ring += queue.instances.size();
  }
  return queues;
}

class Console final : public simulator::AnnotationSink {
 public:
  explicit Console(const Print& print) : print_(print) {}
  void annotation(isa::Annotation::Kind kind, simulator::ThreadId, std::uint32_t first,
                  std::uint32_t, simulator::Cycle at) override {
    print_(kind == isa::Annotation::Kind::kConsoleChar ? std::string(1, static_cast<char>(first))
                                                       : fmt::format("{:#010x}\n", first),
           at);
  }

 private:
  const Print& print_;
};

}  // namespace

std::optional<DebugTarget> debug_target_of_mapping(const std::string& mapping,
                                                   const ExperimentOptions& options,
                                                   Diagnostics& diagnostics) {
  auto prepared = prepare_run(mapping, options, diagnostics);
  if (prepared)
    check_unit_names(options, {&prepared->experiment.chip}, diagnostics);
  if (!prepared || diagnostics.has_errors())
    return std::nullopt;
  const auto run = std::make_shared<const PreparedRun>(std::move(*prepared));
  const Experiment& experiment = run->experiment;
  DebugTarget target;
  target.name = experiment.mapping.name;
  target.chip = experiment.chip;
  for (const CompiledProgram& program : run->programs) {
    const mappings::ComposedProgram& composed = program.composed;
    target.programs.push_back({composed.engine, composed.role, program.image, composed.contexts,
                               word_uses(program.image)});
    if (!composed.source.empty())
      target.sources.push_back({composed.name, {}, composed.source});
  }
  for (const CompiledProgram& program : run->programs)
    add_sources(program.image, target.sources);
  target.queues = queues_of(experiment.placement());
  if (!experiment.updates)
    target.expected_rule = [run, checks = std::make_shared<const ReferenceChecks>(experiment)](
                               std::size_t traffic_index) -> std::optional<std::uint32_t> {
      const auto rule = checks->answer(traffic_index);
      return rule ? std::optional(rule->value()) : std::nullopt;
    };
  target.run = [run](simulator::RunVisitor& visitor, VerdictListener& verdicts, const auto&) {
    JudgedVerdicts judged(run->experiment, verdicts);
    Replay(run->experiment, run->programs).run(&judged, {}, &visitor);
  };
  return target;
}

std::optional<DebugTarget> debug_target_of_program(
    const ProgramRunOptions& options, compiler::CompileOptions compile,
    const std::function<void(const compiler::CompileReport&)>& compiled, Diagnostics& diagnostics) {
  compiler::CompileReport report;
  auto prepared = prepare_program_run(options, std::move(compile), report, diagnostics);
  compiled(report);
  if (!prepared)
    return std::nullopt;
  const auto inputs = std::make_shared<const simulator::ExecInputs>(std::move(*prepared));
  DebugTarget target;
  target.name = options.file;
  target.chip = inputs->chip;
  std::vector<unsigned> contexts;
  for (unsigned context = 0; context < inputs->threads; ++context)
    contexts.push_back(context);
  target.programs.push_back({0, {}, inputs->image, contexts, word_uses(inputs->image)});
  for (const isa::ProgramImage& image : inputs->more_engines)
    target.programs.push_back(
        {static_cast<unsigned>(target.programs.size()), {}, image, contexts, word_uses(image)});
  add_sources(inputs->image, target.sources);
  target.run = [inputs](simulator::RunVisitor& visitor, VerdictListener&, const auto& print) {
    Console console(print);
    simulator::SimulationInputs run = simulator::simulation_inputs(*inputs);
    run.console = &console;
    run.visitor = &visitor;
    simulator::simulate(run, simulator::Kernel::kNone);
  };
  return target;
}

}  // namespace nplab::experiments
