// nplab cache: compiled programs and profiles that later runs take over.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <vector>

#include "experiments/prediction/profile_cache.h"
#include "experiments/prepare/compile_options.h"
#include "tools/commands/commands.h"

namespace nplab::tools {
namespace {

constexpr const char* kNoCache =
    "nplab cache: nothing is kept: NPLAB_CACHE is `off`, or none of NPLAB_CACHE, "
    "XDG_CACHE_HOME and HOME names a folder\n";

// Compiled programs, and profiles of predictions; none when nothing is kept.
std::vector<ContentCache> caches() {
  std::vector<ContentCache> caches;
  for (const auto& cache : {experiments::program_cache(), experiments::profile_cache()})
    if (cache)
      caches.push_back(*cache);
  return caches;
}

int show() {
  const auto kept = caches();
  if (kept.empty())
    std::cout << kNoCache;
  for (const ContentCache& cache : kept) {
    const ContentCache::Size size = cache.size();
    std::cout << fmt::format("folder   {}\nentries  {}\nbytes    {} of at most {}\n",
                             cache.folder().string(), size.entries, size.bytes, cache.most_bytes());
  }
  return kDone;
}

int clear() {
  const auto kept = caches();
  if (kept.empty()) {
    std::cout << kNoCache;
    return kDone;
  }
  ContentCache::Size removed;
  int status = kDone;
  for (const ContentCache& cache : kept) {
    const ContentCache::Size one = cache.clear();
    removed.entries += one.entries;
    removed.bytes += one.bytes;
    if (const ContentCache::Size left = cache.size(); left.entries != 0) {
      std::cerr << fmt::format("{}: error: {} entries cannot be removed\n", cache.folder().string(),
                               left.entries);
      status = kBadInput;
    }
  }
  std::cout << fmt::format("removed {} entries, {} bytes\n", removed.entries, removed.bytes);
  return status;
}

}  // namespace

void add_cache_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "cache", "Show where compiled programs and profiles of predictions are kept, or remove them");
  command->footer(
      "A program that was compiled once, from the same files, with the same options and by the "
      "same build of nplab, is taken from this folder. The environment variable NPLAB_CACHE names "
      "another folder for the caches of nplab; `off` keeps nothing. Without it, they are in nplab "
      "in XDG_CACHE_HOME, or in ~/.cache.");
  auto* removal = command->add_subcommand("clear", "Remove all of them");
  command->callback([removal, &status] { status = removal->parsed() ? clear() : show(); });
}

}  // namespace nplab::tools
