#include "compiler/front_end/system_headers.h"

#include "compiler/front_end/embedded_files.h"
#include "compiler/options/atomic_marks.h"
#include "isa/instruction.h"
#include "isa/mc/target_streamer.h"

namespace nplab::compiler {
namespace {

// Names of the description as enumerators of C: __csr_rcv_cntl and so on; microengine.h pastes
// them.
template <typename Names>
void append_names(std::string& text, const char* prefix, const Names& names) {
  text += "enum {";
  for (const auto& entry : names)
    text += std::string(" __") + prefix + "_" + std::string(entry.name) + " = " +
            std::to_string(entry.number) + ",";
  text += " };\n";
}
std::string names_header() {
  std::string text = "#pragma once\n";
  append_names(text, "csr", isa::kControlStatusRegisterNames);
  append_names(text, "local_csr", isa::kLocalCSRNames);
  append_names(text, "input_state", isa::kInputStateNames);
  append_names(text, "event", isa::kEventNames);
  append_names(text, "token", isa::kTokenNames);
  text += "enum {";
  for (const llvm::AnnotationDirective& directive : llvm::kAnnotationDirectives)
    text += std::string(" __annotation_") + (directive.name + 1) + " = " +
            std::to_string(static_cast<unsigned>(directive.kind)) + ",";
  for (const auto& [name, mark] : {std::pair("begin", kAtomicBegin), std::pair("end", kAtomicEnd),
                                   std::pair("last", kAtomicLast)})
    text += std::string(" __annotation_atomic_") + name + " = " +
            std::to_string(static_cast<unsigned>(mark)) + ",";
  text += " };\n";
  return text;
}

}  // namespace

std::vector<SystemHeader> system_headers() {
  std::vector<SystemHeader> headers{{"microengine.h", std::string(kMicroengineHeader)},
                                    {"microengine_names.h", names_header()},
                                    {"stdatomic.h", std::string(kAtomicHeader)}};
  for (const EmbeddedHeader& header : kStandardHeaders)
    headers.push_back({std::string(header.name), std::string(header.text)});
  return headers;
}

}  // namespace nplab::compiler
