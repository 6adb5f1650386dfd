#include "native_tasks.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "fixtures.h"
#include "mappings/include/verdict.h"
#include "support/process.h"
#include "tests/paths.h"

namespace nplab::mappings::testing {
namespace {

std::string upper(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string struct_text(const TaskDeclaration& task, const char* suffix,
                        const std::vector<FieldReference>& references) {
  std::string text = fmt::format("struct {}_{} {{\n", task.name, suffix);
  for (const FieldReference& reference : references) {
    const bool is_array = reference.selector == FieldReference::Selector::kAllDimensions;
    text += fmt::format("  u32 {}{};\n", reference.name, is_array ? "[DIMENSIONS]" : "");
    if (task.wide_fields && reference.kind == FieldReference::Kind::kPacketField)
      text += fmt::format("  u32 {}_high{};\n", reference.name, is_array ? "[DIMENSIONS]" : "");
  }
  return text + "};\n";
}

const TaskDeclaration& declaration(const Placement& placement, const std::string& name) {
  return *std::find_if(placement.tasks.begin(), placement.tasks.end(),
                       [&](const auto& task) { return task.name == name; });
}

// `left = right` for every declared field of a task's struct, in one direction or the other.
std::string copies(const TaskCall& call, const TaskDeclaration& task,
                   const std::vector<FieldReference>& references, const char* in_struct,
                   std::size_t dimensions) {
  std::string text;
  const bool reads = in_struct[0] == 'r';
  const auto add = [&](const std::string& inner, const std::string& outer) {
    text += reads ? fmt::format("    r.{} = {};\n", inner, outer)
                  : fmt::format("    {} = w.{};\n", outer, inner);
  };
  for (const FieldReference& reference : references) {
    const bool packet = reference.kind == FieldReference::Kind::kPacketField;
    std::vector<std::string> parts = {""};
    if (task.wide_fields && packet)
      parts.emplace_back("_high");
    for (const std::string& part : parts) {
      const bool length = reference.kind == FieldReference::Kind::kPacketLength;
      const std::string outer = length ? "64" : (packet ? "field" : "m_" + reference.name) + part;
      switch (reference.selector) {
        case FieldReference::Selector::kScalar: add(reference.name + part, outer); break;
        case FieldReference::Selector::kOwnDimension:
          add(reference.name + part, fmt::format("{}[{}]", outer, *call.dimension));
          break;
        case FieldReference::Selector::kAllDimensions:
          for (std::size_t d = 0; d < dimensions; ++d) {
            add(fmt::format("{}{}[{}]", reference.name, part, d), fmt::format("{}[{}]", outer, d));
          }
      }
    }
  }
  return text;
}

std::string call_text(const Placement& placement, const TaskCall& call) {
  const TaskDeclaration& task = declaration(placement, call.task);
  std::string text =
      fmt::format("  {{\n    struct {0}_reads r;\n    struct {0}_writes w;\n", call.task);
  if (!task.prepare.empty())
    text += fmt::format("    {}();\n", task.prepare);
  text += copies(call, task, task.reads, "r", placement.fields.size());
  text += fmt::format("    {}({}&r, &w);\n", call.task,
                      call.dimension ? fmt::format("{}, ", *call.dimension) : "");
  text += copies(call, task, task.writes, "w", placement.fields.size());
  if (call.leave_when_zero)
    text += fmt::format("    if (!m_{}) goto leave;\n", to_string(*call.leave_when_zero));
  return text + "  }\n";
}

}  // namespace

std::string native_header(const Placement& placement) {
  std::string text = "#pragma once\n#include \"microengine.h\"\n";
  text += fmt::format("#define DIMENSIONS {}u\n#define RULES {}u\n", placement.fields.size(),
                      placement.rules);
  text += "#define FIELD_BITS(dimension) (";
  for (std::size_t d = 0; d + 1 < placement.fields.size(); ++d) {
    text += fmt::format("(dimension) == {} ? {}u : ", d, placement.fields[d].bits);
  }
  text += fmt::format("{}u)\n", placement.fields.back().bits);
  text += "#define MATCH_EXACT 0\n#define MATCH_PREFIX 1\n#define MATCH_RANGE 2\n";
  text += "#define FIELD_MATCH(dimension) (";
  for (std::size_t d = 0; d + 1 < placement.fields.size(); ++d) {
    text +=
        fmt::format("(dimension) == {} ? {} : ", d, static_cast<int>(placement.fields[d].match));
  }
  text += fmt::format("{})\n", static_cast<int>(placement.fields.back().match));
  for (const TablePlacement& table : placement.tables) {
    text += fmt::format("#define TABLE_{} {:#x}u\n#define SPACE_{} __{}\n", upper(table.name),
                        table.base, upper(table.name), memory_name(table.space));
  }
  for (const auto& [name, value] : placement.parameters) {
    text += fmt::format("#define PARAM_{} {}\n", upper(name), value);
  }
  for (const TaskDeclaration& task : placement.tasks) {
    text += struct_text(task, "reads", task.reads) + struct_text(task, "writes", task.writes);
  }
  return text;
}

std::string native_program(const Placement& placement) {
  std::string text = "#include \"placement.h\"\n#include \"verdict.h\"\n";
  for (const TaskDeclaration& task : placement.tasks)
    text += fmt::format("#include \"{}\"\n", task.source);
  text +=
      "void classify(const u32 *field, const u32 *field_high, u32 *rule, u32 *action) {\n"
      "  (void)field_high;\n";
  for (const MetadataDeclaration& metadata : placement.metadata) {
    text +=
        fmt::format("  u32 m_{}{};\n", metadata.name, metadata.per_dimension ? "[DIMENSIONS]" : "");
  }
  text += "  m_rule = NO_MATCH;\n  m_action = ACTION_DENY;\n";
  for (const std::size_t stage : placement.stage_order) {
    for (const TaskCall& call : placement.stages[stage].calls)
      text += call_text(placement, call);
  }
  return text + "leave: __attribute__((unused));\n  *rule = m_rule;\n  *action = m_action;\n}\n";
}

NativeTasks::NativeTasks(const PlacedMapping& placed) {
  std::string pattern = (std::filesystem::temp_directory_path() / "nplab-native-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  std::ofstream(folder_ + "/placement.h") << native_header(placed.placement);
  std::ofstream(folder_ + "/tasks.c") << native_program(placed.placement);
  // -O0: what the sources say, with no help from undefined behaviour.
  std::vector<std::string> command{NPLAB_C_COMPILER,
                                   "-std=gnu11",
                                   "-O0",
                                   "-Wall",
                                   "-Wextra",
                                   "-Werror",
                                   "-Wno-int-to-pointer-cast",
                                   "-Wno-unknown-pragmas",
                                   "-Wno-psabi",
                                   "-fPIC",
                                   "-shared"};
  command.insert(command.end(), {"-I" + source_path("tests/mappings/native"), "-I" + folder_,
                                 "-I" + source_path("mappings/include"), folder_ + "/tasks.c", "-o",
                                 folder_ + "/tasks.so"});
  Diagnostics diagnostics;
  const auto compiled = run_successfully({.command = command}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(compiled);
  library_ = dlopen((folder_ + "/tasks.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library_ != nullptr);
  classify_ = reinterpret_cast<decltype(classify_)>(dlsym(library_, "classify"));
  REQUIRE(classify_ != nullptr);
  map_tables(placed);
}

NativeTasks::~NativeTasks() {
  for (const auto& [address, bytes] : mapped_)
    munmap(address, bytes);
  if (library_ != nullptr)
    dlclose(library_);
  std::filesystem::remove_all(folder_);
}

void NativeTasks::map_tables(const PlacedMapping& placed) {
  for (const TablePlacement& table : placed.placement.tables) {
    void* const wanted = reinterpret_cast<void*>(static_cast<std::uintptr_t>(table.base));
    const std::size_t bytes = table.bytes == 0 ? 8 : table.bytes;
    void* const memory = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    REQUIRE(memory == wanted);
    mapped_.emplace_back(memory, bytes);
    for (std::uint32_t offset = 0; offset < table.bytes; offset += 4) {
      const std::uint32_t value =
          placed.memory.longword(table.space, table.base + offset).value_or(0xdeadbeef);
      std::memcpy(static_cast<char*>(memory) + offset, &value, sizeof value);
    }
  }
}

Verdict NativeTasks::run(const std::vector<std::uint64_t>& key) const {
  const std::vector<std::uint32_t> fields(key.begin(), key.end());
  std::vector<std::uint32_t> high_parts;
  for (const std::uint64_t value : key)
    high_parts.push_back(static_cast<std::uint32_t>(value >> 32));
  Verdict verdict;
  classify_(fields.data(), high_parts.data(), &verdict.rule, &verdict.action);
  return verdict;
}

MappingOverride host_pins(const std::string& mapping) {
  constexpr std::uint32_t kFirst = 0x10000000;
  constexpr std::uint32_t kStep = 0x08000000;
  const PlacedMapping placed =
      place_shipped(mapping, published_rules(), {}, multiprocessor_facts());
  std::map<std::string, std::string> names;  // by memory
  std::uint32_t base = kFirst;
  for (const TablePlacement& table : placed.placement.tables) {
    names[memory_name(table.space)] += fmt::format("{}: {:#x}, ", table.name, base);
    base += kStep;
  }
  std::string memories;
  for (const auto& [memory, pins] : names)
    memories += fmt::format("{}: {{{}}}, ", memory, pins);
  return {"memory", "{" + memories + "}", {}};
}

ChipFacts host_chip() {
  ChipFacts chip = multiprocessor_facts();
  chip.memory_bytes[isa::MemorySpace::kSram] = 1u << 31;
  chip.memory_bytes[isa::MemorySpace::kSdram] = 1u << 31;
  chip.memory_bytes[isa::MemorySpace::kScratch] = 1u << 31;
  return chip;
}

}  // namespace nplab::mappings::testing
