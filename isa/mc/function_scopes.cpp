#include "isa/mc/function_scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "isa/mc/microengine_mc.h"
#include "llvm/Support/Endian.h"

namespace nplab::isa {
namespace {

class Damage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ScopesReader {
 public:
  ScopesReader(std::string_view bytes, ProgramImage& image) : rest_(bytes), image_(image) {}

  void read() {
    if (const std::uint32_t version = number(); version != kFunctionScopesVersion)
      throw Damage(fmt::format("version {}; expected {}", version, kFunctionScopesVersion));
    const std::uint32_t text_bytes = number();
    if (text_bytes > rest_.size())
      throw Damage("it is cut off");
    texts_ = rest_.substr(rest_.size() - text_bytes);
    rest_.remove_suffix(text_bytes);
    // A damaged number of scopes is found by the end of the section.
    for (std::uint32_t count = number(); count != 0; --count)
      image_.scopes.push_back(scope());
    while (!rest_.empty())
      read_range();
  }

 private:
  std::uint32_t number() {
    if (rest_.size() < 4)
      throw Damage("it is cut off");
    const std::uint32_t value = llvm::support::endian::read32be(rest_.data());
    rest_.remove_prefix(4);
    return value;
  }

  std::string text() {
    const std::uint32_t place = number();
    const auto end = place < texts_.size() ? texts_.find('\0', place) : std::string_view::npos;
    if (end == std::string_view::npos)
      throw Damage(fmt::format("a text at {} of {}", place, texts_.size()));
    return std::string(texts_.substr(place, end - place));
  }

  SourceScope scope() {
    SourceScope read;
    read.function = text();
    if (const std::uint32_t outer = number(); outer != 0) {
      if (outer > image_.scopes.size())
        throw Damage("a scope is in one that comes after it");
      read.around = outer - 1;
    }
    if (read.function.empty() && !read.around)
      throw Damage("a block is in no function");
    read.call_file = text();
    read.call_line = number();
    read.return_register = static_cast<std::uint16_t>(number());
    return read;
  }

  void read_range() {
    const std::uint32_t begin = number() / llvm::Microengine::kInstructionBytes;
    const std::uint32_t end = number() / llvm::Microengine::kInstructionBytes;
    const std::uint32_t scope = number();
    if (begin > end || end > image_.words.size())
      throw Damage(fmt::format("words {} to {} of {}", begin, end, image_.words.size()));
    if (scope == 0 || scope > image_.scopes.size())
      throw Damage(fmt::format("function {} of {}", scope, image_.scopes.size()));
    std::fill(image_.scope_of.begin() + begin, image_.scope_of.begin() + end, scope - 1);
  }

  std::string_view rest_;
  std::string_view texts_;
  ProgramImage& image_;
};

}  // namespace

void read_function_scopes(const LinkedObject& object, ProgramImage& image,
                          Diagnostics& diagnostics) {
  image.scope_of.assign(image.words.size(), std::nullopt);
  const auto section =
      std::find_if(object.sections.begin(), object.sections.end(),
                   [](const LinkedSection& one) { return one.name == kFunctionScopesSection; });
  if (section == object.sections.end())
    return;
  try {
    ScopesReader(section->bytes, image).read();
  } catch (const Damage& damage) {
    diagnostics.error({image.name}, fmt::format("damaged table of functions: {}", damage.what()));
  }
}

}  // namespace nplab::isa
