#include "compiler/backend/MicroengineIntrinsics.h"

#include <algorithm>
#include <string>

#include "compiler/backend/MicroengineDescriptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
namespace Microengine {

#define GET_IntrinsicTable_IMPL
#include "compiler/MicroengineGenIntrinsics.inc"

bool isIntrinsicName(StringRef FunctionName) {
  if (!FunctionName.consume_front(IntrinsicPrefix))
    return false;
  static constexpr StringLiteral Special[] = {"annotate",    "annotate_1", "annotate_2",
                                              "input_state", "no_signal",  "shared_read",
                                              "shared_write"};
  if (FunctionName.starts_with(ArriveName))
    return true;
  FunctionName.consume_back(StartSuffix);
  // Counts of the FIFO transfers are arguments: __me_sdram_r_fifo_read(.., 8) is
  // sdram_r_fifo_read_8.
  return is_contained(Special, FunctionName) || findIntrinsic(FunctionName) ||
         findIntrinsic((Twine(FunctionName) + "_1").str());
}

unsigned numberOf(const IntrinsicDescription& Description) {
  return &Description - IntrinsicTable;
}

const IntrinsicDescription& intrinsicByNumber(unsigned Number) {
  return IntrinsicTable[Number];
}

}  // namespace Microengine
}  // namespace llvm
