#include "tools/commands/clangd_settings.h"

#include "compiler/front_end/system_headers.h"
#include "experiments/prepare/compile_options.h"
#include "tools/output/output_file.h"

namespace nplab::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFlagsFile = "compile_flags.txt";
constexpr const char* kHeaderFolder = ".nplab/include";

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

}  // namespace

std::vector<std::string> write_clangd_settings(const fs::path& folder, Diagnostics& diagnostics) {
  const fs::path flags_file = folder / kFlagsFile;
  if (fs::exists(flags_file)) {
    diagnostics.error(without_lines(kFlagsFile),
                      "already exists in this folder; delete it to write it again");
    return {};
  }
  std::error_code status;
  fs::create_directories(folder / kHeaderFolder, status);
  if (status) {
    diagnostics.error(without_lines(kHeaderFolder), "cannot be created: " + status.message());
    return {};
  }
  for (const compiler::SystemHeader& header : compiler::system_headers())
    write_output_file((folder / kHeaderFolder / header.name).string(), header.text, diagnostics);
  write_output_file(flags_file.string(), flags(), diagnostics);
  if (diagnostics.has_errors())
    return {};
  return {kFlagsFile, kHeaderFolder};
}

}  // namespace nplab::tools
