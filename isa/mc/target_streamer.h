// Annotations on their way to assembly text or an object file.
#pragma once

#include <array>

#include "isa/program_image.h"
#include "llvm/MC/MCStreamer.h"

namespace llvm {

class MicroengineTargetStreamer : public MCTargetStreamer {
 public:
  using Kind = nplab::isa::Annotation::Kind;
  using MCTargetStreamer::MCTargetStreamer;

  // Marks the next instruction. `first` and `second` are operand codes (description/registers.td):
  // a register or an immediate of 8 bits; kNoRegister for operands that the kind does not have.
  virtual void emit_annotation(Kind kind, std::uint16_t first, std::uint16_t second) = 0;
};

// A directive of the assembly language for each kind.
struct AnnotationDirective {
  MicroengineTargetStreamer::Kind kind;
  const char* name;
  unsigned operands;
};
extern const std::array<AnnotationDirective, 15> kAnnotationDirectives;

// ELF: records of 12 bytes, big-endian: u32 address, u16 kind, u16 first, u16 second, u16 0.
constexpr const char* kAnnotationSection = ".nplab.annotations";
constexpr unsigned kAnnotationBytes = 12;

}  // namespace llvm
