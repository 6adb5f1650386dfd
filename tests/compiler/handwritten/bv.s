; The intersection of three bit vectors of 128 rules, written by hand: ROUNDS times over the vectors at 0x1000, 0x2000 and
; 0x3000 of SDRAM; the sum of the first rules found. handwritten_tests.cpp says what they are and counts the cycles of a round.
        immed[a3, 0]                            ; sum
        immed[b3, ROUNDS]
        immed[b0, 0x1000]
        immed[b1, 0x2000]
        immed[b2, 0x3000]
        immed[a0, 0]                            ; offset
round#:
        sdram[read, $$0, b0, a0, 1]
loop#:
        sdram[read, $$2, b1, a0, 1]
        sdram[read, $$4, b2, a0, 1], ctx_swap, defer[1]
        alu_shf[b4, --, B, a0, <<3]             ; the number of the quadword's first rule
        alu[a1, $$0, AND, $$2]
        alu[a1, a1, AND, $$4]
        br!=0[found#], defer[2]
        alu[b5, $$1, AND, $$3]
        alu[b5, b5, AND, $$5]
        br!=0[second#]
        alu[a0, a0, +, 8]
        alu[--, a0, -, 16]
        br!=0[loop#], guess_branch, defer[1]
        sdram[read, $$0, b0, a0, 1]             ; of the next quadword; behind the last, one for nothing
        br[done#]
second#:
        alu[b4, b4, +, 31]                      ; 32 with the next
        alu[b4, b4, +, 1]
        alu[a1, --, B, b5]
found#:
        br_bset[a1, 31, done#], defer[1]
        alu[a3, a3, +, b4]
shift#:
        alu_shf[a1, --, B, a1, <<1]
        br_bclr[a1, 31, shift#], defer[1]
        alu[a3, a3, +, 1]
done#:
        alu[b3, b3, -, 1]
        br!=0[round#], guess_branch, defer[1]
        immed[a0, 0]
        ctx_arb[kill], defer[1]
        alu[a0, --, B, a3]
