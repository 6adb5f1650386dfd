#include "tests/tools/support/accessibility_checker.h"

#include "tests/tools/support/browser.h"

namespace nplab::tools::testing {
namespace {

constexpr const char* kPackage = "axe-core@4.10.3";

}  // namespace

std::optional<std::string> accessibility_checker() {
  const auto npm = find_program({"npm"}), tar = find_program({"tar"});
  if (!npm || !tar)
    return std::nullopt;
  const ScratchFolder folder;
  const Outcome packed = run_program(
      *npm, {"pack", kPackage, "--silent", "--fetch-retries=0", "--fetch-timeout=30000"},
      folder.path());
  const auto names = folder.names();
  if (packed.status != 0 || names.empty())
    return std::nullopt;
  if (run_program(*tar, {"-xzf", names.front()}, folder.path()).status != 0)
    return std::nullopt;
  return read_text(folder.file("package/axe.min.js"));
}

}  // namespace nplab::tools::testing
