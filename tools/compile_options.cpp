#include "tools/compile_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <bit>
#include <map>

#include "simulator/ids.h"
#include "tools/data_directory.h"

namespace nplab::tools {

std::optional<compiler::Optimization> optimization_named(const std::string& word) {
  using compiler::Optimization;
  static const std::map<std::string, Optimization> kLevels{{"0", Optimization::kO0}, {"1", Optimization::kO1},
                                                           {"2", Optimization::kO2}, {"s", Optimization::kOs},
                                                           {"published", Optimization::kPublished}};
  const auto at = kLevels.find(word);
  return at == kLevels.end() ? std::nullopt : std::optional(at->second);
}

std::vector<std::string> library_folders() {
  const auto data = data_directory();
  return {(data / "compiler" / "include").string(), (data / "mappings" / "library").string(),
          (data / "mappings" / "include").string()};
}

void add_compile_options(CLI::App& command, CompileOptionWords& words) {
  command.add_option("-O", words.optimization, "optimisation: 0, 1, 2, s, or published (a compiler of 2003) [2]")
      ->type_name("LEVEL");
  command.add_option("-D", words.defines, "define a macro, NAME or NAME=VALUE")
      ->type_name("MACRO")->allow_extra_args(false);
  command.add_option("-I", words.include_folders, "look for headers in FOLDER")
      ->type_name("FOLDER")->allow_extra_args(false);
  command.add_flag("-g", words.debug, "keep line numbers (they always are)");
}

std::optional<compiler::CompileOptions> compile_options_of(const CompileOptionWords& words, Diagnostics& diagnostics) {
  const auto level = optimization_named(words.optimization);
  if (!level) {
    diagnostics.error({"-O" + words.optimization, 0, 0}, "there is no such level; known: 0, 1, 2, s, published");
    return std::nullopt;
  }
  compiler::CompileOptions options;
  options.optimization = *level;
  options.defines = words.defines;
  options.include_directories = words.include_folders;
  for (const std::string& folder : library_folders()) options.include_directories.push_back(folder);
  return options;
}

void add_thread_bits(unsigned contexts, compiler::CompileOptions& options) {
  const unsigned bits = static_cast<unsigned>(std::countr_zero(simulator::thread_stride(contexts)));
  options.defines.push_back(fmt::format("NPLAB_THREAD_BITS={}", bits));
}

std::string warnings_text(const compiler::CompileReport& report) {
  std::string text;
  for (const Diagnostic& warning : report.warnings) {
    text += fmt::format("{}:{}:{}: warning: {}\n", warning.location.file, warning.location.line,
                        warning.location.column, warning.message);
  }
  return text;
}

}  // namespace nplab::tools
