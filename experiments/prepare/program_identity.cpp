#include "experiments/prepare/program_identity.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include "experiments/commit.gen.h"
#include "experiments/version.gen.h"
#include "support/sha256.h"

namespace nplab::experiments {
namespace {

struct LoadedObject {
  std::string file;  // empty: the program itself
  std::string build_id;
};

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

int look_at(dl_phdr_info* object, std::size_t, void* result) {
  auto& own = *static_cast<LoadedObject*>(result);
  if (!contains(*object, reinterpret_cast<std::uintptr_t>(&program_identity)))
    return 0;
  own.file = object->dlpi_name;
  for (const ElfW(Phdr) & segment : segments(*object)) {
    if (segment.p_type == PT_NOTE && own.build_id.empty()) {
      const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
      own.build_id = build_id_in(notes, segment.p_memsz);
    }
  }
  return 1;
}

std::string build_id() {
  LoadedObject own;
  ::dl_iterate_phdr(look_at, &own);
  if (!own.build_id.empty())
    return own.build_id;
  std::ifstream file(own.file.empty() ? "/proc/self/exe" : own.file, std::ios::binary);
  return sha256_hex(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace

const ProgramIdentity& program_identity() {
  static const ProgramIdentity identity{kVersion, kCommit, build_id()};
  return identity;
}

}  // namespace nplab::experiments
