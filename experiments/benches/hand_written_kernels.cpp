#include "experiments/benches/hand_written_kernels.h"

namespace nplab::experiments {
namespace {

std::uint32_t scrambled(std::uint32_t i) {
  return (i + 1) * 0x9e3779b1;
}

std::uint32_t ascending(std::uint32_t i) {
  return i * 200;
}

constexpr HandWrittenKernel kHandWritten[] = {
    // Carries come round at the next addition, so that a longword is one instruction; bursts.
    {"checksum", R"(
        alu[b0, --, B, 0]                       ; sum
        immed[b1, 32]                           ; bytes of a burst
        alu[a1, a1, -, 8]
        br<0[rest#]
eight#:
        sram[read, $0, a0, 0, 8], ctx_swap, defer[1]
        alu[a0, a0, +, b1]
        alu[b0, $0, +, b0]
        alu[b0, $1, +carry, b0]
        alu[b0, $2, +carry, b0]
        alu[b0, $3, +carry, b0]
        alu[b0, $4, +carry, b0]
        alu[b0, $5, +carry, b0]
        alu[b0, $6, +carry, b0]
        alu[b0, $7, +carry, b0]
        alu[b0, 0, +carry, b0]
        alu[a1, a1, -, 8]
        br>=0[eight#], guess_branch
rest#:
        alu[a1, a1, +, 8]
        br=0[fold#]
one#:
        sram[read, $0, a0, 0, 1], ctx_swap, defer[1]
        alu[a0, a0, +, 4]
        alu[b0, $0, +, b0]
        alu[b0, 0, +carry, b0]
        alu[a1, a1, -, 1]
        br!=0[one#], guess_branch
fold#:
        ld_field_w_clr[a1, 0b0011, b0, --]
        alu_shf[b0, --, B, b0, >>16]
        alu[a1, a1, +, b0]
        alu_shf[b1, --, B, a1, >>16]
        alu[a1, a1, +, b1]
        immed[b0, 65535]
        alu[a0, b0, AND~, a1]
)",
     0x1000, 64, 64, scrambled},
    // Bursts; the last two instructions of a round fill the slots of its branch.
    {"one_at_a_time", R"(
        alu[b0, --, B, 0]                       ; hash
        immed[b1, 32]                           ; bytes of a burst
        alu[a1, a1, -, 8]
        br<0[rest#]
eight#:
        sram[read, $0, a0, 0, 8], ctx_swap, defer[1]
        alu[a0, a0, +, b1]
        alu[b0, b0, +, $0]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $1]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $2]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $3]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $4]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $5]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $6]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
        alu[b0, b0, +, $7]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu[a1, a1, -, 8]
        br>=0[eight#], guess_branch, defer[2]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
rest#:
        alu[a1, a1, +, 8]
        br=0[end#]
one#:
        sram[read, $0, a0, 0, 1], ctx_swap, defer[1]
        alu[a0, a0, +, 4]
        alu[b0, b0, +, $0]
        alu_shf[a2, --, B, b0, <<10]
        alu[b0, a2, +, b0]
        alu[a1, a1, -, 1]
        br!=0[one#], guess_branch, defer[2]
        alu_shf[a2, --, B, b0, >>6]
        alu[b0, a2, XOR, b0]
end#:
        alu_shf[a1, --, B, b0, <<3]
        alu[b0, a1, +, b0]
        alu_shf[a1, --, B, b0, >>11]
        alu[b0, a1, XOR, b0]
        alu_shf[a1, --, B, b0, <<15]
        alu[a0, a1, +, b0]
)",
     0x1000, 64, 65, scrambled},
    {"crc32", R"(
        alu[b0, --, B, a1]
        alu[a0, a0, XOR, b0]
        immed[b1, 33568]
        immed_w1[b1, 60856]
        immed[a1, 31]
loop#:
        br_bclr[a0, 0, even#], defer[1]
        alu_shf[a0, --, B, a0, >>1]
        alu[a0, a0, XOR, b1]
even#:
        alu[a1, a1, -, 1]
        br>=0[loop#], guess_branch
)",
     0x12345678, 0x9abcdef0, 0, nullptr},
    {"ones", R"(
        alu[b0, --, B, 0]                       ; count
        alu[a0, --, B, a1]
        br=0[end#]
loop#:
        alu[b1, a0, -, 1]
        alu[a0, a0, AND, b1]
        br!=0[loop#], guess_branch, defer[1]
        alu[b0, b0, +, 1]
end#:
        alu[a0, --, B, b0]
)",
     0x1000, 0xdeadbeef, 0, nullptr},
    {"square_root", R"(
        immed[b0, 16384, <<16]                  ; bit
        immed[a0, 0]                            ; root
loop#:
        alu[b2, a0, +, b0]
        alu[--, a1, -, b2]
        br!=cout[less#], defer[1]
        alu_shf[a0, --, B, a0, >>1]
        alu[a0, a0, +, b0]
        alu[a1, a1, -, b2]
less#:
        alu_shf[b0, --, B, b0, >>2]
        br!=0[loop#], guess_branch
)",
     0x1000, 2'000'000'000, 0, nullptr},
    {"binary_search", R"(
        alu[b0, --, B, a0]                      ; the list, and its key
        alu[b1, --, B, a1]                      ; the end
        br=0[end#], defer[1]
        immed[a1, 0]                            ; the beginning
loop#:
        alu[a0, a1, +, b1]
        alu_shf[b2, --, B, a0, >>1]
        alu_shf[a0, --, B, b2, <<2]
        sram[read, $0, b0, a0, 1], ctx_swap
        alu[--, $0, -, b0]
        br=cout[above#], defer[1]
        alu[a0, b2, +, 1]
        alu[a1, --, B, a0]
        alu[--, a1, -, b1]
        br!=cout[loop#], guess_branch
        br[end#]
above#:
        alu[b1, --, B, b2]
        alu[--, a1, -, b1]
        br!=cout[loop#], guess_branch
end#:
        alu[a0, --, B, a1]
)",
     0x1000, 64, 64, ascending},
};

}  // namespace

std::span<const HandWrittenKernel> hand_written_kernels() {
  return kHandWritten;
}

}  // namespace nplab::experiments
