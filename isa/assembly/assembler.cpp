#include "isa/assembly/assembler.h"

#include <set>

#include "isa/mc/fatal_errors.h"
#include "isa/mc/line_table.h"
#include "isa/mc/machine_code_context.h"
#include "isa/mc/microengine_mc.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCObjectStreamer.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCValue.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/byte_stream.h"
#include "support/near_miss.h"

namespace nplab::isa {
namespace {

// A message that quotes a text over several lines, such as a string without its end, in one line.
std::string in_one_line(llvm::StringRef message) {
  std::string line;
  for (const char c : message)
    line += c == '\n' ? "\\n" : std::string(1, c);
  return line;
}

void collect(const llvm::SMDiagnostic& diagnostic, void* collected) {
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error)
    return;
  const SourceLocation location{diagnostic.getFilename().str(), diagnostic.getLineNo(),
                                diagnostic.getColumnNo() + 1};
  static_cast<Diagnostics*>(collected)->error(location, in_one_line(diagnostic.getMessage()));
}

std::unique_ptr<llvm::MCStreamer> object_streamer(MachineCodeContext& machine,
                                                  llvm::raw_pwrite_stream& out) {
  const llvm::Target& target = machine.target;
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target.createMCAsmBackend(*machine.subtarget, *machine.registers, machine.options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(out);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target.createMCCodeEmitter(*machine.instructions, machine.context));
  return std::unique_ptr<llvm::MCStreamer>(target.createMCObjectStreamer(
      llvm::Triple(llvm::Microengine::kTriple), machine.context, std::move(backend),
      std::move(writer), std::move(emitter), *machine.subtarget));
}

// What to write instead of an undefined symbol: the defined one that is nearest, if any is near.
std::string remedy(llvm::StringRef name, const std::vector<std::string>& defined) {
  const std::string nearest = suggestion(name.str(), defined);
  if (llvm::StringRef(nearest).starts_with("did you mean"))
    return "; " + nearest;
  return ": a label or .set of this file must define it";
}

std::vector<std::string> defined_symbols(const llvm::MCAssembler& assembler,
                                         const SymbolValues& given) {
  std::vector<std::string> names;
  for (const auto& [name, value] : given)
    names.push_back(name);
  for (const llvm::MCSymbol& symbol : assembler.symbols())
    if (!symbol.isTemporary() && !symbol.isUndefined() && !given.contains(symbol.getName().str()))
      names.push_back(symbol.getName().str());
  return names;
}

// Each undefined symbol once, at its first use.
void refuse_undefined(llvm::MCAssembler& assembler, llvm::MCContext& context,
                      const SymbolValues& given) {
  const std::vector<std::string> defined = defined_symbols(assembler, given);
  std::set<const llvm::MCSymbol*> refused;
  const auto check = [&](const llvm::MCFixup& fixup) {
    llvm::MCValue value;
    if (!fixup.getValue()->evaluateAsRelocatable(value, &assembler, &fixup) || !value.getSymA())
      return;
    const llvm::MCSymbol& symbol = value.getSymA()->getSymbol();
    if (symbol.isUndefined() && refused.insert(&symbol).second)
      context.reportError(value.getSymA()->getLoc(), "undefined symbol `" + symbol.getName() + "`" +
                                                         remedy(symbol.getName(), defined));
  };
  for (const llvm::MCSection& section : assembler)
    for (const llvm::MCFragment& fragment : section)
      if (const auto* data = llvm::dyn_cast<llvm::MCDataFragment>(&fragment))
        llvm::for_each(data->getFixups(), check);
}

std::optional<std::string> assemble_guarded(std::string_view text, const std::string& file_name,
                                            Diagnostics& diagnostics, const SymbolValues& symbols,
                                            UndefinedSymbols undefined) {
  Diagnostics found;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, file_name), llvm::SMLoc());
  sources.setDiagHandler(collect, &found);
  MachineCodeContext machine(&sources);
  machine.context.setDiagnosticHandler([&found, &file_name](const llvm::SMDiagnostic& diagnostic,
                                                            bool, const llvm::SourceMgr&,
                                                            std::vector<const llvm::MDNode*>&) {
    if (diagnostic.getLineNo() > 0)
      collect(diagnostic, &found);
    else if (diagnostic.getKind() == llvm::SourceMgr::DK_Error)
      found.error({file_name, 1, 1}, in_one_line(diagnostic.getMessage()));
  });
  machine.context.setMainFileName(file_name);
  machine.context.setGenDwarfForAssembly(true);
  machine.context.setDwarfVersion(kDwarfVersion);
  // Paths stay as the user gave them.
  machine.context.setCompilationDir("");
  machine.context.setGenDwarfRootFile(file_name, text);
  for (const auto& [name, value] : symbols) {
    machine.context.getOrCreateSymbol(name)->setVariableValue(
        llvm::MCConstantExpr::create(value, machine.context));
  }

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  const std::unique_ptr<llvm::MCStreamer> streamer = object_streamer(machine, out);
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, machine.context, *streamer, *machine.asm_info));
  const std::unique_ptr<llvm::MCTargetAsmParser> target_parser(machine.target.createMCAsmParser(
      *machine.subtarget, *parser, *machine.instructions, machine.options));
  parser->setTargetParser(*target_parser);
  const bool failed = parser->Run(/*NoInitialTextSection=*/false);
  if (!failed && undefined == UndefinedSymbols::kRefused)
    refuse_undefined(static_cast<llvm::MCObjectStreamer&>(*streamer).getAssembler(),
                     machine.context, symbols);
  diagnostics.append(found);
  if (failed || found.has_errors())
    return std::nullopt;
  return std::string(object.begin(), object.end());
}

struct Assembly {
  std::optional<std::string> object;
  Diagnostics found;
};

std::string to_bytes(const Assembly& assembly) {
  ByteWriter writer;
  writer.number(assembly.object.has_value());
  writer.text(assembly.object.value_or(""));
  writer.diagnostics(assembly.found);
  return writer.bytes();
}

Assembly from_bytes(const std::string& bytes) {
  Assembly assembly;
  ByteReader reader(bytes);
  const bool has_object = reader.number() != 0;
  std::string object = reader.text();
  if (has_object)
    assembly.object = std::move(object);
  reader.diagnostics(assembly.found);
  return assembly;
}

}  // namespace

std::optional<std::string> assemble(std::string_view text, const std::string& file_name,
                                    Diagnostics& diagnostics, const SymbolValues& symbols,
                                    const WorkBounds& bounds, UndefinedSymbols undefined) {
  const BoundedResult result = run_bounded(bounds, [&](const Announce&) {
    Assembly assembly;
    const auto fatal = run_to_fatal_error([&] {
      assembly.object = assemble_guarded(text, file_name, assembly.found, symbols, undefined);
    });
    if (fatal && !assembly.found.has_errors())
      assembly.found.error({file_name, 1, 1},
                           "the assembler cannot go on with this program: " + *fatal);
    if (assembly.found.has_errors())
      assembly.object.reset();
    return to_bytes(assembly);
  });
  if (result.end == BoundedResult::End::kFinished) {
    Assembly assembly = from_bytes(result.bytes);
    diagnostics.append(assembly.found);
    return std::move(assembly.object);
  }
  diagnostics.error({file_name, 1, 1}, "assembling this program " + why_unfinished(result, bounds) +
                                           ": make it smaller");
  return std::nullopt;
}

}  // namespace nplab::isa
