// A compile report as bytes, from the process that compiles to the one that asked for it.
#pragma once

#include "compiler/options/compile_report.h"
#include "support/byte_stream.h"

namespace nplab::compiler {

void write_report(ByteWriter& to, const CompileReport& report);
CompileReport read_report(ByteReader& from);

}  // namespace nplab::compiler
