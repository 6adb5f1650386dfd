#include "isa/mc/linked_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "isa/mc/microengine_mc.h"
#include "isa/mc/target_streamer.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace nplab::isa {
namespace {

using llvm::StringRef;
using llvm::object::ELF32BEObjectFile;
using llvm::object::ELFSectionRef;
using llvm::object::ELFSymbolRef;
using llvm::object::RelocationRef;
using llvm::object::SectionRef;
using Role = LinkedSection::Role;

std::optional<MemorySpace> space_of(StringRef name) {
  const auto is = [name](StringRef wanted) {
    return name == wanted || name.starts_with((wanted + ".").str());
  };
  if (is(".sram"))
    return MemorySpace::kSram;
  if (is(".sdram"))
    return MemorySpace::kSdram;
  if (is(".scratch"))
    return MemorySpace::kScratch;
  return std::nullopt;
}

class Linker {
 public:
  Linker(const ELF32BEObjectFile& object, const std::string& name, const DataBases& bases,
         Diagnostics& diagnostics)
      : object_(object),
        name_(name),
        next_{bases.sram, bases.sdram, bases.scratch},
        diagnostics_(diagnostics) {}

  LinkedObject link() {
    for (const ELFSectionRef section : object_.sections())
      place(section);
    for (const ELFSectionRef section : object_.sections())
      relocate(section);
    collect_symbols();
    return std::move(linked_);
  }

 private:
  void error(std::string message) { diagnostics_.error({name_}, std::move(message)); }

  // Nothing, after an error, if the object is damaged there.
  template <typename T>
  std::optional<T> value_of(llvm::Expected<T> expected) {
    if (expected)
      return std::move(*expected);
    error("damaged object: " + llvm::toString(expected.takeError()));
    return std::nullopt;
  }

  std::optional<Role> role_of(const ELFSectionRef& section, StringRef name) {
    if (space_of(name))
      return Role::kData;
    if (name.starts_with(".debug_"))
      return Role::kDebug;
    if (name == llvm::kAnnotationSection)
      return Role::kAnnotations;
    if (section.isText() && (name == ".text" || name.starts_with(".text.")))
      return Role::kCode;
    const bool is_loaded = (section.getFlags() & llvm::ELF::SHF_ALLOC) != 0;
    if (is_loaded && section.getSize() != 0)
      error(fmt::format(
          "section {} has no place: code is in .text, data in .sram, .sdram or .scratch",
          name.str()));
    return std::nullopt;
  }

  void place(const ELFSectionRef& section) {
    const auto name = value_of(section.getName());
    if (!name)
      return;
    const auto role = role_of(section, *name);
    if (!role)
      return;
    LinkedSection linked{name->str(), *role, space_of(*name).value_or(MemorySpace::kSram), 0, {}};
    if (section.isBSS()) {
      linked.bytes.assign(section.getSize(), '\0');
    } else if (const auto contents = value_of(section.getContents())) {
      linked.bytes = contents->str();
    }
    if (*role == Role::kCode)
      linked.address = allocate(next_code_, section, linked.bytes);
    if (*role == Role::kData)
      linked.address =
          allocate(next_[static_cast<std::size_t>(linked.space)], section, linked.bytes);
    place_of_[section.getIndex()] = linked_.sections.size();
    linked_.sections.push_back(std::move(linked));
  }

  // The section's address; sections begin at longwords, and end there.
  static std::uint64_t allocate(std::uint64_t& next, const ELFSectionRef& section,
                                std::string& bytes) {
    const std::uint64_t alignment = std::max<std::uint64_t>(4, section.getAlignment().value());
    const std::uint64_t address = llvm::alignTo(next, alignment);
    bytes.resize(llvm::alignTo(bytes.size(), 4));
    next = address + bytes.size();
    return address;
  }

  // The section that a symbol is defined in; null if there is none that is kept.
  const LinkedSection* section_of(const ELFSymbolRef& symbol) {
    const auto section = value_of(symbol.getSection());
    if (!section || *section == object_.section_end())
      return nullptr;
    const auto found = place_of_.find((*section)->getIndex());
    return found == place_of_.end() ? nullptr : &linked_.sections[found->second];
  }

  std::optional<std::uint64_t> address_of(const ELFSymbolRef& symbol) {
    const auto flags = value_of(symbol.getFlags());
    const auto name = value_of(symbol.getName());
    if (!flags || !name)
      return std::nullopt;
    const std::uint64_t value =
        symbol.getRawDataRefImpl().p == 0 ? 0 : value_of(symbol.getValue()).value_or(0);
    if ((*flags & llvm::object::SymbolRef::SF_Absolute) != 0)
      return value;
    if (const LinkedSection* section = section_of(symbol))
      return section->address + value;
    if (undefined_.insert(name->str()).second)
      error(fmt::format("undefined symbol `{}`", name->str()));
    return std::nullopt;
  }

  // The relocations of a section stand in a section of their own, which names it.
  void relocate(const ELFSectionRef& relocations) {
    const auto target = value_of(relocations.getRelocatedSection());
    if (!target || *target == object_.section_end())
      return;
    const auto found = place_of_.find((*target)->getIndex());
    if (found == place_of_.end())
      return;
    for (const RelocationRef relocation : relocations.relocations())
      apply(relocation, linked_.sections[found->second]);
  }

  void apply(const RelocationRef& relocation, LinkedSection& section) {
    const auto symbol = relocation.getSymbol();
    const auto addend = value_of(llvm::object::ELFRelocationRef(relocation).getAddend());
    if (!addend)
      return;
    std::optional<std::uint64_t> address = 0;
    bool is_code = false;
    if (symbol != object_.symbol_end()) {
      address = address_of(*symbol);
      const LinkedSection* defined = address ? section_of(*symbol) : nullptr;
      is_code = defined && defined->role == Role::kCode;
    }
    if (!address)
      return;
    const std::uint64_t value = *address + static_cast<std::uint64_t>(*addend);
    if (section.role == Role::kData && is_code)
      return error(fmt::format("section {} holds the address of code", section.name));
    patch(relocation, section, value, is_code);
  }

  void patch(const RelocationRef& relocation, LinkedSection& section, std::uint64_t value,
             bool is_code) {
    const bool is_data = relocation.getType() == llvm::Microengine::R_MICROENGINE_32;
    const std::uint64_t size = is_data ? 4 : llvm::Microengine::kInstructionBytes;
    if (relocation.getOffset() + size > section.bytes.size())
      return error("damaged object: a relocation lies outside its section");
    char* place = section.bytes.data() + relocation.getOffset();
    if (is_data)
      return llvm::support::endian::write32be(place, static_cast<std::uint32_t>(value));
    std::uint64_t bits = 0;
    switch (relocation.getType()) {
      case llvm::Microengine::R_MICROENGINE_TARGET:
        if (!is_code || value % llvm::Microengine::kInstructionBytes != 0)
          return error(fmt::format("the instruction at word {} branches to what is not code",
                                   relocation.getOffset() / llvm::Microengine::kInstructionBytes));
        bits = value / llvm::Microengine::kInstructionBytes;
        if (bits > 0xffff)
          return error("a branch target lies beyond word 65535");
        break;
      case llvm::Microengine::R_MICROENGINE_LO16: bits = value & 0xffff; break;
      case llvm::Microengine::R_MICROENGINE_HI16: bits = value >> 16 & 0xffff; break;
      default:
        return error(
            fmt::format("damaged object: relocation of unknown type {}", relocation.getType()));
    }
    const std::uint64_t word = llvm::support::endian::read64be(place);
    llvm::support::endian::write64be(place, (word & ~std::uint64_t{0xffff}) | bits);
  }

  void collect_symbols() {
    for (const ELFSymbolRef symbol : object_.symbols()) {
      if (symbol.getELFType() == llvm::ELF::STT_SECTION ||
          symbol.getELFType() == llvm::ELF::STT_FILE)
        continue;
      const auto name = value_of(symbol.getName());
      const LinkedSection* section = name && !name->empty() ? section_of(symbol) : nullptr;
      if (!section || section->role != Role::kCode)
        continue;
      const std::uint64_t address = section->address + value_of(symbol.getValue()).value_or(0);
      linked_.code_symbols.push_back(
          {name->str(),
           static_cast<std::uint32_t>(address / llvm::Microengine::kInstructionBytes)});
    }
    std::stable_sort(linked_.code_symbols.begin(), linked_.code_symbols.end(),
                     [](const Symbol& x, const Symbol& y) { return x.pc < y.pc; });
  }

  const ELF32BEObjectFile& object_;
  const std::string& name_;
  std::uint64_t next_code_ = 0;
  std::uint64_t next_[3];  // by MemorySpace
  Diagnostics& diagnostics_;
  LinkedObject linked_;
  std::map<std::uint64_t, std::size_t> place_of_;  // ELF section index -> linked_.sections
  std::set<std::string> undefined_;
};

}  // namespace

std::optional<LinkedObject> link_object(const ELF32BEObjectFile& object, const std::string& name,
                                        const DataBases& bases, Diagnostics& diagnostics) {
  Diagnostics found;
  LinkedObject linked = Linker(object, name, bases, found).link();
  diagnostics.append(found);
  if (found.has_errors())
    return std::nullopt;
  return linked;
}

}  // namespace nplab::isa
