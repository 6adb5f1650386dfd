; A stage whose first reference is not at a longword's address.
main#:
  immed[a0, 0x102]
  sram[read, $0, a0, 0, 1], ctx_swap
  br[main#]
