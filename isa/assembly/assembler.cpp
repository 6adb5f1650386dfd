#include "isa/assembly/assembler.h"

#include "isa/mc/fatal_errors.h"
#include "isa/mc/line_table.h"
#include "isa/mc/machine_code_context.h"
#include "isa/mc/microengine_mc.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MemoryBuffer.h"

namespace nplab::isa {
namespace {

void collect(const llvm::SMDiagnostic& diagnostic, void* collected) {
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error)
    return;
  const SourceLocation location{diagnostic.getFilename().str(), diagnostic.getLineNo(),
                                diagnostic.getColumnNo() + 1};
  static_cast<Diagnostics*>(collected)->error(location, diagnostic.getMessage().str());
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

}  // namespace

namespace {

std::optional<std::string> assemble_guarded(std::string_view text, const std::string& file_name,
                                            Diagnostics& diagnostics, const SymbolValues& symbols) {
  Diagnostics found;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, file_name), llvm::SMLoc());
  sources.setDiagHandler(collect, &found);
  MachineCodeContext machine(&sources);
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
  diagnostics.append(found);
  if (failed || found.has_errors())
    return std::nullopt;
  return std::string(object.begin(), object.end());
}

}  // namespace

std::optional<std::string> assemble(std::string_view text, const std::string& file_name,
                                    Diagnostics& diagnostics, const SymbolValues& symbols) {
  Diagnostics found;
  std::optional<std::string> object;
  const auto fatal =
      run_to_fatal_error([&] { object = assemble_guarded(text, file_name, found, symbols); });
  if (fatal)
    found.error({file_name, 0, 0}, "the assembler cannot go on with this program: " + *fatal);
  diagnostics.append(found);
  return fatal ? std::nullopt : object;
}

}  // namespace nplab::isa
