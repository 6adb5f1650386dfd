#include "isa/mc/target_streamer.h"

#include "isa/mc/parts.h"
#include "isa/operand_text.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/Support/FormattedStream.h"

using namespace llvm;
using Kind = MicroengineTargetStreamer::Kind;

const std::array<AnnotationDirective, 15> llvm::kAnnotationDirectives{
    {{Kind::kPacketVerdict, ".packet_verdict", 2},
     {Kind::kPacketDrop, ".packet_drop", 2},
     {Kind::kPacketForward, ".packet_forward", 2},
     {Kind::kConsoleHex, ".console_hex", 1},
     {Kind::kConsoleChar, ".console_char", 1},
     {Kind::kAbort, ".abort", 0},
     {Kind::kPollBegin, ".poll_begin", 0},
     {Kind::kPollEnd, ".poll_end", 0},
     {Kind::kBlockedBegin, ".blocked_begin", 0},
     {Kind::kWaitCode, ".wait_code", 1},
     {Kind::kQueueEntryPut, ".queue_entry_put", 2},
     {Kind::kQueueEntryTaken, ".queue_entry_taken", 2},
     {Kind::kQueueEntryFreed, ".queue_entry_freed", 2},
     {Kind::kPacketCached, ".packet_cached", 1},
     {Kind::kMegaFlowHit, ".mega_flow_hit", 0}}};

namespace {

class AsmTextStreamer : public MicroengineTargetStreamer {
 public:
  AsmTextStreamer(MCStreamer& streamer, formatted_raw_ostream& out)
      : MicroengineTargetStreamer(streamer), out_(out) {}

  void emit_annotation(Kind kind, std::uint16_t first, std::uint16_t second) override {
    for (const AnnotationDirective& directive : kAnnotationDirectives) {
      if (directive.kind != kind)
        continue;
      out_ << '\t' << directive.name;
      if (directive.operands > 0)
        out_ << ' ' << nplab::isa::operand_text(first);
      if (directive.operands > 1)
        out_ << ", " << nplab::isa::operand_text(second);
      out_ << '\n';
    }
  }

 private:
  formatted_raw_ostream& out_;
};

// A source line waits in the context for the next thing emitted. Keeps it for the instruction
// after the record.
class PendingLine {
 public:
  explicit PendingLine(MCContext& context)
      : context_(context),
        line_(context.getCurrentDwarfLoc()),
        is_pending_(context.getDwarfLocSeen()) {
    context_.clearDwarfLocSeen();
  }
  PendingLine(const PendingLine&) = delete;
  PendingLine& operator=(const PendingLine&) = delete;
  ~PendingLine() {
    if (is_pending_)
      context_.setCurrentDwarfLoc(line_.getFileNum(), line_.getLine(), line_.getColumn(),
                                  line_.getFlags(), line_.getIsa(), line_.getDiscriminator());
  }

 private:
  MCContext& context_;
  MCDwarfLoc line_;
  bool is_pending_;
};

class ELFStreamer : public MicroengineTargetStreamer {
 public:
  using MicroengineTargetStreamer::MicroengineTargetStreamer;

  void emit_annotation(Kind kind, std::uint16_t first, std::uint16_t second) override {
    MCStreamer& streamer = getStreamer();
    MCContext& context = streamer.getContext();
    MCSymbol* here = context.createTempSymbol();
    streamer.emitLabel(here);
    const PendingLine line(context);
    streamer.pushSection();
    streamer.switchSection(context.getELFSection(kAnnotationSection, ELF::SHT_PROGBITS, 0));
    streamer.emitSymbolValue(here, 4);
    streamer.emitIntValue(static_cast<std::uint16_t>(kind), 2);
    streamer.emitIntValue(first, 2);
    streamer.emitIntValue(second, 2);
    streamer.emitIntValue(0, 2);
    streamer.popSection();
  }
};

}  // namespace

MCTargetStreamer* llvm::createMicroengineAsmTargetStreamer(MCStreamer& streamer,
                                                           formatted_raw_ostream& out,
                                                           MCInstPrinter*) {
  return new AsmTextStreamer(streamer, out);
}

MCTargetStreamer* llvm::createMicroengineELFTargetStreamer(MCStreamer& streamer,
                                                           const MCSubtargetInfo&) {
  return new ELFStreamer(streamer);
}
