#include "tools/options/compile_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "experiments/prepare/compile_options.h"

namespace nplab::tools {

using namespace experiments;

namespace {

constexpr std::uint64_t kMostSeconds = 1'000'000;
constexpr std::uint64_t kMostMebibytes = 1 << 20;

}  // namespace

void add_program_bound_options(CLI::App& command, WorkBounds& bounds, const std::string& group) {
  command
      .add_option_function<std::uint64_t>(
          "--compile-time-limit",
          [&bounds](std::uint64_t seconds) {
            bounds.processor_time = std::chrono::seconds(seconds);
          },
          "refuse a program of the mapping whose compilation takes more processor time; 0: no "
          "limit [60]")
      ->type_name("SECONDS")
      ->check(CLI::Range(std::uint64_t{0}, kMostSeconds))
      ->group(group);
  command
      .add_option("--compile-memory-limit", bounds.mebibytes,
                  "refuse a program of the mapping whose compilation takes more memory; 0: no "
                  "limit [2048]")
      ->type_name("MIB")
      ->check(CLI::Range(std::uint64_t{0}, kMostMebibytes))
      ->group(group);
}

void add_bound_options(CLI::App& command, BoundWords& words) {
  command
      .add_option("--time-limit", words.seconds,
                  "refuse a program whose compilation takes more processor time; 0: no limit [60]")
      ->type_name("SECONDS")
      ->check(CLI::Range(std::uint64_t{0}, kMostSeconds));
  command
      .add_option("--memory-limit", words.mebibytes,
                  "refuse a program whose compilation takes more memory; 0: no limit [2048]")
      ->type_name("MIB")
      ->check(CLI::Range(std::uint64_t{0}, kMostMebibytes));
}

void add_compile_options(CLI::App& command, CompileOptionWords& words) {
  command
      .add_option("-O", words.optimization,
                  "optimisation: 0, 1, 2, s, or published (a compiler of 2003) [2]")
      ->type_name("LEVEL");
  command.add_option("-D", words.defines, "define a macro, NAME or NAME=VALUE")
      ->type_name("MACRO")
      ->allow_extra_args(false);
  command.add_option("-I", words.include_folders, "look for headers in FOLDER")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command
      .add_option("-R", words.remarks,
                  "print remarks, at source lines, on what passes did (-Rpass) or could not do "
                  "(-Rpass-missed); =REGEX selects passes by name")
      ->type_name("pass[=REGEX]")
      ->allow_extra_args(false);
  command.add_flag("-g", words.debug, "keep line numbers (always on)");
  add_bound_options(command, words.bounds);
}

namespace {

void add_remark_option(const std::string& word, compiler::RemarkFilter& filter,
                       Diagnostics& diagnostics) {
  const auto equals = word.find('=');
  const std::string kind = word.substr(0, equals);
  if (kind != "pass" && kind != "pass-missed") {
    diagnostics.error(
        without_lines("-R" + word),
        "unknown kind of remarks; known: -Rpass and -Rpass-missed, each also with =REGEX");
    return;
  }
  try {
    const std::string expression = equals == std::string::npos ? "" : word.substr(equals + 1);
    (kind == "pass" ? filter.passed : filter.missed) = std::regex(expression);
  } catch (const std::regex_error& error) {
    diagnostics.error(without_lines("-R" + word),
                      std::string("not a regular expression: ") + error.what());
  }
}

}  // namespace

std::optional<compiler::CompileOptions> compile_options_of(const CompileOptionWords& words,
                                                           Diagnostics& diagnostics) {
  const auto level = optimization_named(words.optimization);
  if (!level) {
    diagnostics.error(without_lines("-O" + words.optimization),
                      "unknown level; known: 0, 1, 2, s, published");
    return std::nullopt;
  }
  compiler::CompileOptions options;
  options.optimization = *level;
  options.bounds = words.bounds.bounds();
  options.cache = program_cache();
  options.defines = words.defines;
  options.include_directories = words.include_folders;
  for (const std::string& folder : library_folders())
    options.include_directories.push_back(folder);
  Diagnostics found;
  for (const std::string& word : words.remarks)
    add_remark_option(word, options.remarks, found);
  diagnostics.append(found);
  return found.has_errors() ? std::nullopt : std::optional(options);
}

std::string messages_text(const compiler::CompileReport& report) {
  std::string text;
  for (const Diagnostic& warning : report.warnings) {
    text += fmt::format("{}:{}:{}: warning: {}\n", warning.location.file, warning.location.line,
                        warning.location.column, warning.message);
  }
  for (const compiler::Remark& remark : report.remarks) {
    text += fmt::format("{}:{}:{}: remark: {} [-Rpass{}={}]\n", remark.location.file,
                        remark.location.line, remark.location.column, remark.message,
                        remark.missed ? "-missed" : "", remark.pass);
  }
  return text;
}

}  // namespace nplab::tools
