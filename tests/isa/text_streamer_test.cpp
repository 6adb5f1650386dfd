#include "assembled.h"
#include "isa/mc/machine_code_context.h"
#include "isa/mc/microengine_mc.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

// The text as LLVM's assembly streamer writes it, which is how the compiler's -S comes about.
std::string streamed(const std::string& text) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "test.s"), llvm::SMLoc());
  MachineCodeContext machine(&sources);
  std::string result;
  llvm::raw_string_ostream out(result);
  auto* printer = machine.target.createMCInstPrinter(llvm::Triple(llvm::Microengine::kTriple), 0,
                                                     *machine.asm_info, *machine.instructions,
                                                     *machine.registers);
  const std::unique_ptr<llvm::MCStreamer> streamer(machine.target.createAsmStreamer(
      machine.context, std::make_unique<llvm::formatted_raw_ostream>(out), printer, nullptr,
      nullptr));
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, machine.context, *streamer, *machine.asm_info));
  const std::unique_ptr<llvm::MCTargetAsmParser> target_parser(machine.target.createMCAsmParser(
      *machine.subtarget, *parser, *machine.instructions, machine.options));
  parser->setTargetParser(*target_parser);
  REQUIRE_FALSE(parser->Run(false));
  streamer->reset();
  return out.str();
}

constexpr const char* kText = R"(	.text
	.globl	main
	.type	main,@function
main#:
	.file	1 "tasks/classify.c"
	.loc	1 3 4
	immed[a0, %lo(table+4)]
	immed_w1[a0, %hi(table+4)]
.LBB0_1#:
	.packet_drop $3, 7
	.poll_end
	br!=0[.LBB0_1#], defer[1]
	sram[read, $2, a0, 0, 4], ctx_swap, priority, defer[1]
.Lfunc_end0#:
	.size	main, .Lfunc_end0-main
	.section	.sram,"aw",@progbits
	.type	table,@object
	.p2align	2, 0x0
table#:
	.long	5
	.ascii	"a;b // c"
	.size	table, 12
)";

}  // namespace

TEST_CASE("The compiler's assembly text is read and written the same", "[isa]") {
  CHECK(streamed(kText) == kText);
}

TEST_CASE("The compiler's assembly text assembles, with its own lines", "[isa]") {
  const ProgramImage image = assembled(kText);
  REQUIRE(image.words.size() == 4);
  CHECK(image.lines[3].line == 3);
  CHECK(image.files[image.lines[0].file] == "tasks/classify.c");
  REQUIRE(image.annotations.size() == 2);
  CHECK(image.annotations[0].pc == 2);
  REQUIRE(image.data.size() == 1);
  CHECK(image.data[0].longwords == std::vector<std::uint32_t>{5, 0x613b6220, 0x2f2f2063});
}
