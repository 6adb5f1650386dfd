#include "isa/mc/elf_check.h"

namespace nplab::isa {
namespace {

using llvm::Error;
using ELF = llvm::object::ELFFile<llvm::object::ELF32BE>;
using Section = ELF::Elf_Shdr;

// More than any memory of a chip: a damaged size must not make us allocate it.
constexpr std::uint64_t kLargestSection = std::uint64_t{1} << 28;

Error damaged(const char* what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

Error check_symbols(const ELF& file, const Section& section) {
  auto symbols = file.symbols(&section);
  if (!symbols)
    return symbols.takeError();
  auto names = file.getStringTableForSymtab(section);
  if (!names)
    return names.takeError();
  for (const ELF::Elf_Sym& symbol : *symbols) {
    if (auto name = symbol.getName(*names); !name)
      return name.takeError();
    auto defined = file.getSection(symbol, &section,
                                   llvm::object::DataRegion<ELF::Elf_Word>(nullptr, nullptr));
    if (!defined)
      return defined.takeError();
  }
  return Error::success();
}

Error check_relocations(const ELF& file, const Section& section) {
  auto relocations = file.relas(section);
  if (!relocations)
    return relocations.takeError();
  auto symbol_table = file.getSection(section.sh_link);
  if (!symbol_table)
    return symbol_table.takeError();
  if (auto target = file.getSection(section.sh_info); !target)
    return target.takeError();
  if ((*symbol_table)->sh_type != llvm::ELF::SHT_SYMTAB)
    return damaged("relocations without a symbol table");
  auto symbols = file.symbols(*symbol_table);
  if (!symbols)
    return symbols.takeError();
  for (const ELF::Elf_Rela& relocation : *relocations)
    if (relocation.getSymbol(false) >= symbols->size())
      return damaged("a relocation names no symbol");
  return Error::success();
}

Error check_section(const ELF& file, const Section& section) {
  if (section.sh_size > kLargestSection)
    return damaged("a section is larger than any memory");
  const std::uint64_t alignment = section.sh_addralign;
  if (alignment > kLargestSection || (alignment & (alignment - 1)) != 0)
    return damaged("a section wants an impossible alignment");
  if (auto name = file.getSectionName(section); !name)
    return name.takeError();
  switch (section.sh_type) {
    case llvm::ELF::SHT_NULL:
    case llvm::ELF::SHT_NOBITS: return Error::success();
    case llvm::ELF::SHT_SYMTAB: return check_symbols(file, section);
    case llvm::ELF::SHT_RELA: return check_relocations(file, section);
    case llvm::ELF::SHT_PROGBITS:
    case llvm::ELF::SHT_STRTAB:
    case llvm::ELF::SHT_NOTE:
    case llvm::ELF::SHT_LLVM_ADDRSIG: {
      auto contents = file.getSectionContents(section);
      return contents ? Error::success() : contents.takeError();
    }
    default: return damaged("a section of unknown type");
  }
}

}  // namespace

Error check_elf(const ELF& file) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const Section& section : *sections)
    if (Error error = check_section(file, section))
      return error;
  return Error::success();
}

}  // namespace nplab::isa
