#include "compiler/code_generation.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/pipeline.h"
#include "compiler/transforms/AnnotateProfile.h"
#include "compiler/transforms/CheckProgram.h"
#include "compiler/transforms/loops/ReadBursts.h"
#include "compiler/transforms/TieSignals.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace nplab::compiler {
namespace {

using llvm::MicroengineFrameReach;
using llvm::MicroengineStartedReferences;
using llvm::MicroengineTransferUse;

// How freely a program uses transfer registers. The first variant that has enough of them is taken,
// so they stand in the order of what they cost.
struct Variant {
  MicroengineTransferUse transfer_use;
  MicroengineStartedReferences started_references;
};
constexpr Variant kFree = {MicroengineTransferUse::kGrouped, MicroengineStartedReferences::kSignal};
constexpr Variant kModest = {MicroengineTransferUse::kModest,
                             MicroengineStartedReferences::kSignal};
constexpr Variant kMovedOut = {MicroengineTransferUse::kMovedOut,
                               MicroengineStartedReferences::kSignal};
constexpr Variant kBlocking = {MicroengineTransferUse::kGrouped,
                               MicroengineStartedReferences::kBlock};
constexpr Variant kBlockingMovedOut = {MicroengineTransferUse::kMovedOut,
                                       MicroengineStartedReferences::kBlock};
constexpr Variant kVariants[] = {kFree, kModest, kMovedOut, kBlocking, kBlockingMovedOut};

// Within a variant: how much of the frame the reserved registers can address. The size of the frame
// is known only once registers are allocated.
constexpr MicroengineFrameReach kFrameReaches[] = {
    MicroengineFrameReach::kNone, MicroengineFrameReach::kNear, MicroengineFrameReach::kFar};

bool covers(MicroengineFrameReach reach, std::uint32_t frame_bytes) {
  constexpr std::uint32_t kReferenceOffsets = 128;  // bytes
  switch (reach) {
    case MicroengineFrameReach::kNone: return frame_bytes == 0;
    case MicroengineFrameReach::kNear: return frame_bytes <= kReferenceOffsets;
    case MicroengineFrameReach::kFar: return true;
  }
  return true;
}

struct Generation {
  llvm::MicroengineOptions settings;
  GenerationResult result;
  std::size_t variant = 0;  // the index of what it needed
};

// The first attempt whose registers and frame suffice; or the last, with its errors.
Generation generate_best(const GenerationTask& task, llvm::MicroengineOptions settings) {
  const bool has_started = has_started_references(task.module);
  Generation last;
  for (const Variant& variant : kVariants) {
    if (variant.started_references == MicroengineStartedReferences::kBlock && !has_started)
      continue;
    settings.TransferUse = variant.transfer_use;
    settings.StartedReferences = variant.started_references;
    for (const MicroengineFrameReach reach : kFrameReaches) {
      settings.FrameReach = reach;
      last = {settings, generate(task, settings), static_cast<std::size_t>(&variant - kVariants)};
      if (last.result.diagnostics.has_errors())
        break;
      if (covers(reach, last.result.frame_bytes))
        return last;
    }
  }
  return last;
}

// The largest number of a per-engine shared variable, plus one.
unsigned shared_variables(const llvm::Module& module) {
  unsigned count = 0;
  for (const llvm::Function& function : module) {
    if (!function.getName().starts_with("__me_shared_"))
      continue;
    for (const llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
          count = std::max<unsigned>(count,
                                     number->getLimitedValue(llvm::MicroengineSharedLimit - 1) + 1);
  }
  return count;
}

// Which functions make the program too large, the largest first.
std::string largest_functions(const llvm::MicroengineTargetMachine::CountsBySource& counts) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::pair<std::string, unsigned>> sorted;
  for (const auto& [name, count] : counts)
    sorted.emplace_back(name, count.Words);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i != std::min(kNamed, sorted.size()); ++i)
    text += (i ? ", " : "") + sorted[i].first + " " + std::to_string(sorted[i].second);
  return text;
}

// A function that does nothing and never ends is undefined; the object needs an instruction all the
// same.
void trap_if_empty(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    llvm::Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbg();
    if (llvm::isa<llvm::UnreachableInst>(first))
      llvm::IRBuilder<>(first).CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
  }
}

void check_ir(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    llvm::report_fatal_error(llvm::Twine("the pipeline left broken IR: ") + text);
}

// SDRAM moves quadwords.
void check_frame_base(const CompileOptions& options, const SourceLocation& main,
                      Diagnostics& diagnostics) {
  const std::uint32_t unit = options.frame.space == isa::MemorySpace::kSdram ? 8 : 4;
  if (options.frame.base % unit == 0)
    return;
  diagnostics.error(main, "the frame area for locals must start at a multiple of " +
                              std::to_string(unit) + " bytes, not at " +
                              std::to_string(options.frame.base));
}

void check_fits(const CompileOptions& options, const GenerationResult& result,
                const CompileReport& report, const SourceLocation& main, Diagnostics& diagnostics) {
  if (report.words > options.control_store_words)
    diagnostics.error(main, "the program needs " + std::to_string(report.words) +
                                " control-store words; the engine has " +
                                std::to_string(options.control_store_words) +
                                ". Largest functions, in words where they were inlined: " +
                                largest_functions(result.counts));
  const std::uint32_t room = std::bit_floor(options.frame.bytes_per_thread);
  if (report.frame_bytes > room)
    diagnostics.error(main, "locals that do not fit in registers need " +
                                std::to_string(report.frame_bytes) +
                                " bytes per thread; the frame area has " + std::to_string(room) +
                                ". Use fewer or smaller local arrays, or give a larger frame area");
}

void fill_report(CompileReport& report, const Generation& generation) {
  const GenerationResult& result = generation.result;
  report.words = 0;
  report.frame_bytes = result.frame_bytes;
  report.reserved_registers = llvm::reservedForProgram(generation.settings).size();
  report.functions.clear();
  for (const auto& [name, counts] : result.counts) {
    report.words += counts.Words;
    report.functions.push_back({name, counts.Words, counts.References, counts.Bursts,
                                counts.FilledSlots, counts.GuessedBranches, counts.Overlapped,
                                counts.Spills});
  }
  report.calls.clear();
  for (const auto& [name, sites] : result.call_sites)
    report.calls.push_back({name, sites});
  const auto& used = result.usage;
  report.registers = {used.BankA,     used.BankB,     used.SRAMRead,
                      used.SRAMWrite, used.SDRAMRead, used.SDRAMWrite};
}

// The source functions that the program declares so (microengine.h, __may_spill).
std::set<std::string> functions_that_may_spill(const llvm::Module& module) {
  std::set<std::string> names;
  for (const llvm::Function& function : module)
    if (function.hasFnAttribute(kMaySpillAttribute) && function.getSubprogram())
      names.insert(function.getSubprogram()->getName().str());
  return names;
}

// "5, 8 and 12 to 15".
std::string list_of(const std::set<unsigned>& lines) {
  std::vector<std::string> ranges;
  for (auto line = lines.begin(); line != lines.end();) {
    const unsigned first = *line;
    unsigned last = first;
    while (++line != lines.end() && *line == last + 1)
      ++last;
    ranges.push_back(std::to_string(first) + (last == first ? "" : " to " + std::to_string(last)));
  }
  std::string text;
  for (std::size_t i = 0; i != ranges.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ranges.size() ? " and " : ", ") + ranges[i];
  return text;
}

// A value in the frame costs a reference whenever it is used: once per function, said where.
void warn_of_spills(const GenerationResult& result, const std::set<std::string>& may_spill,
                    const SourceLocation& main, std::vector<Diagnostic>& warnings) {
  for (const auto& [name, counts] : result.counts) {
    if (counts.Spills == 0 || may_spill.contains(name))
      continue;
    SourceLocation place = main;
    std::string lines;
    if (!counts.SpillLines.empty()) {
      const auto& [file, numbers] = *counts.SpillLines.begin();
      place = {file, static_cast<int>(*numbers.begin()), 1};
      lines = std::string(numbers.size() == 1 ? " at line " : " at lines ") + list_of(numbers);
    }
    const std::size_t values = counts.SpilledValues.size();
    warnings.push_back(
        {std::move(place),
         llvm::formatv(
             "'{0}' needs more values at a time than there are registers: {1} {2} spilled "
             "to the frame, which costs {3} {4}{5}. Use fewer at a time, or declare the "
             "function __may_spill",
             name, values, values == 1 ? "value is" : "values are", counts.Spills,
             counts.Spills == 1 ? "reference" : "references", lines)
             .str()});
  }
}

// The remarks of the pipeline. Nothing after an error.
std::optional<std::vector<Remark>> optimize(llvm::Module& module, const std::string& file,
                                            const CompileOptions& options,
                                            const PipelineChoice& choice,
                                            Diagnostics& diagnostics) {
  auto owned_handler =
      std::make_unique<BackEndDiagnostics>(places_of(module, file), options.remarks);
  BackEndDiagnostics& handler = *owned_handler;
  module.getContext().setDiagnosticHandler(std::move(owned_handler));
  annotate_profile(module, options.profile);
  const auto target = create_target(engine_options(options));
  run_pipeline(module, *target, options, choice, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  trap_if_empty(module);
  check_ir(module);
  diagnostics.append(handler.take_diagnostics());
  return handler.take_remarks();
}

// What one choice of the functions that are called gives.
struct Build {
  Diagnostics diagnostics;
  std::vector<Remark> remarks;
  Generation generation;
  bool has_calls = false;

  [[nodiscard]] std::uint32_t words() const {
    std::uint32_t sum = 0;
    for (const auto& [name, counts] : generation.result.counts)
      sum += counts.Words;
    return sum;
  }
};

bool has_called_functions(const llvm::Module& module) {
  return llvm::any_of(module, llvm::isMicroengineCalled);
}

Build build(llvm::Module& module, const std::string& file, const CompileOptions& options,
            OutputKind kind, const PipelineChoice& choice) {
  Build built;
  auto remarks = optimize(module, file, options, choice, built.diagnostics);
  if (!remarks)
    return built;
  const SourcePlaces places = places_of(module, file);
  const GenerationTask task{module, options, kind, places};
  llvm::MicroengineOptions settings = engine_options(options);
  settings.SharedVariables = shared_variables(module);
  settings.HasCalls = built.has_calls = has_called_functions(module);
  built.generation = generate_best(task, settings);
  built.diagnostics.append(built.generation.result.diagnostics);
  if (built.diagnostics.has_errors())
    return built;
  if (options.verify == MachineVerifier::kOn)
    verify_generation(task, built.generation.settings);
  append_remarks(*remarks, std::move(built.generation.result.remarks));
  built.remarks = std::move(*remarks);
  return built;
}

// At -Os whatever is smallest of calls, and of copies, which are smaller where little is called,
// each with every form of loops.
Build build_smallest(const llvm::Module& module, const std::string& file,
                     const CompileOptions& options, OutputKind kind) {
  std::optional<Build> smallest;
  const auto attempt = [&](const PipelineChoice& choice) {
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    Build next = build(*copy, file, options, kind, choice);
    const bool has_calls = next.has_calls;
    if (!smallest || (!next.diagnostics.has_errors() &&
                      (smallest->diagnostics.has_errors() || next.words() < smallest->words())))
      smallest = std::move(next);
    return has_calls;
  };
  for (const LoopTest test : {LoopTest::kLast, LoopTest::kFirst})
    for (const LoopCounter counter : {LoopCounter::kIndices, LoopCounter::kSteps})
      if (attempt({Inlining::kBySize, test, counter}) || smallest->diagnostics.has_errors())
        attempt({Inlining::kUnlessRefused, test, counter});
  return std::move(*smallest);
}

// What bursts of loops may cost elsewhere: room in the control store, transfer registers, and
// registers.
auto scarcity_of(const Build& built, const CompileOptions& options) {
  return std::tuple(built.diagnostics.has_errors(), built.words() > options.control_store_words,
                    built.generation.variant, built.generation.result.frame_bytes);
}

// With loops that read in bursts, unless the program then lacks what it has without.
Build build_with_copies(llvm::Module& module, const std::string& file,
                        const CompileOptions& options, OutputKind kind) {
  const std::unique_ptr<llvm::Module> original = llvm::CloneModule(module);
  const PipelineChoice plain{.inlining = Inlining::kUnlessRefused};
  PipelineChoice in_bursts = plain;
  in_bursts.reads = LoopReads::kInBursts;
  Build built = build(module, file, options, kind, in_bursts);
  const bool has_bursts = llvm::any_of(module, [](const llvm::Function& function) {
    return function.hasFnAttribute(kReadBurstsAttribute);
  });
  if (!has_bursts || scarcity_of(built, options) == decltype(scarcity_of(built, options))())
    return built;
  Build without = build(*original, file, options, kind, plain);
  return scarcity_of(without, options) < scarcity_of(built, options) ? std::move(without)
                                                                     : std::move(built);
}

// At -O2 copies, which are faster than calls, while they fit in the control store.
Build build_fastest(llvm::Module& module, const std::string& file, const CompileOptions& options,
                    OutputKind kind) {
  const std::unique_ptr<llvm::Module> original = llvm::CloneModule(module);
  Build first = build_with_copies(module, file, options, kind);
  const bool is_good = !first.diagnostics.has_errors();
  if (is_good && first.words() <= options.control_store_words)
    return first;
  for (llvm::Function& function : *original)
    if (!function.isDeclaration())
      function.addFnAttr(llvm::Attribute::OptimizeForSize);
  Build second = build(*original, file, options, kind, {Inlining::kBySize});
  if (!second.has_calls || second.diagnostics.has_errors() ||
      (is_good && second.words() >= first.words()))
    return first;
  return second;
}

Build build_best(llvm::Module& module, const std::string& file, const CompileOptions& options,
                 OutputKind kind) {
  switch (options.optimization) {
    case Optimization::kOs: return build_smallest(module, file, options, kind);
    case Optimization::kO2: return build_fastest(module, file, options, kind);
    default: return build(module, file, options, kind, {Inlining::kEverything});
  }
}

}  // namespace

std::optional<std::string> generate_code(llvm::Module& module, const std::string& file,
                                         const CompileOptions& options, OutputKind kind,
                                         Diagnostics& diagnostics, CompileReport& report) {
  const SourceLocation main = location_of({}, *module.getFunction("main"));
  const std::set<std::string> may_spill = functions_that_may_spill(module);
  check_frame_base(options, main, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  Build built = build_best(module, file, options, kind);
  diagnostics.append(built.diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  report.remarks = std::move(built.remarks);
  fill_report(report, built.generation);
  warn_of_spills(built.generation.result, may_spill, main, report.warnings);
  check_fits(options, built.generation.result, report, main, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  return std::move(built.generation.result.output);
}

}  // namespace nplab::compiler
