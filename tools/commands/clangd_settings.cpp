#include "tools/commands/clangd_settings.h"

#include <fmt/format.h>

#include "compiler/front_end/system_headers.h"
#include "experiments/prepare/compile_options.h"
#include "tools/commands/task_preludes.h"
#include "tools/output/output_file.h"

namespace nplab::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFlagsFile = "compile_flags.txt";
constexpr const char* kHeaderFolder = ".nplab/include";
constexpr const char* kTasksFile = ".clangd";
constexpr const char* kPreludeFolder = ".nplab/preludes";

// Clang has no target of ours. Big-endian MIPS agrees with it in sizes, alignment and byte order.
// The rest is what the compiler gives its own front end (compiler/front_end/front_end.cpp), and the
// bits of a thread's number on a chip of four contexts per engine.
constexpr const char* kFlags =
    "--target=mips-unknown-none-elf\n-xc\n-std=gnu17\n-ffreestanding\n-nostdinc\n"
    "-D__microengine__\n-DNPLAB_THREAD_BITS=2\n-fno-signed-char\n-Wall\n-Wextra\n"
    "-Wno-unused-parameter\n-Wno-address-of-packed-member\n-Wno-main-return-type\n";

std::string flags() {
  std::string text = std::string(kFlags) + "-isystem\n" + kHeaderFolder + "\n";
  for (const std::string& library : experiments::library_folders())
    text += "-I" + fs::absolute(library).lexically_normal().string() + "\n";
  return text;
}

// "search.c" of the folder "linear-search", as a regular expression and as the name of a file.
std::string pattern_of(const fs::path& task) {
  std::string name = task.parent_path().filename().string() + "/" + task.filename().string();
  std::string pattern;
  for (const char c : name)
    pattern += (c == '.' || c == '+' ? "\\" : "") + std::string(1, c);
  return "(.*/)?" + pattern;
}
std::string prelude_name(const fs::path& task) {
  return task.parent_path().filename().string() + "-" + task.stem().string() + ".h";
}

// A file of clangd's settings has a part per task, for every file of that name in a folder of that
// name: an algorithm that was copied has the same tasks.
std::string task_settings(const fs::path& folder, const std::vector<TaskPrelude>& preludes) {
  std::string text;
  for (const TaskPrelude& one : preludes)
    text += fmt::format(
        "{}If:\n  PathMatch: '{}'\nCompileFlags:\n  Add: [\"-I{}\", \"-include\", \"{}\"]\n",
        text.empty() ? "" : "---\n", pattern_of(one.task), one.folder,
        (fs::absolute(folder) / kPreludeFolder / prelude_name(one.task)).string());
  return text;
}

bool is_free(const fs::path& folder, const char* file, Diagnostics& diagnostics) {
  if (!fs::exists(folder / file))
    return true;
  diagnostics.error(without_lines(file),
                    "already exists in this folder; delete it to write it again");
  return false;
}

bool create_folder(const fs::path& folder, const char* name, Diagnostics& diagnostics) {
  std::error_code status;
  fs::create_directories(folder / name, status);
  if (status)
    diagnostics.error(without_lines(name), "cannot be created: " + status.message());
  return !status;
}

}  // namespace

std::vector<std::string> write_clangd_settings(const fs::path& folder,
                                               const std::vector<std::string>& mappings,
                                               const std::string& chip, Diagnostics& diagnostics) {
  const auto preludes = task_preludes(mappings, chip, diagnostics);
  if (!is_free(folder, kFlagsFile, diagnostics) || diagnostics.has_errors() ||
      (!mappings.empty() && !is_free(folder, kTasksFile, diagnostics)) ||
      !create_folder(folder, kHeaderFolder, diagnostics))
    return {};
  std::vector<std::string> written{kFlagsFile, kHeaderFolder};
  for (const compiler::SystemHeader& header : compiler::system_headers())
    write_output_file((folder / kHeaderFolder / header.name).string(), header.text, diagnostics);
  if (!mappings.empty() && create_folder(folder, kPreludeFolder, diagnostics)) {
    for (const TaskPrelude& one : preludes)
      write_output_file((folder / kPreludeFolder / prelude_name(one.task)).string(), one.text,
                        diagnostics);
    write_output_file((folder / kTasksFile).string(), task_settings(folder, preludes), diagnostics);
    written.insert(written.end(), {kTasksFile, kPreludeFolder});
  }
  write_output_file((folder / kFlagsFile).string(), flags(), diagnostics);
  return diagnostics.has_errors() ? std::vector<std::string>() : written;
}

}  // namespace nplab::tools
