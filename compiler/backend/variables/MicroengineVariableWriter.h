// The variables of a program for debuggers: their places are noted while words are emitted, and
// written to a section of the object (isa/mc/variable_table_reader.h).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "compiler/backend/MicroengineFunctionScopes.h"
#include "compiler/backend/variables/MicroengineVariablePlaces.h"
#include "compiler/backend/variables/MicroengineVariableTypes.h"

namespace llvm {

class AsmPrinter;
class MCStreamer;
class MCSymbol;

class MicroengineVariableWriter {
 public:
  MicroengineVariableWriter(nplab::isa::MemorySpace DefaultSpace, MicroengineFunctionScopes& Scopes)
      : DefaultSpace(DefaultSpace), Types(DefaultSpace), Scopes(Scopes) {}

  MicroengineVariablePlaces& places() { return Places; }

  // Words of the instruction follow.
  void note(const MachineInstr& Instruction, MCStreamer& Streamer);
  // The words of the function end.
  void end(MCStreamer& Streamer);
  // Before the scopes are written.
  void write(AsmPrinter& Printer, const Module& Program);

 private:
  using Instance = std::pair<const DILocalVariable*, const DILocation*>;
  struct Range {
    unsigned Place = 0;  // its number in Places
    MCSymbol* Begin = nullptr;
    MCSymbol* End = nullptr;
  };

  void close(std::vector<unsigned> Kept, MCStreamer& Streamer);
  void number(uint64_t Value) const;
  unsigned text(StringRef Text);
  void writeType(const nplab::isa::VariableType& Type);
  void writePart(const Range& Part) const;
  void writeVariable(const Instance& Variable, unsigned Scope, const std::vector<Range>& Parts);
  void writeGlobals(AsmPrinter& Printer, const Module& Program);

  nplab::isa::MemorySpace DefaultSpace;
  MicroengineVariableTypes Types;
  MicroengineFunctionScopes& Scopes;
  MicroengineVariablePlaces Places;
  std::vector<Range> Open;    // by place
  std::vector<Range> Closed;  // in the order of their ends
  MCStreamer* Out = nullptr;
  std::string Texts;
  std::map<std::string, unsigned> PlaceOfText;
};

}  // namespace llvm
