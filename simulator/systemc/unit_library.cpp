#include "simulator/systemc/unit_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace nplab::simulator {
namespace {

constexpr const char* kEntry = "nplab_make_unit_2";
using MakeUnit = systemc::Unit* (*)(const char*, const systemc::UnitDescription&);

// A name without a folder is a file of this folder, not a library of the system.
std::string path_of(const UnitChoice& choice) {
  return std::filesystem::absolute(choice.file).string();
}

MakeUnit entry_of(const UnitChoice& choice, std::string& why_not) {
  void* const library = dlopen(path_of(choice).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const entry = library != nullptr ? dlsym(library, kEntry) : nullptr;
  if (entry == nullptr)
    why_not = dlerror();
  return reinterpret_cast<MakeUnit>(entry);
}

}  // namespace

bool check_unit(const UnitChoice& choice, Diagnostics& diagnostics) {
  const SourceLocation where = without_lines(fmt::format("--unit {}", choice.name));
  std::error_code status;
  if (!std::filesystem::is_regular_file(path_of(choice), status)) {
    diagnostics.error(where, fmt::format("{} is not a file", choice.file));
    return false;
  }
  std::string why_not;
  if (entry_of(choice, why_not) != nullptr)
    return true;
  diagnostics.error(where, fmt::format("{} is not a library with a unit, as `nplab new unit` makes "
                                       "one: {}",
                                       choice.file, why_not));
  return false;
}

std::unique_ptr<systemc::Unit> make_unit(const UnitChoice& choice, std::uint32_t bytes) {
  std::string why_not;
  const MakeUnit make = entry_of(choice, why_not);
  return std::unique_ptr<systemc::Unit>(
      make(choice.name.c_str(), {choice.name, bytes, choice.parameters}));
}

}  // namespace nplab::simulator
