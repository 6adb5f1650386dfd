#include "isa/assembly/object_loader.h"

#include <fmt/format.h>

#include "isa/mc/elf_check.h"
#include "isa/mc/function_scopes.h"
#include "isa/mc/line_table.h"
#include "isa/mc/linked_object.h"
#include "isa/mc/microengine_mc.h"
#include "isa/mc/target_streamer.h"
#include "isa/mc/variable_table_reader.h"
#include "llvm/Support/Endian.h"

namespace nplab::isa {
namespace {

using llvm::object::ELF32BEObjectFile;
using llvm::support::endian::read16be;
using llvm::support::endian::read32be;
using llvm::support::endian::read64be;

std::unique_ptr<ELF32BEObjectFile> open_elf(std::string_view bytes, const std::string& name,
                                            Diagnostics& diagnostics) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, name));
  if (!object) {
    diagnostics.error({name}, "not an ELF object: " + llvm::toString(object.takeError()));
    return nullptr;
  }
  auto* elf = llvm::dyn_cast<ELF32BEObjectFile>(object->get());
  if (!elf || elf->getELFFile().getHeader().e_machine != llvm::Microengine::EM_MICROENGINE) {
    diagnostics.error({name},
                      "an object for another machine; expected one from `nplab as` or `nplab cc`");
    return nullptr;
  }
  if (llvm::Error error = check_elf(elf->getELFFile())) {
    diagnostics.error({name}, "damaged object: " + llvm::toString(std::move(error)));
    return nullptr;
  }
  static_cast<void>(object->release());  // it is `elf`
  return std::unique_ptr<ELF32BEObjectFile>(elf);
}

void add_code(const LinkedSection& section, ProgramImage& image) {
  image.words.resize(section.address / llvm::Microengine::kInstructionBytes);
  for (std::size_t i = 0; i + llvm::Microengine::kInstructionBytes <= section.bytes.size();
       i += llvm::Microengine::kInstructionBytes)
    image.words.push_back(read64be(section.bytes.data() + i));
}

void add_data(const LinkedSection& section, ProgramImage& image) {
  if (section.bytes.empty())
    return;
  DataSegment segment{section.space, static_cast<std::uint32_t>(section.address), {}};
  for (std::size_t i = 0; i != section.bytes.size(); i += 4)
    segment.longwords.push_back(read32be(section.bytes.data() + i));
  image.data.push_back(std::move(segment));
}

void add_annotations(const LinkedSection& section, ProgramImage& image) {
  for (std::size_t i = 0; i + llvm::kAnnotationBytes <= section.bytes.size();
       i += llvm::kAnnotationBytes) {
    const char* record = section.bytes.data() + i;
    image.annotations.push_back({read32be(record) / llvm::Microengine::kInstructionBytes,
                                 static_cast<Annotation::Kind>(read16be(record + 4)),
                                 read16be(record + 6), read16be(record + 8)});
  }
}

// An annotation marks an instruction of the program.
void check_annotations(const ProgramImage& image, Diagnostics& diagnostics) {
  for (const Annotation& annotation : image.annotations)
    if (annotation.pc >= image.words.size())
      diagnostics.error({image.name},
                        fmt::format("an annotation marks word {}, but there are only {}",
                                    annotation.pc, image.words.size()));
}

}  // namespace

std::optional<ProgramImage> load_object(std::string_view bytes, const std::string& name,
                                        const DataBases& bases, Diagnostics& diagnostics) {
  const auto elf = open_elf(bytes, name, diagnostics);
  if (!elf)
    return std::nullopt;
  const auto object = link_object(*elf, name, bases, diagnostics);
  if (!object)
    return std::nullopt;
  ProgramImage image;
  image.name = name;
  image.symbols = object->code_symbols;
  for (const LinkedSection& section : object->sections) {
    if (section.role == LinkedSection::Role::kCode)
      add_code(section, image);
    if (section.role == LinkedSection::Role::kData)
      add_data(section, image);
    if (section.role == LinkedSection::Role::kAnnotations)
      add_annotations(section, image);
  }
  Diagnostics found;
  read_line_table(*object, image, found);
  read_function_scopes(*object, image, found);
  if (!found.has_errors())
    read_variable_table(*object, image, found);
  check_annotations(image, found);
  diagnostics.append(found);
  if (found.has_errors())
    return std::nullopt;
  return image;
}

}  // namespace nplab::isa
