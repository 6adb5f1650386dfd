#include "isa/mc/line_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/mc/microengine_mc.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"

namespace nplab::isa {
namespace {

using LineTable = llvm::DWARFDebugLine::LineTable;

// Damage shows as lines that stay unknown; the code is not affected.
void ignore(llvm::Error error) {
  llvm::consumeError(std::move(error));
}

// With the section that a line table needs. The units (.debug_info) are left out: they say nothing
// about lines, and LLVM does not survive all damage to them.
std::unique_ptr<llvm::DWARFContext> debug_context(const LinkedObject& object) {
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> sections;
  for (const LinkedSection& section : object.sections) {
    if (section.name != ".debug_line")
      continue;
    sections[llvm::StringRef(section.name).drop_front()] = llvm::MemoryBuffer::getMemBuffer(
        section.bytes, section.name, /*RequiresNullTerminator=*/false);
  }
  return llvm::DWARFContext::create(sections, /*AddrSize=*/4, /*isLittleEndian=*/false, ignore,
                                    ignore);
}

class LineReader {
 public:
  explicit LineReader(ProgramImage& image) : image_(image) {}

  void read(const LineTable& table) {
    for (std::size_t i = 0; i + 1 < table.Rows.size(); ++i) {
      const auto& row = table.Rows[i];
      if (row.EndSequence || row.Line == 0)
        continue;
      const SourceLine line{file_index(table, row.File), row.Line};
      const std::uint64_t end =
          std::min<std::uint64_t>(word_of(table.Rows[i + 1]), image_.lines.size());
      for (std::uint64_t word = word_of(row); word < end; ++word)
        image_.lines[word] = line;
    }
  }

 private:
  static std::uint64_t word_of(const llvm::DWARFDebugLine::Row& row) {
    return row.Address.Address / llvm::Microengine::kInstructionBytes;
  }

  std::uint16_t file_index(const LineTable& table, std::uint64_t number) {
    std::string name;
    using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
    table.getFileNameByIndex(number, "", Kind::RelativeFilePath, name);
    const auto found = std::find(image_.files.begin(), image_.files.end(), name);
    const auto index = static_cast<std::uint16_t>(found - image_.files.begin());
    if (found == image_.files.end())
      image_.files.push_back(name);
    return index;
  }

  ProgramImage& image_;
};

// The version stands after the length of a table.
std::uint16_t version_at(const llvm::DWARFDataExtractor& data, std::uint64_t offset) {
  offset += 4;
  return data.getU16(&offset);
}

}  // namespace

void read_line_table(const LinkedObject& object, ProgramImage& image, Diagnostics& diagnostics) {
  image.lines.assign(image.words.size(), SourceLine{});
  const auto context = debug_context(object);
  const llvm::DWARFObject& sections = context->getDWARFObj();
  llvm::DWARFDataExtractor data(sections, sections.getLineSection(), /*IsLittleEndian=*/false,
                                /*AddressSize=*/4);
  llvm::DWARFDebugLine::SectionParser parser(data, *context, context->normal_units());
  LineReader reader(image);
  while (!parser.done()) {
    const std::uint16_t version = version_at(data, parser.getOffset());
    if (version != kDwarfVersion) {
      diagnostics.error({image.name}, fmt::format("a line table of DWARF version {}; expected {}",
                                                  version, kDwarfVersion));
      return;
    }
    reader.read(parser.parseNext(ignore, ignore));
  }
}

}  // namespace nplab::isa
