// An ELF object whose sections have addresses and whose relocations are applied.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/Object/ELFObjectFile.h"

#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::isa {

struct LinkedSection {
  enum class Role { kCode, kData, kDebug, kAnnotations };

  std::string name;
  Role role{};
  MemorySpace space{};        // of data
  std::uint64_t address = 0;  // in bytes; 0 for sections that are not loaded
  std::string bytes;
};

struct LinkedObject {
  std::vector<LinkedSection> sections;
  std::vector<Symbol> code_symbols;  // by address
};

// Reports undefined symbols, unknown sections and damage, all at once.
std::optional<LinkedObject> link_object(const llvm::object::ELF32BEObjectFile& object,
                                        const std::string& name, const DataBases& bases,
                                        Diagnostics& diagnostics);

}  // namespace nplab::isa
