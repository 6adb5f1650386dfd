// Marks of the program that only the compiler reads: beside the kinds of isa::Annotation.
#pragma once

namespace nplab::compiler {

enum AtomicMark : unsigned {
  kAtomicBegin = 0x100,  // from here no other thread of the engine may run
  kAtomicEnd,            // to here
  kAtomicLast,           // or until the next reference has been issued
};

}  // namespace nplab::compiler
