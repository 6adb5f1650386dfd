// A program for one microengine, as the assembler or compiler leaves it and the simulator loads it:
// control-store words, the source line of each, annotations, and initial contents of memory. Free
// of LLVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/memory_space.h"
#include "isa/variable_table.h"

namespace nplab::isa {

// Where a control-store word came from. line 0: no source line (generated code).
struct SourceLine {
  std::uint16_t file = 0;  // index into ProgramImage::files
  std::uint32_t line = 0;
};

// A zero-cost mark: when the instruction at `pc` is executed (in P3, not aborted), the simulator
// first samples the operands. What each kind means is in docs/chip.md.
struct Annotation {
  enum class Kind : std::uint16_t {
    kPacketVerdict =
        1,  // first: SDRAM address of the frame, second: rule index, or 0xffffffff for no match
    kPacketDrop = 2,   // first: SDRAM address of the frame, second: reason (packet_drop reasons in
                       // microengine.h)
    kConsoleHex = 3,   // first: value
    kConsoleChar = 4,  // first: character
    kAbort = 5,        // the program gives up
    kPacketForward = 6,  // first: SDRAM address of the frame, second: port that it is sent to
    // Instructions from here to kPollEnd wait (reported apart in `lines`): for work, ...
    kPollBegin = 7,
    kPollEnd = 8,  // of the innermost that was begun
    // Entries of queues. first: any byte address in the entry's ring, second: number of the queue
    kQueueEntryPut = 9,     // the entry is being written
    kQueueEntryTaken = 10,  // a consumer has it
    kQueueEntryFreed = 11,  // at the end of its packet, where that is when it is free again
    kBlockedBegin = 12,     // ... or for room
    // From this word on, in the order of words, up to the next such mark: code of a function that
    // waits. first: a WaitCode
    kWaitCode = 13,
    kPacketCached = 14,  // first: SDRAM address of a frame whose verdict a flow cache knew
    kMegaFlowHit = 15,   // a packet's verdict comes from a cache of mega flows
  };
  std::uint32_t pc = 0;  // in words
  Kind kind{};
  std::uint16_t first = 0;  // 11-bit operand codes, see description/registers.td
  std::uint16_t second = 0;
};

// What a function waits for.
enum class WaitCode : std::uint16_t { kNothing = 0, kWork = 1, kRoom = 2, kLock = 3 };

struct Symbol {
  std::string name;
  std::uint32_t pc = 0;  // in words
};

// Initial contents of a part of memory: globals and constant tables.
struct DataSegment {
  MemorySpace space{};
  std::uint32_t address = 0;  // in bytes, a multiple of 4
  std::vector<std::uint32_t> longwords;
};

// Where the program's data sections go, in bytes.
struct DataBases {
  std::uint32_t sram = 0;
  std::uint32_t sdram = 0;
  std::uint32_t scratch = 0;
};

// What code came from: a function that was compiled by itself, a copy of one that was inlined, or a
// block of statements in one of them.
struct SourceScope {
  std::string function;  // empty: a block
  // The one that a block is in, or that a copy was inlined into; it has a lower index.
  std::optional<std::uint32_t> around;
  std::string call_file;  // of a copy; not of `files`: records list those of words
  std::uint32_t call_line = 0;
  std::uint16_t return_register = kNoReturn;  // of what is called: where its caller goes on

  static constexpr std::uint16_t kNoReturn = 0xffff;  // of main, and of copies

  [[nodiscard]] bool is_block() const { return function.empty(); }
};

struct ProgramImage {
  std::string name;
  std::vector<std::uint64_t> words;
  std::vector<SourceLine> lines;   // as many as words
  std::vector<std::string> files;  // source files, as given to the compiler
  std::vector<SourceScope> scopes;
  std::vector<std::optional<std::uint32_t>> scope_of;  // as many as words: the innermost scope
  VariableTable variables;
  std::vector<Annotation> annotations;
  std::vector<Symbol> symbols;
  std::vector<DataSegment> data;
};

}  // namespace nplab::isa
