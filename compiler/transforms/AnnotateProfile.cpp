#include "compiler/transforms/AnnotateProfile.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

using LineCounts = std::map<int, std::uint64_t>;

bool is_end_of(StringRef end, StringRef path) {
  return path == end || (path.ends_with(end) && path.drop_back(end.size()).ends_with("/"));
}

class ProfiledFunction {
 public:
  ProfiledFunction(Function& function, const std::map<std::string, LineCounts>& files)
      : function_(function), counts_(counts_of(function, files)) {}

  void annotate() {
    if (!counts_)
      return;
    for (const BasicBlock& block : function_)
      for (const Instruction& instruction : block)
        if (const int line = line_of(instruction)) {
          auto [owner, is_new] = owners_.try_emplace(line, &block);
          if (!is_new && owner->second != &block)
            owner->second = nullptr;
        }
    for (BasicBlock& block : function_)
      if (auto* branch = dyn_cast<BranchInst>(block.getTerminator());
          branch && branch->isConditional())
        weigh(*branch);
  }

 private:
  static const LineCounts* counts_of(const Function& function,
                                     const std::map<std::string, LineCounts>& files) {
    if (!function.getSubprogram())
      return nullptr;
    const StringRef path = function.getSubprogram()->getFilename();
    for (const auto& [file, counts] : files)
      if (is_end_of(file, path) || is_end_of(path, file))
        return &counts;
    return nullptr;
  }
  static int line_of(const Instruction& instruction) {
    const DebugLoc& location = instruction.getDebugLoc();
    return location ? static_cast<int>(location.getLine()) : 0;
  }

  // By the lines that belong to this block alone. A line that the profile lacks became no word, and
  // nothing is known of it.
  std::optional<std::uint64_t> count_of(const BasicBlock& block) const {
    std::optional<std::uint64_t> count;
    for (const Instruction& instruction : block) {
      const int line = line_of(instruction);
      const auto owner = owners_.find(line);
      if (line == 0 || owner == owners_.end() || owner->second != &block)
        continue;
      if (const auto found = counts_->find(line); found != counts_->end())
        count = std::max(count.value_or(0), found->second);
    }
    return count;
  }
  // Of the edge from a block: only the count of its successor can tell, and only if no other edge
  // leads there.
  std::optional<std::uint64_t> count_of_way(const BasicBlock& to) const {
    return to.getSinglePredecessor() ? count_of(to) : std::nullopt;
  }

  void weigh(BranchInst& branch) const {
    auto taken = count_of_way(*branch.getSuccessor(0)),
         other = count_of_way(*branch.getSuccessor(1));
    const auto own = count_of(*branch.getParent());
    if (!taken && other && own)
      taken = *own > *other ? *own - *other : 0;
    if (taken && !other && own)
      other = *own > *taken ? *own - *taken : 0;
    if (!taken || !other || *taken + *other == 0)
      return;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
    const std::uint64_t scale = std::max(*taken, *other) / kMost + 1;
    branch.setMetadata(LLVMContext::MD_prof,
                       MDBuilder(branch.getContext())
                           .createBranchWeights(static_cast<std::uint32_t>(*taken / scale + 1),
                                                static_cast<std::uint32_t>(*other / scale + 1)));
  }

  Function& function_;
  const LineCounts* counts_;
  std::map<int, const BasicBlock*> owners_;  // null: of several blocks
};

}  // namespace

void annotate_profile(Module& module, const std::vector<LineCount>& profile) {
  if (profile.empty())
    return;
  std::map<std::string, LineCounts> files;
  for (const LineCount& line : profile)
    files[line.file][line.line] += line.count;
  for (Function& function : module) {
    if (function.isDeclaration())
      continue;
    ProfiledFunction(function, files).annotate();
    if (function.getName() == "main")
      function.addFnAttr(MicroengineProfileAttribute);
  }
}

}  // namespace nplab::compiler
