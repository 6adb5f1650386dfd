// Transformations of IR: memory in longwords, arithmetic, atomics, what is shared, signals.
#include <catch2/catch.hpp>

#include "compiler/transforms/AnnotateProfile.h"
#include "compiler/transforms/DelayShifts.h"
#include "compiler/transforms/ExpandArithmetic.h"
#include "compiler/transforms/ExtractBursts.h"
#include "compiler/transforms/LowerAtomics.h"
#include "compiler/transforms/LowerMemory.h"
#include "compiler/transforms/LowerSharedVariables.h"
#include "compiler/transforms/MergeStores.h"
#include "compiler/transforms/PlainControlFlow.h"
#include "compiler/transforms/SinkAddresses.h"
#include "compiler/transforms/SplitElements.h"
#include "compiler/transforms/TieSignals.h"
#include "llvm/IR/Module.h"
#include "tests/compiler/passes/pass_bench.h"

namespace nplab::test {
namespace {

using namespace compiler;

template <typename Pass>
std::string after(const std::string& ir, Pass pass) {
  return after_ir_passes(
      ir, [&](llvm::FunctionPassManager& passes) { passes.addPass(std::move(pass)); });
}

TEST_CASE("a byte is read as its longword and shifted, and written by replacing it there") {
  const std::string code = after(R"(
define void @main(ptr addrspace(1) align 4 %p, i8 %v) {
  %q = getelementptr i8, ptr addrspace(1) %p, i32 1
  %b = load i8, ptr addrspace(1) %q, align 1
  store i8 %v, ptr addrspace(1) %p, align 4
  call void @use(i8 %b)
  ret void
}
declare void @use(i8)
)",
                                 LowerSubwordsPass(PartReads::kMovedDown));
  CHECK(file_check(code, R"(
CHECK: [[WORD:%[0-9a-z]+]] = load i32, ptr addrspace(1)
CHECK-NEXT: lshr i32 [[WORD]], 16
CHECK: [[OLD:%[0-9a-z]+]] = load i32, ptr addrspace(1) %p
CHECK: and i32 [[OLD]], 16777215
CHECK: store i32 {{.*}}, ptr addrspace(1) %p, align 4
CHECK-NOT: load i8
)") == "");
}

TEST_CASE("a longword of a packed structure is put together from what its alignment allows") {
  const std::string code = after(R"(
define i32 @main(ptr addrspace(1) align 4 %p) {
  %q = getelementptr i8, ptr addrspace(1) %p, i32 2
  %v = load i32, ptr addrspace(1) %q, align 2
  ret i32 %v
}
)",
                                 LowerSubwordsPass(PartReads::kMovedDown));
  CHECK(file_check(code, R"(
CHECK: load i32, ptr addrspace(1) {{.*}}, align 4
CHECK: load i32, ptr addrspace(1) {{.*}}, align 4
CHECK: shl {{.*}}i32 {{.*}}, 16
CHECK: or
CHECK-NOT: align 2
)") == "");
}

TEST_CASE("a longword of SDRAM is the half of its quadword, written with the other half") {
  const std::string code = after(R"(
define i32 @main(ptr addrspace(2) align 8 %p, i32 %v) {
  %a = load i32, ptr addrspace(2) %p, align 8
  %q = getelementptr i8, ptr addrspace(2) %p, i32 4
  store i32 %v, ptr addrspace(2) %q, align 4
  ret i32 %a
}
)",
                                 LowerQuadwordsPass(SharedQuadwords::kIgnored));
  CHECK(file_check(code, R"(
CHECK: load <2 x i32>, ptr addrspace(2) %p, align 8
CHECK: extractelement <2 x i32> {{.*}} 0
CHECK: load <2 x i32>, ptr addrspace(2)
CHECK: insertelement
CHECK: store <2 x i32> {{.*}}, align 8
CHECK-NOT: store i32
)") == "");
}

TEST_CASE(
    "a stored vector is a burst write that takes its longwords one by one, the address last") {
  const std::string code = after(R"(
define void @main(ptr addrspace(1) %p, ptr addrspace(2) %q, <4 x i32> %v) {
  store <4 x i32> %v, ptr addrspace(1) %p, align 4
  store <4 x i32> %v, ptr addrspace(2) %q, align 8
  ret void
}
)",
                                 LowerBurstStoresPass());
  CHECK(file_check(code, R"(
CHECK: call void @__me_sram_write_4(i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, ptr addrspace(1) %p)
CHECK: call void @__me_sdram_write_2(i32 {{.*}}, ptr addrspace(2) %q)
CHECK-NOT: store
)") == "");
}

TEST_CASE("accesses are volatile to selection, and remember which C did not call so") {
  const std::string code = after(R"(
define i32 @main(ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) %p, align 4
  fence seq_cst
  %b = load volatile i32, ptr addrspace(1) %p, align 4
  %c = add i32 %a, %b
  ret i32 %c
}
)",
                                 FreezeAccessesPass());
  CHECK(file_check(code, R"(
CHECK: load volatile i32, {{.*}}, !microengine.ordinary
CHECK-NOT: fence
CHECK: %b = load volatile i32, ptr addrspace(1) %p, align 4{{$}}
)") == "");
}

TEST_CASE("longwords of a burst are taken out where it arrives, each once") {
  const std::string code = after(R"(
define i32 @main(ptr addrspace(1) %p, i1 %c) {
  %v = load <2 x i32>, ptr addrspace(1) %p, align 4
  br i1 %c, label %then, label %end
then:
  %a = extractelement <2 x i32> %v, i64 1
  %b = extractelement <2 x i32> %v, i64 1
  %s = add i32 %a, %b
  ret i32 %s
end:
  ret i32 0
}
)",
                                 ExtractBurstsPass());
  CHECK(file_check(code, R"(
CHECK: load <2 x i32>
CHECK-NEXT: [[WORD:%[a-z]]] = extractelement <2 x i32> %v, i64 1
CHECK-NEXT: br i1
CHECK-NOT: extractelement
CHECK: add i32 [[WORD]], [[WORD]]
)") == "");
}

TEST_CASE(
    "an element of a burst seen as bytes is a shift of its longword, the first byte the most "
    "significant") {
  const std::string code = after(R"(
define i8 @main(<2 x i32> %v) {
  %bytes = bitcast <2 x i32> %v to <8 x i8>
  %b = extractelement <8 x i8> %bytes, i64 5
  ret i8 %b
}
)",
                                 SplitElementsPass());
  CHECK(file_check(code, R"(
CHECK: [[WORD:%[0-9]+]] = extractelement <2 x i32> %v, i64 1
CHECK-NEXT: [[SHIFTED:%[0-9]+]] = lshr i32 [[WORD]], 16
CHECK-NEXT: trunc i32 [[SHIFTED]] to i8
)") == "");
}

TEST_CASE("a small step of an address is formed again where it is used, a larger one stays") {
  const std::string code = after(R"(
define void @main(ptr addrspace(1) %p, i1 %c) {
  %near = getelementptr i8, ptr addrspace(1) %p, i32 124
  %far = getelementptr i8, ptr addrspace(1) %p, i32 128
  br i1 %c, label %then, label %end
then:
  store volatile i32 1, ptr addrspace(1) %near, align 4
  store volatile i32 2, ptr addrspace(1) %far, align 4
  br label %end
end:
  ret void
}
)",
                                 SinkAddressesPass());
  CHECK(file_check(code, R"(
CHECK: then:
CHECK-NEXT: [[NEAR:%[0-9]+]] = getelementptr i8, ptr addrspace(1) %p, i32 124
CHECK-NEXT: store volatile i32 1, ptr addrspace(1) [[NEAR]]
CHECK-NEXT: store volatile i32 2, ptr addrspace(1) %far
)") == "");
}

TEST_CASE("a longword beside a burst of two joins it, over an access of another memory") {
  const std::string code = after(R"(
define i32 @main(ptr addrspace(1) align 4 %p, ptr addrspace(3) align 4 %q, <2 x i32> %two, i32 %three) {
  store <2 x i32> %two, ptr addrspace(1) %p, align 4
  %v = load i32, ptr addrspace(3) %q, align 4
  %third = getelementptr i8, ptr addrspace(1) %p, i32 8
  store i32 %three, ptr addrspace(1) %third, align 4
  ret i32 %v
}
)",
                                 MergeStoresPass());
  CHECK(file_check(code, R"(
CHECK-NOT: store
CHECK: load i32, ptr addrspace(3) %q
CHECK: store <3 x i32> {{.*}}, ptr addrspace(1) %p, align 4
CHECK-NOT: store
)") == "");
}

TEST_CASE(
    "of stores to one place the later wins, and a store does not pass one that may be to its "
    "place") {
  const std::string code = after(R"(
define void @main(ptr addrspace(1) align 4 %p, ptr addrspace(1) align 4 %q) {
  %p4 = getelementptr i8, ptr addrspace(1) %p, i32 4
  store i32 1, ptr addrspace(1) %p4, align 4
  store i32 2, ptr addrspace(1) %p4, align 4
  store i32 3, ptr addrspace(1) %p, align 4
  store i32 4, ptr addrspace(1) %q, align 4
  store i32 5, ptr addrspace(1) %p4, align 4
  ret void
}
)",
                                 MergeStoresPass());
  CHECK(file_check(code, R"(
CHECK: store i32 1, ptr addrspace(1) %p4
CHECK: store <2 x i32> <i32 3, i32 2>, ptr addrspace(1) %p
CHECK: store i32 4, ptr addrspace(1) %q
CHECK: store i32 5, ptr addrspace(1) %p4
)") == "");
}

TEST_CASE("empty blocks go and chains merge, a choice between two values stays a branch") {
  const std::string code = after(R"(
define i32 @main(i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  br label %join
else:
  br label %unused
unused:
  br label %join
join:
  %v = phi i32 [ 1, %then ], [ 2, %unused ]
  br label %tail
tail:
  ret i32 %v
}
)",
                                 PlainControlFlowPass());
  CHECK(file_check(code, R"(
CHECK: br i1 %c
CHECK-NOT: {{then|else|join}}:
CHECK-NOT: select
CHECK: phi i32
CHECK-NEXT: ret i32
)") == "");
}

TEST_CASE(
    "products of many terms and quotients become calls of the runtime, powers of two shifts and "
    "masks") {
  const std::string code = after(R"(
define i32 @main(i32 %a, i32 %b) {
  %m = mul i32 %a, %b
  %ten = mul i32 %a, 10
  %q = udiv i32 %m, 8
  %r = urem i32 %ten, 8
  %s = sdiv i32 %a, %b
  %t = add i32 %q, %r
  %u = add i32 %s, %t
  ret i32 %u
}
declare i32 @__me_rt_multiply(i32, i32)
declare i32 @__me_rt_divide_signed(i32, i32)
)",
                                 ExpandArithmeticPass());
  CHECK(file_check(code, R"(
CHECK: call i32 @__me_rt_multiply(i32 %a, i32 %b)
CHECK: mul i32 %a, 10
CHECK: lshr i32 {{.*}}, 3
CHECK: and i32 {{.*}}, 7
CHECK: call i32 @__me_rt_divide_signed(i32 %a, i32 %b)
)") == "");
}

// A loop that reads and then shifts its offset, which starts as a multiple of `start`.
std::string shifting_loop(unsigned start) {
  return R"(
define i32 @main(ptr addrspace(1) %p, i32 %n) {
entry:
  %begin = shl i32 %n, )" +
         std::to_string(start) + R"(
  br label %loop
loop:
  %offset = phi i32 [ %begin, %entry ], [ %next, %loop ]
  %q = getelementptr i8, ptr addrspace(1) %p, i32 %offset
  %v = load volatile i32, ptr addrspace(1) %q, align 4
  %next = shl i32 %offset, 2
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret i32 %v
}
)";
}

TEST_CASE(
    "a shift at a round's end stands at the head of the next, if the start can be shifted back") {
  CHECK(file_check(after(shifting_loop(2), DelayShiftsPass()), R"(
CHECK: [[EARLIER:%[0-9]+]] = lshr i32 %begin, 2
CHECK: loop:
CHECK: [[UNSHIFTED:%[0-9a-z]+]] = phi i32 [ [[EARLIER]], %entry ], [ [[NOW:%[0-9]+]], %loop ]
CHECK-NEXT: [[NOW]] = shl i32 [[UNSHIFTED]], 2
CHECK: load volatile
CHECK-NOT: shl
)") == "");
  CHECK(file_check(after(shifting_loop(1), DelayShiftsPass()), R"(
CHECK: %next = shl i32 %offset, 2
CHECK-NOT: lshr
)") == "");
}

std::string after_atomics(const std::string& ir) {
  Diagnostics diagnostics;
  const std::string code =
      after_ir_step(ir, [&](llvm::Module& module) { lower_atomics(module, diagnostics); });
  return code + diagnostics.to_string();
}

TEST_CASE("atomic operations become the units' own, others are errors") {
  CHECK(file_check(after_atomics(R"(
define i32 @main(ptr addrspace(1) %p, ptr addrspace(3) %q, i32 %v) {
  %old = atomicrmw or ptr addrspace(1) %p, i32 %v seq_cst, align 4
  %gone = atomicrmw and ptr addrspace(3) %q, i32 15 seq_cst, align 4
  %more = atomicrmw add ptr addrspace(3) %q, i32 1 seq_cst, align 4
  %now = load atomic i32, ptr addrspace(1) %p acquire, align 4
  store atomic i32 %old, ptr addrspace(3) %q release, align 4
  %sum = add i32 %old, %now
  ret i32 %sum
}
)"),
                   R"(
CHECK: call i32 @__me_sram_test_and_set_bits(i32 %v, ptr addrspace(1) %p)
CHECK: call void @__me_scratch_clear_bits(i32 -16, ptr addrspace(3) %q)
CHECK: call void @__me_scratch_incr(ptr addrspace(3) %q)
CHECK: load volatile i32, ptr addrspace(1) %p
CHECK-NEXT: fence acquire
CHECK-NEXT: fence release
CHECK-NEXT: store volatile i32 {{.*}}, ptr addrspace(3) %q
CHECK-NOT: error
)") == "");
  CHECK(file_check(after_atomics(R"(
define i32 @main(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  ret i32 %old
}
)"),
                   "CHECK: error: {{.*}}sram_read_lock\n") == "");
}

TEST_CASE("a __shared variable is a number after those in use") {
  Diagnostics diagnostics;
  const std::string code = after_ir_step(
      R"(
@count = internal addrspace(4) global i32 0
define i32 @main() {
  %first = call i32 @__me_shared_read(i32 2)
  %v = load i32, ptr addrspace(4) @count, align 4
  store i32 %first, ptr addrspace(4) @count, align 4
  ret i32 %v
}
declare i32 @__me_shared_read(i32)
)",
      [&](llvm::Module& module) { lower_shared_variables(module, "test.c", diagnostics); });
  CHECK(diagnostics.to_string() == "");
  CHECK(file_check(code, R"(
CHECK-NOT: @count
CHECK: call i32 @__me_shared_read(i32 3)
CHECK: call void @__me_shared_write(i32 3, i32 %first)
)") == "");
}

TEST_CASE(
    "a branch is weighed by the lines of its two ways, and not where a way has none in the "
    "profile") {
  const auto weighed = [](const std::vector<LineCount>& profile) {
    return after_ir_step(R"(
define i32 @main(i1 %c) !dbg !3 {
  br i1 %c, label %then, label %else, !dbg !5
then:
  ret i32 1, !dbg !6
else:
  ret i32 2, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!8}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "test.c", directory: "")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "main", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, scope: !3)
!6 = !DILocation(line: 3, scope: !3)
!7 = !DILocation(line: 4, scope: !3)
!8 = !{i32 2, !"Debug Info Version", i32 3}
)",
                         [&](llvm::Module& module) { annotate_profile(module, profile); });
  };
  CHECK(file_check(weighed({{"test.c", 3, 9}, {"test.c", 4, 90}}), R"(
CHECK: br i1 %c, {{.*}}!prof [[WEIGHTS:![0-9]+]]
CHECK: [[WEIGHTS]] = !{!"branch_weights", i32 10, i32 91}
)") == "");
  CHECK(file_check(weighed({{"test.c", 2, 99}, {"test.c", 4, 90}}),
                   "CHECK: !{!\"branch_weights\", i32 10, i32 91}\n") == "");
  CHECK(file_check(weighed({{"test.c", 4, 90}}), "CHECK-NOT: !prof\n") == "");
  CHECK(file_check(weighed({{"other.c", 3, 9}, {"other.c", 4, 90}}), "CHECK-NOT: !prof\n") == "");
}

TEST_CASE("the result of a started reference comes from its wait") {
  Diagnostics diagnostics;
  const std::string code =
      after_ir_step(R"(
define i32 @main(ptr addrspace(1) %p) {
  %v = call i32 @__me_sram_read_1_start(ptr addrspace(1) %p)
  call void @__me_ctx_arb(i32 1)
  %w = add i32 %v, 1
  ret i32 %w
}
declare i32 @__me_sram_read_1_start(ptr addrspace(1))
declare void @__me_ctx_arb(i32)
)",
                    [&](llvm::Module& module) {
                      tie_signals(*module.getFunction("main"),
                                  llvm::MicroengineAddressSpace::kScratch, diagnostics);
                    });
  CHECK(diagnostics.to_string() == "");
  CHECK(file_check(code, R"(
CHECK: %v = call i32 @__me_sram_read_1_start
CHECK-NEXT: call void @__me_ctx_arb
CHECK-NEXT: [[ARRIVED:%[0-9]+]] = call i32 @__me_arrive(i32 %v)
CHECK-NEXT: add i32 [[ARRIVED]], 1
)") == "");
}

}  // namespace
}  // namespace nplab::test
