#include "compiler/program_key.h"

#include <filesystem>

#include "compiler/front_end/source_inputs.h"
#include "support/byte_stream.h"
#include "support/loaded_object.h"
#include "support/sha256.h"

namespace nplab::compiler {
namespace {

// Of the code here and of LLVM's and Clang's libraries; empty where one of them has no identifier.
std::string find_compiler_build() {
  std::string build = loaded_object_at(reinterpret_cast<const void*>(&program_key)).build_id;
  bool is_complete = !build.empty();
  for_each_loaded_object([&](const LoadedObject& object) {
    if (object.file.find("LLVM") == object.file.npos &&
        object.file.find("clang") == object.file.npos)
      return;
    is_complete &= !object.build_id.empty();
    build += " " + object.build_id;
  });
  return is_complete ? build : "";
}

const std::string& compiler_build() {
  static const std::string build = find_compiler_build();
  return build;
}

void write_texts(ByteWriter& to, const std::vector<std::string>& texts) {
  to.number(texts.size());
  for (const std::string& text : texts)
    to.text(text);
}

void write_options(ByteWriter& to, const CompileOptions& options) {
  to.number(static_cast<std::uint64_t>(options.optimization));
  write_texts(to, options.include_directories);
  write_texts(to, options.defines);
  to.number(options.control_store_words);
  to.number(static_cast<std::uint64_t>(options.frame.space));
  to.number(options.frame.base);
  to.number(options.frame.bytes_per_thread);
  to.number(options.frame.contexts);
  to.number(options.data.sram);
  to.number(options.data.sdram);
  to.number(options.data.scratch);
  to.number(static_cast<std::uint64_t>(options.variables));
  to.number(options.profile.size());
  for (const LineCount& line : options.profile) {
    to.text(line.file);
    to.number(static_cast<std::uint64_t>(line.line));
    to.number(line.count);
  }
}

}  // namespace

std::optional<std::string> program_key(const std::string& made, const std::string& source,
                                       const std::string& file, const CompileOptions& options) {
  if (options.remarks.passed || options.remarks.missed || options.verify == MachineVerifier::kOn ||
      names_the_time(source) || compiler_build().empty())
    return std::nullopt;
  std::error_code problem;
  ByteWriter writer;
  writer.text(compiler_build());
  writer.text(made);
  writer.text(source);
  writer.text(file);
  writer.text(std::filesystem::current_path(problem).string());
  write_options(writer, options);
  if (problem)
    return std::nullopt;
  return sha256_hex(writer.bytes());
}

}  // namespace nplab::compiler
