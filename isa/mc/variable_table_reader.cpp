#include "isa/mc/variable_table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "isa/mc/microengine_mc.h"
#include "llvm/Support/Endian.h"

namespace nplab::isa {
namespace {

// What is wrong with a damaged table.
class Damage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TableReader {
 public:
  TableReader(std::string_view bytes, const ProgramImage& image) : bytes_(bytes), image_(image) {}

  VariableTable read() {
    if (const std::uint32_t version = number(); version != kVariableTableVersion)
      throw Damage(fmt::format("it has version {}; expected {}", version, kVariableTableVersion));
    const std::uint32_t text_bytes = number();
    if (text_bytes > bytes_.size() - at_)
      throw Damage("it is cut off");
    texts_ = bytes_.substr(bytes_.size() - text_bytes);
    bytes_.remove_suffix(text_bytes);
    table_.default_space = space();
    read_list(table_.types, [this] { return type(); });
    read_list(table_.variables, [this] { return variable(); });
    read_list(table_.globals, [this] { return global(); });
    check();
    return std::move(table_);
  }

 private:
  std::uint32_t number() {
    if (bytes_.size() - at_ < 4)
      throw Damage("it is cut off");
    const std::uint32_t value = llvm::support::endian::read32be(bytes_.data() + at_);
    at_ += 4;
    return value;
  }

  std::string text() {
    const std::uint32_t place = number();
    const auto end = place < texts_.size() ? texts_.find('\0', place) : std::string_view::npos;
    if (end == std::string_view::npos)
      throw Damage(fmt::format("it names a text at {} of {}", place, texts_.size()));
    return std::string(texts_.substr(place, end - place));
  }

  // Each element takes four bytes at least, so that a damaged length is found by its size.
  template <typename T, typename Read>
  void read_list(std::vector<T>& list, Read read) {
    const std::uint32_t length = number();
    if (length > (bytes_.size() - at_) / 4)
      throw Damage("it is cut off");
    for (std::uint32_t i = 0; i != length; ++i)
      list.push_back(read());
  }

  template <typename Kind>
  Kind kind() {
    const std::uint32_t value = number();
    if (value > static_cast<std::uint32_t>(Kind::kLast))
      throw Damage(fmt::format("it has an unknown kind {}", value));
    return static_cast<Kind>(value);
  }

  MemorySpace space() {
    const std::uint32_t value = number();
    if (value > static_cast<std::uint32_t>(MemorySpace::kScratch))
      throw Damage(fmt::format("it names an unknown memory {}", value));
    return static_cast<MemorySpace>(value);
  }

  WordRange range() {
    const std::uint32_t begin = number() / llvm::Microengine::kInstructionBytes;
    const std::uint32_t end = number() / llvm::Microengine::kInstructionBytes;
    if (begin > end || end > image_.words.size())
      throw Damage(
          fmt::format("it has a range of words {} to {} of {}", begin, end, image_.words.size()));
    return {begin, end};
  }

  VariableType type() {
    VariableType read;
    read.kind = kind<VariableType::Kind>();
    read.name = text();
    read.bytes = number();
    read.element = number();
    read.space = space();
    read.elements = number();
    read_list(read.members, [this] {
      VariableType::Member member;
      member.name = text();
      member.type = number();
      member.bit_offset = number();
      member.bit_size = number();
      return member;
    });
    read_list(read.enumerators, [this] {
      VariableType::Enumerator enumerator;
      enumerator.name = text();
      enumerator.value = number();
      return enumerator;
    });
    return read;
  }

  VariablePart part() {
    VariablePart read;
    read.words = range();
    read.bit_offset = number();
    read.bit_size = number();
    read.is_in_memory = number() != 0;
    read.space = space();
    read_list(read.steps, [this] {
      const auto step = kind<PlaceStep::Kind>();
      return PlaceStep{step, number()};
    });
    return read;
  }

  ProgramVariable variable() {
    ProgramVariable read;
    read.name = text();
    read.type = number();
    read.scope = number();
    read.parameter = number();
    read.line = number();
    read_list(read.parts, [this] { return part(); });
    return read;
  }

  GlobalVariable global() {
    GlobalVariable read;
    read.name = text();
    read.type = number();
    read.space = space();
    read.address = number();
    return read;
  }

  void check_type(std::uint32_t type) const {
    if (type >= table_.types.size())
      throw Damage(fmt::format("it names type {} of {}", type, table_.types.size()));
  }
  // What a type is made of, without what pointers lead to, must have an end.
  void check_ends(std::uint32_t type) {
    using Kind = VariableType::Kind;
    check_type(type);
    if (progress_[type] == Progress::kBegun)
      throw Damage("a type is a part of itself");
    if (progress_[type] == Progress::kDone)
      return;
    progress_[type] = Progress::kBegun;
    const VariableType& outer = table_.types[type];
    if (outer.kind == Kind::kArray || outer.kind == Kind::kAlias)
      check_ends(outer.element);
    for (const VariableType::Member& member : outer.members)
      check_ends(member.type);
    progress_[type] = Progress::kDone;
  }

  void check() {
    progress_.assign(table_.types.size(), Progress::kNone);
    for (std::uint32_t number = 0; number < table_.types.size(); ++number) {
      const VariableType& type = table_.types[number];
      check_type(type.element);
      check_ends(number);
    }
    for (const ProgramVariable& variable : table_.variables) {
      check_type(variable.type);
      if (variable.scope >= image_.scopes.size())
        throw Damage(fmt::format("it names scope {} of {}", variable.scope, image_.scopes.size()));
    }
    for (const GlobalVariable& global : table_.globals)
      check_type(global.type);
  }

  std::string_view bytes_;
  std::string_view texts_;
  std::size_t at_ = 0;
  const ProgramImage& image_;
  enum class Progress { kNone, kBegun, kDone };
  std::vector<Progress> progress_;  // of check_ends, by type
  VariableTable table_;
};

}  // namespace

void read_variable_table(const LinkedObject& object, ProgramImage& image,
                         Diagnostics& diagnostics) {
  const auto section =
      std::find_if(object.sections.begin(), object.sections.end(),
                   [](const LinkedSection& one) { return one.name == kVariableSection; });
  if (section == object.sections.end())
    return;
  try {
    image.variables = TableReader(section->bytes, image).read();
  } catch (const Damage& damage) {
    diagnostics.error({image.name},
                      fmt::format("the table of variables is damaged: {}", damage.what()));
  }
}

}  // namespace nplab::isa
