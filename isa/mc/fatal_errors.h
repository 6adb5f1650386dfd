// LLVM ends the process where it cannot go on. Here it ends the compilation alone.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace nplab::isa {

// Runs `work` on a thread with a large stack. Nothing is returned when it came to its end;
// otherwise what LLVM said against going on (a fatal error, a crash, no more memory). `work` is
// then left where it was: what it had made is never destroyed, so its results must outlive it, and
// a context that it used must be abandoned (leaked) too.
std::optional<std::string> run_to_fatal_error(const std::function<void()>& work);

}  // namespace nplab::isa
