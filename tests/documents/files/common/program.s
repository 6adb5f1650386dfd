        immed[a0, 0]
        ctx_arb[kill]
