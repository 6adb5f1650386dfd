#include "compiler/pipeline.h"

#include "compiler/backend/Microengine.h"
#include "compiler/transforms/ChooseCalls.h"
#include "compiler/transforms/DelayShifts.h"
#include "compiler/transforms/ExpandArithmetic.h"
#include "compiler/transforms/ExtractBursts.h"
#include "compiler/transforms/loops/CountDown.h"
#include "compiler/transforms/loops/ReadBursts.h"
#include "compiler/transforms/LowerCopies.h"
#include "compiler/transforms/LowerMemory.h"
#include "compiler/transforms/MergeStores.h"
#include "compiler/transforms/PlainControlFlow.h"
#include "compiler/transforms/SinkAddresses.h"
#include "compiler/transforms/SpaceAliases.h"
#include "compiler/transforms/SplitElements.h"
#include "compiler/transforms/TieSignals.h"
#include "llvm/CodeGen/ExpandReductions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

namespace nplab::compiler {
namespace {

llvm::FunctionPassManager simplification() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(PlainControlFlowPass());
  passes.addPass(llvm::ADCEPass());
  return passes;
}

// Only LLVM's own pipeline makes weights of them.
void drop_probabilities(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::expect_with_probability)
        continue;
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
}

// What __builtin_constant_p asks about is not evaluated, even at the level that keeps unused reads.
struct AnswerConstantQuestionsPass : llvm::PassInfoMixin<AnswerConstantQuestionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    llvm::SmallVector<llvm::WeakTrackingVH, 4> asked;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::is_constant)
        asked.emplace_back(call->getArgOperand(0));
    llvm::PreservedAnalyses preserved = llvm::LowerConstantIntrinsicsPass().run(function, analyses);
    for (const llvm::WeakTrackingVH& value : asked)
      if (auto* computed = llvm::dyn_cast_or_null<llvm::Instruction>(value))
        llvm::RecursivelyDeleteTriviallyDeadInstructions(computed);
    return asked.empty() ? preserved : llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

class Pipeline {
 public:
  Pipeline(llvm::Module& module, llvm::TargetMachine& target, const CompileOptions& options,
           const PipelineChoice& choice)
      : module_(module), choice_(choice), builder_(&target, tuning(choice.inlining)) {
    register_own_analyses(options);
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
    mark_for_inlining(module, choice.inlining);
  }

  // The uses of a result are visible once it is a value and no call lies in between.
  void tie_signals_to_waits(const CompileOptions& options, Diagnostics& diagnostics) {
    inline_everything();
    on_functions(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    run_passes();
    tie_signals(*module_.getFunction("main"), address_space_of(options.frame.space), diagnostics);
  }

  void run(const CompileOptions& options) {
    const Optimization optimization = options.optimization;
    if (optimization != Optimization::kO2 && optimization != Optimization::kOs)
      drop_probabilities(module_);
    switch (optimization) {
      case Optimization::kO0: break;
      case Optimization::kO1:
      case Optimization::kPublished: add_published(); break;
      case Optimization::kO2:
        passes_.addPass(builder_.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2));
        break;
      case Optimization::kOs:
        passes_.addPass(builder_.buildPerModuleDefaultPipeline(choice_.test == LoopTest::kFirst
                                                                   ? llvm::OptimizationLevel::Oz
                                                                   : llvm::OptimizationLevel::Os));
        break;
    }
    bool optimizes = optimization != Optimization::kO0;
    bool forms_bursts = optimization == Optimization::kO2 || optimization == Optimization::kOs;
    inline_everything();
    if (optimizes)
      on_functions(simplification());
    on_functions(AnswerConstantQuestionsPass());
    on_functions(ExpandArithmeticPass());
    run_passes();

    release_runtime(module_, choice_.inlining);
    inline_what_cannot_be_called(module_);
    inline_everything();
    if (optimizes)
      on_functions(simplification());
    lower_subwords(forms_bursts, optimizes, options.frame.space);
    run_passes();

    // Products and quotients that the last simplification formed have become calls, too. The
    // runtime was kept alive until now.
    llvm::removeFromUsedLists(module_, [](llvm::Constant*) { return true; });
    inline_what_cannot_be_called(module_);
    inline_everything();
    lower_memory(forms_bursts, optimizes, options.frame.space);
    run_passes();
  }

 private:
  // LLVM's own come after these, where it finds none.
  void register_own_analyses(const CompileOptions& options) {
    const Optimization level = options.optimization;
    if (level != Optimization::kO2 && level != Optimization::kOs)
      return;
    const auto default_space = address_space_of(options.frame.space);
    functions_.registerPass([&] { return SpaceAliasAnalysis(default_space); });
    functions_.registerPass([&] {
      llvm::AAManager aliases = builder_.buildDefaultAAPipeline();
      aliases.registerFunctionAnalysis<SpaceAliasAnalysis>();
      return aliases;
    });
    if (level != Optimization::kO2 || choice_.inlining == Inlining::kBySize)
      return;
    // Loops that copy or clear become memcpy and memset, which are bursts in the end. That takes
    // more words.
    llvm::TargetLibraryInfoImpl library((llvm::Triple(module_.getTargetTriple())));
    library.disableAllFunctions();
    for (llvm::LibFunc function :
         {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
      library.setAvailable(function);
    functions_.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
    for (llvm::Function& function : module_)
      function.removeFnAttr("no-builtins");
  }

  static llvm::PipelineTuningOptions tuning(Inlining inlining) {
    llvm::PipelineTuningOptions options;  // the control store is small
    options.LoopVectorization = options.SLPVectorization = options.LoopInterleaving = false;
    if (inlining == Inlining::kBySize)
      options.InlinerThreshold = kInlineThresholdBySize;
    return options;
  }

  template <typename Pass>
  void on_functions(Pass pass) {
    passes_.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
  }

  void run_passes() {
    passes_.run(module_, modules_);
    passes_ = llvm::ModulePassManager();
    modules_.clear();
  }

  void inline_everything() {
    passes_.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes_.addPass(llvm::GlobalDCEPass());
  }

  void add_published() {
    on_functions(simplification());
    inline_everything();
    for (int round = 0; round != 2; ++round)
      on_functions(simplification());
  }

  void lower_subwords(bool forms_bursts, bool optimizes, isa::MemorySpace default_space) {
    llvm::FunctionPassManager passes;
    if (choice_.reads == LoopReads::kInBursts)
      passes.addPass(ReadBurstsPass());
    if (forms_bursts)
      passes.addPass(LowerCopiesPass(address_space_of(default_space)));
    passes.addPass(LowerSubwordsPass(forms_bursts ? PartReads::kMovedUp : PartReads::kMovedDown));
    if (forms_bursts)
      passes.addPass(DelayShiftsPass());
    if (optimizes) {
      passes.addPass(llvm::InstCombinePass());
      passes.addPass(PlainControlFlowPass());
      passes.addPass(ExpandArithmeticPass());
    }
    on_functions(std::move(passes));
  }

  // No InstCombine once there are quadwords: it would read their bytes as elements of vectors of
  // bytes. In the end no vector may be left but between a burst read and its longwords.
  void lower_memory(bool forms_bursts, bool optimizes, isa::MemorySpace default_space) {
    llvm::FunctionPassManager passes;
    if (forms_bursts)
      passes.addPass(llvm::LoadStoreVectorizerPass());
    if (default_space == isa::MemorySpace::kSdram)
      passes.addPass(DefaultSpaceToSDRAMPass());
    passes.addPass(
        LowerQuadwordsPass(forms_bursts ? SharedQuadwords::kFound : SharedQuadwords::kIgnored));
    if (forms_bursts)
      passes.addPass(llvm::EarlyCSEPass());  // two halves of one quadword
    if (forms_bursts)
      passes.addPass(MergeStoresPass());
    passes.addPass(LowerBurstStoresPass());
    passes.addPass(llvm::ExpandReductionsPass());
    passes.addPass(SplitElementsPass());
    passes.addPass(llvm::ScalarizerPass());
    passes.addPass(ExtractBurstsPass());
    if (optimizes) {
      passes.addPass(llvm::InstSimplifyPass());
      passes.addPass(llvm::ADCEPass());
    }
    if (choice_.counter == LoopCounter::kSteps)
      passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopStrengthReducePass()));
    if (forms_bursts) {
      passes.addPass(CountDownPass());
      passes.addPass(SinkAddressesPass());
    }
    passes.addPass(FreezeAccessesPass());
    on_functions(std::move(passes));
  }

  llvm::Module& module_;
  PipelineChoice choice_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
  llvm::ModulePassManager passes_;
};

}  // namespace

llvm::MicroengineAddressSpace::Space address_space_of(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return llvm::MicroengineAddressSpace::kSram;
    case isa::MemorySpace::kSdram: return llvm::MicroengineAddressSpace::kSdram;
    case isa::MemorySpace::kScratch: return llvm::MicroengineAddressSpace::kScratch;
  }
  llvm_unreachable("every memory has an address space");
}

void run_pipeline(llvm::Module& module, llvm::TargetMachine& target, const CompileOptions& options,
                  const PipelineChoice& choice, Diagnostics& diagnostics) {
  Pipeline pipeline(module, target, options, choice);
  if (has_started_references(module))
    pipeline.tie_signals_to_waits(options, diagnostics);
  if (diagnostics.has_errors())
    return;
  pipeline.run(options);
  number_called_functions(module);
}

}  // namespace nplab::compiler
