// Microengine C: what C gains on the engine.
//
// Types. u32 is a longword, u64 a quadword. u32x2 to u32x8 are bursts of longwords in transfer
// registers: read v[0], v[1], ... with constant indices.
//
// Memories. `__sram`, `__sdram` and `__scratch` qualify what a pointer points to; an address is in
// bytes. A plain dereference is one blocking reference: the thread lets another thread run until it
// completes. SRAM and scratch move longwords; SDRAM moves quadwords: reading a u32 reads its
// quadword, writing a u32 reads the quadword and writes it back, so another thread's write to the
// other half in between is lost. The same holds for writing a u8 or u16 in a longword. Unqualified
// variables live in registers, else in the thread's frame (compiler options say where).
//
// Costs below are instructions in the control store, without moving operands into place. "blocks":
// the thread sleeps until the unit has completed the reference; other threads run meanwhile.
#pragma once

#include <microengine_names.h>

#define __sram __attribute__((address_space(1)))
#define __sdram __attribute__((address_space(2)))
#define __scratch __attribute__((address_space(3)))
// A global variable in registers that the engine's four threads share; starts as 0. 1 instruction a
// longword.
#define __shared __attribute__((address_space(4)))

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64 __attribute__((aligned(8)));  // a quadword: one SDRAM access
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64 __attribute__((aligned(8)));
typedef u32 u32x2 __attribute__((vector_size(8), aligned(4)));
typedef u32 u32x3 __attribute__((ext_vector_type(3), aligned(4)));
typedef u32 u32x4 __attribute__((vector_size(16), aligned(4)));
typedef u32 u32x5 __attribute__((ext_vector_type(5), aligned(4)));
typedef u32 u32x6 __attribute__((ext_vector_type(6), aligned(4)));
typedef u32 u32x7 __attribute__((ext_vector_type(7), aligned(4)));
typedef u32 u32x8 __attribute__((vector_size(32), aligned(4)));

// In front of a function: the compiler does not warn that it needs more values at a time than there
// are registers.
#define __may_spill __attribute__((annotate("nplab-may-spill")))

#define __ME extern __attribute__((nothrow))

// The engine and its threads

__ME u32 __me_local_csr_read(u32 csr);
__ME void __me_ctx_arb(u32 events);
__ME u32 __me_input_state(u32 state);
__ME u32 __me_no_signal(u32 event_number);

// Number of this thread's context, from 0; of this engine; core cycles since reset (low 32 bits). 1
// instruction each.
#define ctx() __me_local_csr_read(__local_csr_active_ctx)
#define engine() __me_local_csr_read(__local_csr_engine)
#define cycle_count() __me_local_csr_read(__local_csr_cycle_count)
// This thread's number in the chip: engine x 4 + context, or engine x 8 + context. 3 instructions.
#ifndef NPLAB_THREAD_BITS
#define NPLAB_THREAD_BITS \
  2  // of a thread's number that name the context; 3 on chips of more than four an engine
#endif
#define thread_number() (engine() << NPLAB_THREAD_BITS | ctx())

// Sleeps until all events named have come: sram, sdram, fbi, inter_thread, start_receive,
// seq_num1_change, ... ctx_wait(sram), ctx_wait2(sram, sdram). 1 instruction.
#define ctx_wait(event) __me_ctx_arb(__event_##event)
#define ctx_wait2(first, second) __me_ctx_arb(__event_##first | __event_##second)
// Lets the other threads run and comes back in turn. 1 instruction.
#define ctx_swap_voluntary() __me_ctx_arb(__event_voluntary)
#define ctx_swap() ctx_swap_voluntary()
// Ends this thread. 1 instruction.
#define kill_thread() (__me_ctx_arb(__event_kill), __builtin_unreachable())

// Whether an input state is set: rec_req_avail, push_protect, seq_num1_lsb, seq_num2_lsb. In an
// `if` or loop condition it is one branch instruction.
#define inp_state(name) __me_input_state(__input_state_##name)

// Variables shared by the four threads of an engine, in absolute registers: n is a constant, 0-31.
// Each four of them take one register from every thread (b14 first, then a14, b13, ...). 1
// instruction each. Initially 0.
__ME u32 __me_shared_read(u32 n);
__ME void __me_shared_write(u32 n, u32 value);
#define shared_read(n) __me_shared_read(n)
#define shared_write(n, value) __me_shared_write(n, value)

// From atomic_begin to atomic_end no other thread of the engine runs; after atomic_last none does
// until the next reference has been issued. What lets another thread run in between, a reference
// that blocks or a wait, is an error at its line; so is a value that does not fit the registers
// there. No instruction.
#define atomic_begin() __me_annotate(__annotation_atomic_begin)
#define atomic_end() __me_annotate(__annotation_atomic_end)
#define atomic_last() __me_annotate(__annotation_atomic_last)

// Number of the lowest bit set in bits 15..0 of a value, plus 256; less than 256 if there is none.
// 2 instructions.
__ME void __me_find_bset(u32 value);
__ME u32 __me_load_bset_result1(void);
#define find_bset(value) (__me_find_bset(value), __me_load_bset_result1())

// SRAM

// Bursts of 2 to 8 longwords. 1 instruction, blocks (event sram).
__ME u32 __me_sram_read_1(const __sram void* address);
__ME u32x2 __me_sram_read_2(const __sram void* address);
__ME u32x3 __me_sram_read_3(const __sram void* address);
__ME u32x4 __me_sram_read_4(const __sram void* address);
__ME u32x5 __me_sram_read_5(const __sram void* address);
__ME u32x6 __me_sram_read_6(const __sram void* address);
__ME u32x7 __me_sram_read_7(const __sram void* address);
__ME u32x8 __me_sram_read_8(const __sram void* address);
__ME void __me_sram_write_1(u32, __sram void* address);
__ME void __me_sram_write_2(u32, u32, __sram void* address);
__ME void __me_sram_write_3(u32, u32, u32, __sram void* address);
__ME void __me_sram_write_4(u32, u32, u32, u32, __sram void* address);
__ME void __me_sram_write_5(u32, u32, u32, u32, u32, __sram void* address);
__ME void __me_sram_write_6(u32, u32, u32, u32, u32, u32, __sram void* address);
__ME void __me_sram_write_7(u32, u32, u32, u32, u32, u32, u32, __sram void* address);
__ME void __me_sram_write_8(u32, u32, u32, u32, u32, u32, u32, u32, __sram void* address);
#define sram_read(address) __me_sram_read_1(address)
#define sram_read2(address) __me_sram_read_2(address)
#define sram_read3(address) __me_sram_read_3(address)
#define sram_read4(address) __me_sram_read_4(address)
#define sram_read5(address) __me_sram_read_5(address)
#define sram_read6(address) __me_sram_read_6(address)
#define sram_read7(address) __me_sram_read_7(address)
#define sram_read8(address) __me_sram_read_8(address)
#define sram_write(address, v0) __me_sram_write_1(v0, address)
#define sram_write2(address, v0, v1) __me_sram_write_2(v0, v1, address)
#define sram_write3(address, v0, v1, v2) __me_sram_write_3(v0, v1, v2, address)
#define sram_write4(address, v0, v1, v2, v3) __me_sram_write_4(v0, v1, v2, v3, address)
#define sram_write5(address, v0, v1, v2, v3, v4) __me_sram_write_5(v0, v1, v2, v3, v4, address)
#define sram_write6(address, v0, v1, v2, v3, v4, v5) \
  __me_sram_write_6(v0, v1, v2, v3, v4, v5, address)
#define sram_write7(address, v0, v1, v2, v3, v4, v5, v6) \
  __me_sram_write_7(v0, v1, v2, v3, v4, v5, v6, address)
#define sram_write8(address, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_sram_write_8(v0, v1, v2, v3, v4, v5, v6, v7, address)

// Read and lock the longword's address (waits while another thread holds the lock); write and
// unlock; unlock. 1 instruction; the first two block (event sram), unlock does not.
__ME u32 __me_sram_read_lock_1(const __sram void* address);
__ME void __me_sram_write_unlock_1(u32, __sram void* address);
__ME void __me_sram_unlock(__sram void* address);
#define sram_read_lock(address) __me_sram_read_lock_1(address)
#define sram_write_unlock(address, value) __me_sram_write_unlock_1(value, address)
#define sram_unlock(address) __me_sram_unlock(address)

// Free lists 0-7 (the list is a constant). pop: address of a block, 0 if the list is empty. 1
// instruction, blocks (sram).
__ME u32 __me_sram_pop(u32 list);
__ME void __me_sram_push(__sram void* block, u32 list);
#define sram_pop(list) __me_sram_pop(list)
#define sram_push(list, block) __me_sram_push((__sram void*)(block), list)

// Atomic bit operations; the test_and forms return the longword as it was. 1 instruction, blocks
// (sram).
__ME void __me_sram_set_bits(u32 mask, __sram void* address);
__ME void __me_sram_clear_bits(u32 mask, __sram void* address);
__ME u32 __me_sram_test_and_set_bits(u32 mask, __sram void* address);
__ME u32 __me_sram_test_and_clear_bits(u32 mask, __sram void* address);
__ME u32 __me_sram_compare_and_swap(u32 expected, u32 value, __sram void* address);
#define sram_set_bits(address, mask) __me_sram_set_bits(mask, address)
#define sram_clear_bits(address, mask) __me_sram_clear_bits(mask, address)
#define sram_test_and_set(address, mask) __me_sram_test_and_set_bits(mask, address)
#define sram_test_and_clear(address, mask) __me_sram_test_and_clear_bits(mask, address)
// Writes `value` if the longword is `expected`; returns the longword as it was. On chips that have
// a cache before SRAM.
#define sram_compare_and_swap(address, expected, value) \
  __me_sram_compare_and_swap(expected, value, address)

// Scratch

// As for SRAM; the event is fbi.
__ME u32 __me_scratch_read_1(const __scratch void* address);
__ME u32x2 __me_scratch_read_2(const __scratch void* address);
__ME u32x3 __me_scratch_read_3(const __scratch void* address);
__ME u32x4 __me_scratch_read_4(const __scratch void* address);
__ME u32x5 __me_scratch_read_5(const __scratch void* address);
__ME u32x6 __me_scratch_read_6(const __scratch void* address);
__ME u32x7 __me_scratch_read_7(const __scratch void* address);
__ME u32x8 __me_scratch_read_8(const __scratch void* address);
__ME void __me_scratch_write_1(u32, __scratch void* address);
__ME void __me_scratch_write_2(u32, u32, __scratch void* address);
__ME void __me_scratch_write_3(u32, u32, u32, __scratch void* address);
__ME void __me_scratch_write_4(u32, u32, u32, u32, __scratch void* address);
__ME void __me_scratch_write_5(u32, u32, u32, u32, u32, __scratch void* address);
__ME void __me_scratch_write_6(u32, u32, u32, u32, u32, u32, __scratch void* address);
__ME void __me_scratch_write_7(u32, u32, u32, u32, u32, u32, u32, __scratch void* address);
__ME void __me_scratch_write_8(u32, u32, u32, u32, u32, u32, u32, u32, __scratch void* address);
__ME void __me_scratch_incr(__scratch void* address);
__ME void __me_scratch_set_bits(u32 mask, __scratch void* address);
__ME void __me_scratch_clear_bits(u32 mask, __scratch void* address);
__ME u32 __me_scratch_test_and_set_bits(u32 mask, __scratch void* address);
__ME u32 __me_scratch_test_and_clear_bits(u32 mask, __scratch void* address);
#define scratch_read(address) __me_scratch_read_1(address)
#define scratch_read2(address) __me_scratch_read_2(address)
#define scratch_read3(address) __me_scratch_read_3(address)
#define scratch_read4(address) __me_scratch_read_4(address)
#define scratch_read5(address) __me_scratch_read_5(address)
#define scratch_read6(address) __me_scratch_read_6(address)
#define scratch_read7(address) __me_scratch_read_7(address)
#define scratch_read8(address) __me_scratch_read_8(address)
#define scratch_write(address, v0) __me_scratch_write_1(v0, address)
#define scratch_write2(address, v0, v1) __me_scratch_write_2(v0, v1, address)
#define scratch_write3(address, v0, v1, v2) __me_scratch_write_3(v0, v1, v2, address)
#define scratch_write4(address, v0, v1, v2, v3) __me_scratch_write_4(v0, v1, v2, v3, address)
#define scratch_write5(address, v0, v1, v2, v3, v4) \
  __me_scratch_write_5(v0, v1, v2, v3, v4, address)
#define scratch_write6(address, v0, v1, v2, v3, v4, v5) \
  __me_scratch_write_6(v0, v1, v2, v3, v4, v5, address)
#define scratch_write7(address, v0, v1, v2, v3, v4, v5, v6) \
  __me_scratch_write_7(v0, v1, v2, v3, v4, v5, v6, address)
#define scratch_write8(address, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_scratch_write_8(v0, v1, v2, v3, v4, v5, v6, v7, address)
// Adds one, atomically. 1 instruction, blocks (fbi).
#define scratch_incr(address) __me_scratch_incr(address)
#define scratch_set_bits(address, mask) __me_scratch_set_bits(mask, address)
#define scratch_clear_bits(address, mask) __me_scratch_clear_bits(mask, address)
#define scratch_test_and_set(address, mask) __me_scratch_test_and_set_bits(mask, address)
#define scratch_test_and_clear(address, mask) __me_scratch_test_and_clear_bits(mask, address)

// SDRAM

// Bursts of 1, 2, 4 quadwords at addresses that are multiples of 8; element 0 is the first
// longword. 1 instruction, blocks (event sdram).
__ME u32x2 __me_sdram_read_1(const __sdram void* address);
__ME u32x4 __me_sdram_read_2(const __sdram void* address);
__ME u32x8 __me_sdram_read_4(const __sdram void* address);
__ME void __me_sdram_write_1(u32, u32, __sdram void* address);
__ME void __me_sdram_write_2(u32, u32, u32, u32, __sdram void* address);
__ME void __me_sdram_write_4(u32, u32, u32, u32, u32, u32, u32, u32, __sdram void* address);
#define sdram_read1(address) __me_sdram_read_1(address)
#define sdram_read2(address) __me_sdram_read_2(address)
#define sdram_read4(address) __me_sdram_read_4(address)
#define sdram_write1(address, v0, v1) __me_sdram_write_1(v0, v1, address)
#define sdram_write2(address, v0, v1, v2, v3) __me_sdram_write_2(v0, v1, v2, v3, address)
#define sdram_write4(address, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_sdram_write_4(v0, v1, v2, v3, v4, v5, v6, v7, address)

// References that do not block

// NAME_start issues the reference and goes on; ctx_wait(sram) (sdram; fbi for scratch) later ends
// it:
//   u32x4 header = sram_read4_start(address);
//   ...                                          // other work, other units' references
//   ctx_wait(sram);
//   use(header[0]);
// What arrives may be used after the wait only, in which the registers from which a write departs
// stay as they are. A unit has one reference of a thread under way at a time. The compiler follows
// every way from a start to its wait: a wait that is missing, a use in front of it, another
// reference of the unit in between are errors at their lines. 1 instruction; the wait is 1 more,
// and another is aborted after it.
__ME u32 __me_sram_read_1_start(const __sram void* address);
__ME u32x2 __me_sram_read_2_start(const __sram void* address);
__ME u32x4 __me_sram_read_4_start(const __sram void* address);
__ME u32x8 __me_sram_read_8_start(const __sram void* address);
__ME void __me_sram_write_1_start(u32, __sram void* address);
__ME void __me_sram_write_2_start(u32, u32, __sram void* address);
__ME void __me_sram_write_4_start(u32, u32, u32, u32, __sram void* address);
__ME void __me_sram_write_8_start(u32, u32, u32, u32, u32, u32, u32, u32, __sram void* address);
__ME u32 __me_scratch_read_1_start(const __scratch void* address);
__ME u32x2 __me_scratch_read_2_start(const __scratch void* address);
__ME u32x4 __me_scratch_read_4_start(const __scratch void* address);
__ME u32x8 __me_scratch_read_8_start(const __scratch void* address);
__ME void __me_scratch_write_1_start(u32, __scratch void* address);
__ME void __me_scratch_write_2_start(u32, u32, __scratch void* address);
__ME void __me_scratch_write_4_start(u32, u32, u32, u32, __scratch void* address);
__ME void __me_scratch_write_8_start(u32, u32, u32, u32, u32, u32, u32, u32,
                                     __scratch void* address);
__ME u32x2 __me_sdram_read_1_start(const __sdram void* address);
__ME u32x4 __me_sdram_read_2_start(const __sdram void* address);
__ME u32x8 __me_sdram_read_4_start(const __sdram void* address);
__ME void __me_sdram_write_1_start(u32, u32, __sdram void* address);
__ME void __me_sdram_write_2_start(u32, u32, u32, u32, __sdram void* address);
__ME void __me_sdram_write_4_start(u32, u32, u32, u32, u32, u32, u32, u32, __sdram void* address);
#define sram_read_start(address) __me_sram_read_1_start(address)
#define sram_read2_start(address) __me_sram_read_2_start(address)
#define sram_read4_start(address) __me_sram_read_4_start(address)
#define sram_read8_start(address) __me_sram_read_8_start(address)
#define sram_write_start(address, v0) __me_sram_write_1_start(v0, address)
#define sram_write2_start(address, v0, v1) __me_sram_write_2_start(v0, v1, address)
#define sram_write4_start(address, v0, v1, v2, v3) __me_sram_write_4_start(v0, v1, v2, v3, address)
#define sram_write8_start(address, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_sram_write_8_start(v0, v1, v2, v3, v4, v5, v6, v7, address)
#define scratch_read_start(address) __me_scratch_read_1_start(address)
#define scratch_read2_start(address) __me_scratch_read_2_start(address)
#define scratch_read4_start(address) __me_scratch_read_4_start(address)
#define scratch_read8_start(address) __me_scratch_read_8_start(address)
#define scratch_write_start(address, v0) __me_scratch_write_1_start(v0, address)
#define scratch_write2_start(address, v0, v1) __me_scratch_write_2_start(v0, v1, address)
#define scratch_write4_start(address, v0, v1, v2, v3) \
  __me_scratch_write_4_start(v0, v1, v2, v3, address)
#define scratch_write8_start(address, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_scratch_write_8_start(v0, v1, v2, v3, v4, v5, v6, v7, address)
#define sdram_read1_start(address) __me_sdram_read_1_start(address)
#define sdram_read2_start(address) __me_sdram_read_2_start(address)
#define sdram_read4_start(address) __me_sdram_read_4_start(address)
#define sdram_write1_start(address, v0, v1) __me_sdram_write_1_start(v0, v1, address)
#define sdram_write2_start(address, v0, v1, v2, v3) \
  __me_sdram_write_2_start(v0, v1, v2, v3, address)
#define sdram_write4_start(address, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_sdram_write_4_start(v0, v1, v2, v3, v4, v5, v6, v7, address)

// Receive and transmit FIFOs, registers behind the FBI

// Between SDRAM and a FIFO, 1-8 quadwords (a constant). fifo: byte address, 64 x element. 1
// instruction, blocks (sdram). The _start forms do not block: they signal the sdram event, which
// ctx_wait(sdram) then waits for; one at a time.
__ME void __me_sdram_r_fifo_read(__sdram void* address, u32 fifo, u32 quadwords, u32 tokens);
__ME void __me_sdram_t_fifo_write(const __sdram void* address, u32 fifo, u32 quadwords, u32 tokens);
#define sdram_r_fifo_read(address, fifo, quadwords) \
  __me_sdram_r_fifo_read((__sdram void*)(address), fifo, quadwords, __token_ctx_swap)
#define sdram_r_fifo_read_start(address, fifo, quadwords) \
  __me_sdram_r_fifo_read((__sdram void*)(address), fifo, quadwords, __token_sig_done)
#define sdram_t_fifo_write(fifo, address, quadwords) \
  __me_sdram_t_fifo_write((const __sdram void*)(address), fifo, quadwords, __token_ctx_swap)
#define sdram_t_fifo_write_start(fifo, address, quadwords) \
  __me_sdram_t_fifo_write((const __sdram void*)(address), fifo, quadwords, __token_sig_done)

// Between the FIFOs and transfer registers, in longwords; addresses in bytes. A transmit element's
// control longword is at 1024 + 4 x element. 1 instruction, blocks (event fbi).
__ME u32 __me_r_fifo_read_1(u32 fifo);
__ME u32x2 __me_r_fifo_read_2(u32 fifo);
__ME u32x4 __me_r_fifo_read_4(u32 fifo);
__ME u32x8 __me_r_fifo_read_8(u32 fifo);
__ME void __me_t_fifo_write_1(u32, u32 fifo);
__ME void __me_t_fifo_write_2(u32, u32, u32 fifo);
__ME void __me_t_fifo_write_4(u32, u32, u32, u32, u32 fifo);
__ME void __me_t_fifo_write_8(u32, u32, u32, u32, u32, u32, u32, u32, u32 fifo);
#define r_fifo_read(fifo) __me_r_fifo_read_1(fifo)
#define r_fifo_read2(fifo) __me_r_fifo_read_2(fifo)
#define r_fifo_read4(fifo) __me_r_fifo_read_4(fifo)
#define r_fifo_read8(fifo) __me_r_fifo_read_8(fifo)
#define t_fifo_write(fifo, v0) __me_t_fifo_write_1(v0, fifo)
#define t_fifo_write2(fifo, v0, v1) __me_t_fifo_write_2(v0, v1, fifo)
#define t_fifo_write4(fifo, v0, v1, v2, v3) __me_t_fifo_write_4(v0, v1, v2, v3, fifo)
#define t_fifo_write8(fifo, v0, v1, v2, v3, v4, v5, v6, v7) \
  __me_t_fifo_write_8(v0, v1, v2, v3, v4, v5, v6, v7, fifo)

// Registers behind the FBI by name: csr_read(rcv_cntl). read, write: 1 instruction, blocks (fbi).
// fast_wr does not complete: the value is on its way; 1 instruction. fast_wr_constant takes a
// constant below 1024.
__ME u32 __me_csr_read(u32 csr);
__ME void __me_csr_write(u32 value, u32 csr);
__ME void __me_fast_write(u32 value, u32 csr);
__ME void __me_fast_write_immediate(u32 value, u32 csr);
#define csr_read(name) __me_csr_read(__csr_##name)
#define csr_write(name, value) __me_csr_write(value, __csr_##name)
#define fast_wr(name, value) __me_fast_write(value, __csr_##name)
#define fast_wr_constant(name, value) __me_fast_write_immediate(value, __csr_##name)
// Sets the inter_thread event of a thread (engine x 4 + context). 1 instruction, does not block.
#define signal_thread(thread) fast_wr(inter_thd_sig, thread)

// Hash of a key of 48 or 64 bits: element 0 the more significant longword. 1 instruction, blocks
// (fbi).
__ME u32x2 __me_hash_48(u32 high, u32 low);
__ME u32x2 __me_hash_64(u32 high, u32 low);
#define hash_48(high, low) __me_hash_48(high, low)
#define hash_64(high, low) __me_hash_64(high, low)

// Annotations: marks for the simulator, without an instruction or a cycle of their own

__ME void __me_annotate(u32 kind);
__ME void __me_annotate_1(u32 kind, u32 first);
__ME void __me_annotate_2(u32 kind, u32 first, u32 second);
// frame: SDRAM address where the frame's first byte lies. rule: index, or 0xffffffff for no match.
#define packet_verdict(frame, rule) __me_annotate_2(__annotation_packet_verdict, (u32)(frame), rule)
#define packet_drop(frame, reason) __me_annotate_2(__annotation_packet_drop, (u32)(frame), reason)
#define packet_forward(frame, port) __me_annotate_2(__annotation_packet_forward, (u32)(frame), port)
// The verdict on the frame comes from a flow cache.
#define packet_cached(frame) __me_annotate_1(__annotation_packet_cached, (u32)(frame))
// The verdict on the thread's packet comes from a cache of mega flows.
#define mega_flow_hit() __me_annotate(__annotation_mega_flow_hit)
#define console_hex(value) __me_annotate_1(__annotation_console_hex, value)
#define console_char(character) __me_annotate_1(__annotation_console_char, (u32)(character))
// Instructions from one of these to poll_end wait: for work, or for room. They may nest; poll_end
// ends the innermost. Reports show them apart.
#define poll_begin() __me_annotate(__annotation_poll_begin)
#define blocked_begin() __me_annotate(__annotation_blocked_begin)
// Of a function: its instructions wait, wherever it is inlined. Unlike the marks above, this never
// changes the code.
#define __waits_for_work __attribute__((annotate("microengine.wait.1")))
#define __waits_for_room __attribute__((annotate("microengine.wait.2")))
#define __waits_for_lock __attribute__((annotate("microengine.wait.3")))
#define poll_end() __me_annotate(__annotation_poll_end)
// An entry of a queue is written, taken, or free again at the end of its packet. place: any byte
// address in its ring; queue: the number of the queue, a constant below 256.
#define queue_entry_put(place, queue) __me_annotate_2(__annotation_queue_entry_put, place, queue)
#define queue_entry_taken(place, queue) \
  __me_annotate_2(__annotation_queue_entry_taken, place, queue)
#define queue_entry_freed(place, queue) \
  __me_annotate_2(__annotation_queue_entry_freed, place, queue)
// The program gives up: the run ends with a failure. 1 instruction.
#define abort() (__me_annotate(__annotation_abort), kill_thread())
