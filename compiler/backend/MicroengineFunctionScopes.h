// Which function and block of statements each word came from and where it was inlined, for
// debuggers: noted while words are emitted, and written to a section of the object
// (isa/mc/function_scopes.h).
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

  // The variables of all functions so far, and the numbers of the scopes that they are in. `Placed`
  // are those with a place: Clang lists a function's variables only where it optimizes.
  using Variable = std::pair<const DILocalVariable*, const DILocation*>;
  std::vector<std::pair<Variable, unsigned>> variables(const std::vector<Variable>& Placed);

 private:
  struct Scope {
    unsigned Function = 0;  // its name's place in Texts
    unsigned Around = 0;
    unsigned CallFile = 0;
    unsigned CallLine = 0;
    unsigned ReturnRegister = 0;
  };
  struct Range {
    MCSymbol* Begin = nullptr;
    MCSymbol* End = nullptr;
    unsigned Scope = 0;
  };

  struct Origin {
    const DILocalScope* Place;
    const DILocation* InlinedAt;
    unsigned ReturnRegister;  // of the function that it was inlined into, or is
  };

  unsigned scopeOf(Origin Of);
  Scope functionScope(const Origin& Of);
  static unsigned returnRegisterOf(const MachineFunction& Into);
  unsigned text(StringRef Text);

  std::vector<Scope> Scopes;
  std::vector<Range> Ranges;
  unsigned Current = 0;  // a scope's number, from 1
  std::map<std::pair<const DILocalScope*, const DILocation*>, unsigned> NumberOf;
  std::vector<Origin> Functions;
  std::string Texts;
  std::map<std::string, unsigned> PlaceOfText;
};

}  // namespace llvm
