; Linear search, written by hand: ROUNDS times along the list of eight rules at 0x200000 to the last, which matches; the
; sum of the rules' numbers. handwritten_tests.cpp says what the list is and counts the cycles of a round.
        immed[b0, 5]                            ; the packet's fields
        immed[b1, 6]
        immed[b2, 7]
        immed[b3, ROUNDS]
        immed[a3, 0]                            ; sum
        immed[a0, 32, <<16]                     ; the list
        sram[read, $0, a0, 0, 6]                ; both ends of three dimensions
round#:
        sram[read, $6, a0, 28, 2], ctx_swap     ; the rule's number, the next record
        br[compare#]
loop#:                                          ; the record's ends are on their way: the slot below
        sram[read, $6, $7, 28, 2], ctx_swap
compare#:
        alu[--, b0, -, $0]
        br!=cout[next#], defer[1]
        alu[--, $1, -, b0]
        br!=cout[next#], defer[1]
        alu[--, b1, -, $2]
        br!=cout[next#], defer[1]
        alu[--, $3, -, b1]
        br!=cout[next#], defer[1]
        alu[--, b2, -, $4]
        br!=cout[next#], defer[1]
        alu[--, $5, -, b2]
        br!=cout[next#]
found#:
        alu[b3, b3, -, 1]
        br!=0[round#], guess_branch, defer[2]
        alu[a3, a3, +, $6]
        sram[read, $0, a0, 0, 6]                ; of the next round; behind the last, one for nothing
        br[end#], defer[1]
        alu[a0, --, B, a3]
next#:
        alu[--, $7, -, 0]
        br!=0[loop#], guess_branch, defer[1]
        sram[read, $0, $7, 0, 6]
        alu[a0, --, B, a3]                      ; the list's last rule must match
end#:
        ctx_arb[kill]
