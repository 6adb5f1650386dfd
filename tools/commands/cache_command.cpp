// nplab cache: the compiled programs that later runs take over.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/prepare/compile_options.h"
#include "tools/commands/commands.h"

namespace nplab::tools {
namespace {

constexpr const char* kNoCache =
    "nplab cache: compiled programs are not kept: NPLAB_CACHE is `off`, or none of NPLAB_CACHE, "
    "XDG_CACHE_HOME and HOME names a folder\n";

int show() {
  const auto cache = experiments::program_cache();
  if (!cache) {
    std::cout << kNoCache;
    return kDone;
  }
  const ContentCache::Size size = cache->size();
  std::cout << fmt::format("folder   {}\nentries  {}\nbytes    {} of at most {}\n",
                           cache->folder().string(), size.entries, size.bytes, cache->most_bytes());
  return kDone;
}

int clear() {
  const auto cache = experiments::program_cache();
  if (!cache) {
    std::cout << kNoCache;
    return kDone;
  }
  const ContentCache::Size removed = cache->clear();
  std::cout << fmt::format("removed {} entries, {} bytes\n", removed.entries, removed.bytes);
  if (const ContentCache::Size left = cache->size(); left.entries != 0) {
    std::cerr << fmt::format("{}: error: {} entries cannot be removed\n", cache->folder().string(),
                             left.entries);
    return kBadInput;
  }
  return kDone;
}

}  // namespace

void add_cache_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("cache", "Show where compiled programs are kept, or remove them");
  command->footer(
      "A program that was compiled once, from the same files, with the same options and by the "
      "same "
      "build of nplab, is taken from this folder. The environment variable NPLAB_CACHE names "
      "another folder for the caches of nplab; `off` keeps nothing. Without it, they are in nplab "
      "in XDG_CACHE_HOME, or in ~/.cache.");
  auto* removal = command->add_subcommand("clear", "Remove all compiled programs");
  command->callback([removal, &status] { status = removal->parsed() ? clear() : show(); });
}

}  // namespace nplab::tools
