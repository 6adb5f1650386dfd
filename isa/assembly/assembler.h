// The assembler: Intel's syntax (docs/isa.md) to an ELF object.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "support/bounded_work.h"
#include "support/diagnostics.h"

namespace nplab::isa {

// Names that an assembly source may use besides its own, with their values.
using SymbolValues = std::map<std::string, std::uint32_t>;

// Whether the object may name symbols that the text does not define. An object is loaded alone, so
// that nothing could define them later.
enum class UndefinedSymbols { kKept, kRefused };

// Assembles `text` and returns the bytes of an ELF object for load_object. Lines of the text become
// the object's line table, unless the text brings one of its own (.file and .loc, as compilers
// write). All errors are reported, with `file_name`, line and column; there is no object if there
// is any, nor when assembling takes more than the bounds.
std::optional<std::string> assemble(std::string_view text, const std::string& file_name,
                                    Diagnostics& diagnostics, const SymbolValues& symbols = {},
                                    const WorkBounds& bounds = {},
                                    UndefinedSymbols undefined = UndefinedSymbols::kRefused);

}  // namespace nplab::isa
