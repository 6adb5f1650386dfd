// The table of intrinsics generated from the description: which instruction a function __me_NAME
// selects.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
namespace Microengine {

struct IntrinsicDescription {
  const char* Name;
  unsigned ImmediateForm;  // opcodes; equal when the instruction has no address
  unsigned RegisterForm;
  unsigned Address;  // AddressArguments below
  bool TokensGiven;
  unsigned Tokens;
};
enum AddressArguments : unsigned { kNoAddress, kSumOfOne, kOneEach };

inline constexpr char IntrinsicPrefix[] = "__me_";
// After the name: the reference signals its unit's event instead of blocking.
inline constexpr char StartSuffix[] = "_start";
// What transforms/TieSignals.cpp adds after a wait: gives the result of such a reference once
// more, now arrived.
inline constexpr char ArriveName[] = "arrive";
// In the events of a wait: the bits this far up name those that only references with registers
// signal, so that a program that runs out of transfer registers can block instead.
inline constexpr unsigned StartedEventsShift = 16;

// Name without the prefix; null if there is none.
const IntrinsicDescription* findIntrinsic(StringRef Name);

// Whether the function is an intrinsic: in the table, or one of the few that are not a plain
// instruction.
bool isIntrinsicName(StringRef FunctionName);

unsigned numberOf(const IntrinsicDescription& Description);
const IntrinsicDescription& intrinsicByNumber(unsigned Number);

}  // namespace Microengine
}  // namespace llvm
