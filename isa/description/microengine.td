// The microengine: one description from which the code generator, assembler, disassembler, the simulator's decoder and
// the ISA reference page are generated. An instruction is one 64-bit control-store word.
include "llvm/Target/Target.td"
include "registers.td"
include "operands.td"
include "formats.td"
include "alu.td"
include "register_group.td"
include "branches.td"
include "references.td"
include "miscellaneous.td"
include "code_generation.td"

def MicroengineInstrInfo : InstrInfo;

def : ProcessorModel<"generic", NoSchedModel, []>;


def MicroengineAsmWriter : AsmWriter { string AsmWriterClassName = "InstPrinter"; }

def Microengine : Target {
  let InstructionSet = MicroengineInstrInfo;
  let AssemblyWriters = [MicroengineAsmWriter];
}
