// Which function each word came from and where it was inlined, for debuggers: noted while words are
// emitted, and written to a section of the object (isa/mc/function_scopes.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/IR/DebugInfoMetadata.h"

namespace llvm {

class MachineFunction;
class MachineInstr;
class MCStreamer;
class MCSymbol;

class MicroengineFunctionScopes {
 public:
  // Words of the instruction follow.
  void note(const MachineInstr& Instruction, MCStreamer& Streamer);
  // Words that no function of the source became follow, or none.
  void end(MCStreamer& Streamer);
  void write(MCStreamer& Streamer) const;

 private:
  struct Scope {
    unsigned Function = 0;  // its name's place in Texts
    unsigned InlinedInto = 0;
    unsigned CallFile = 0;
    unsigned CallLine = 0;
    unsigned ReturnRegister = 0;
  };
  struct Range {
    MCSymbol* Begin = nullptr;
    MCSymbol* End = nullptr;
    unsigned Scope = 0;
  };

  unsigned scopeOf(const DISubprogram* Function, const DILocation* InlinedAt,
                   const MachineFunction& Into);
  unsigned text(StringRef Text);

  std::vector<Scope> Scopes;
  std::vector<Range> Ranges;
  unsigned Current = 0;  // a scope's number, from 1
  std::map<std::pair<const DISubprogram*, const DILocation*>, unsigned> NumberOf;
  std::string Texts;
  std::map<std::string, unsigned> PlaceOfText;
};

}  // namespace llvm
