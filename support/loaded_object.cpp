#include "support/loaded_object.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace nplab {
namespace {

using Visit = std::function<void(const dl_phdr_info&)>;

std::span<const ElfW(Phdr)> segments(const dl_phdr_info& object) {
  return {object.dlpi_phdr, object.dlpi_phnum};
}

bool contains(const dl_phdr_info& object, std::uintptr_t address) {
  for (const ElfW(Phdr) & segment : segments(object)) {
    const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz)
      return true;
  }
  return false;
}

std::size_t padded(std::size_t bytes) {
  return (bytes + 3) & ~std::size_t{3};
}

// A note is its header, its owner's name and its content, each padded to four bytes.
std::string build_id_in(const char* notes, std::size_t bytes) {
  constexpr char kOwner[] = "GNU";
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const char* owner = notes + sizeof header;
    const char* content = owner + padded(header.n_namesz);
    const std::size_t all = sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    if (all > bytes)
      break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof kOwner &&
        std::memcmp(owner, kOwner, sizeof kOwner) == 0) {
      std::string text;
      for (std::size_t i = 0; i < header.n_descsz; ++i)
        text += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
      return text;
    }
    notes += all;
    bytes -= all;
  }
  return "";
}

LoadedObject described(const dl_phdr_info& object) {
  LoadedObject found{object.dlpi_name, ""};
  for (const ElfW(Phdr) & segment : segments(object)) {
    if (segment.p_type == PT_NOTE && found.build_id.empty()) {
      const auto* notes = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
      found.build_id = build_id_in(notes, segment.p_memsz);
    }
  }
  return found;
}

int visit_next(dl_phdr_info* object, std::size_t, void* visit) {
  (*static_cast<const Visit*>(visit))(*object);
  return 0;
}

void visit_all(const Visit& visit) {
  Visit copy = visit;
  ::dl_iterate_phdr(visit_next, &copy);
}

}  // namespace

LoadedObject loaded_object_at(const void* address) {
  LoadedObject found;
  visit_all([&](const dl_phdr_info& object) {
    if (contains(object, reinterpret_cast<std::uintptr_t>(address)))
      found = described(object);
  });
  return found;
}

void for_each_loaded_object(const std::function<void(const LoadedObject&)>& visit) {
  visit_all([&](const dl_phdr_info& object) { visit(described(object)); });
}

}  // namespace nplab
