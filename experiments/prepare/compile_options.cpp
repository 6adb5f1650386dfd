#include "experiments/prepare/compile_options.h"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "experiments/prepare/data_directory.h"
#include "simulator/base/ids.h"

namespace nplab::experiments {

std::optional<compiler::Optimization> optimization_named(const std::string& name) {
  using compiler::Optimization;
  static const std::map<std::string, Optimization> kLevels{{"0", Optimization::kO0},
                                                           {"1", Optimization::kO1},
                                                           {"2", Optimization::kO2},
                                                           {"s", Optimization::kOs},
                                                           {"published", Optimization::kPublished}};
  const auto at = kLevels.find(name);
  return at == kLevels.end() ? std::nullopt : std::optional(at->second);
}

std::optional<ContentCache> program_cache() {
  constexpr std::uint64_t kMostBytes = 128 << 20;  // a program takes some 30 KB
  const auto folder = cache_folder();
  return folder ? std::optional(ContentCache(*folder / "programs", kMostBytes)) : std::nullopt;
}

std::vector<std::string> library_folders() {
  const auto data = data_directory();
  return {(data / "isa" / "include").string(), (data / "mappings" / "library").string(),
          (data / "mappings" / "include").string()};
}

void add_thread_bits(unsigned contexts, compiler::CompileOptions& options) {
  const unsigned bits = static_cast<unsigned>(std::countr_zero(simulator::thread_stride(contexts)));
  options.defines.push_back(fmt::format("NPLAB_THREAD_BITS={}", bits));
}

}  // namespace nplab::experiments
