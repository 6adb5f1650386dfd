#include "isa/mc/fatal_errors.h"

#include <new>

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

namespace nplab::isa {
namespace {

constexpr int kFatalError = 1;

// Parsers descend into brackets as deep as they are nested.
constexpr unsigned kStackBytes = 1U << 29;

void leave(void* text, const char* reason, bool) {
  *static_cast<std::string*>(text) = reason;
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(kFatalError);
}

// LLVM's own allocations end as those of `new` do: a process of bounded memory has its handler.
void leave_without_memory(void* text, const char* reason, bool generates_dump) {
  if (const std::new_handler handler = std::get_new_handler())
    handler();
  leave(text, reason, generates_dump);
}

}  // namespace

std::optional<std::string> run_to_fatal_error(const std::function<void()>& work) {
  std::string text;
  llvm::CrashRecoveryContext::Enable();
  bool finished = false;
  {
    const llvm::ScopedFatalErrorHandler handler(leave, &text);
    llvm::install_bad_alloc_error_handler(leave_without_memory, &text);
    llvm::CrashRecoveryContext context;
    finished = context.RunSafelyOnThread([&work] { work(); }, kStackBytes);
    if (!finished && text.empty())
      text = "a crash or no more memory (code " + std::to_string(context.RetCode) + ")";
  }
  llvm::remove_bad_alloc_error_handler();
  llvm::CrashRecoveryContext::Disable();
  return finished ? std::nullopt : std::optional(text);
}

}  // namespace nplab::isa
