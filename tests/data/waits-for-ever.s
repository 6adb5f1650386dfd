; A stage that never takes a packet from its queue.
main#:
  ctx_arb[start_receive]
  br[main#]
