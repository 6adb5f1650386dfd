// Locks of rings besides those of queue.h, as multiprocessors have them: mutex, condition variable,
// compare-and-swap, ticket, MCS. All but compare-and-swap lie apart from the count that they
// protect, in an area after the ring's entries: a lock for each side (LOCK_SIDE bytes), then a node
// for each thread of the chip. What one thread writes and others look at has a line of its own.
#pragma once

#include "microengine.h"
#include "unprinted_work.h"

#define LOCK_LINE 64  // bytes that caches hold and take from one another at a time
#define LOCK_SIDE 128
#define LOCK_SERVED 64   // of a side: the ticket that is served
#define LOCK_WAITERS 64  // of a side: for each context a longword with a bit for each engine
#define LOCK_HELD 1

// A node of MCS: the next thread's, and whether this one waits.
#define NODE_NEXT 0
#define NODE_WAITS 4
#define LOCK_NODE(nodes) ((nodes) + LOCK_LINE * thread_number())

// Compare-and-swap: looks at the count until nobody has it, then marks it as taken in one step.
// Those who look disturb nobody: the line stays in their caches until it changes.
static inline __waits_for_lock u32 take_swap_sram(u32 count) {
  for (;;) {
    const u32 seen = sram_read((__sram void*)count);
    if (!(seen & LOCK_HELD) &&
        sram_compare_and_swap((__sram void*)count, seen, seen | LOCK_HELD) == seen)
      return seen;
    ctx_swap_voluntary();
  }
}
#define give_swap_sram(count, value) sram_write((__sram void*)(count), value)

// A mutex that is tried again and again, each time by a call that spends `call` instructions.
static inline __waits_for_lock u32 take_mutex_sram(u32 lock, u32 count, const u32 call) {
  for (;;) {
    spend(call);
    if (!sram_test_and_set((__sram void*)lock, LOCK_HELD))
      return sram_read((__sram void*)count);
    ctx_swap_voluntary();
  }
}
static inline void give_mutex_sram(u32 lock, u32 count, u32 value, const u32 call) {
  sram_write((__sram void*)count, value);
  spend(call);
  sram_write((__sram void*)lock, 0);
}
static inline __waits_for_lock u32 take_mutex_scratch(u32 lock, u32 count, const u32 call) {
  for (;;) {
    spend(call);
    if (!scratch_test_and_set((__scratch void*)lock, LOCK_HELD))
      return scratch_read((__scratch void*)count);
    ctx_swap_voluntary();
  }
}
static inline void give_mutex_scratch(u32 lock, u32 count, u32 value, const u32 call) {
  scratch_write((__scratch void*)count, value);
  spend(call);
  scratch_write((__scratch void*)lock, 0);
}

// A condition variable: a thread that finds the lock taken says that it waits, looks once more and
// sleeps; who gives the lock back wakes one of those that wait. Both spend `slow` instructions in
// the kernel. A signal may come late, to a thread that has the lock already or waits for another.
// A thread that wakes therefore leaves the list of those that wait, and looks again: as long as it
// is listed and awake, it could take the wake-up of one that sleeps. No wake-up is lost: a thread
// that sleeps has listed itself before it saw the lock taken, and the thread that holds the lock
// looks for sleepers after giving it back.
#if NPLAB_THREAD_BITS == 3
#define WAITERS u32x8
#define READ_WAITERS(memory, lock) memory##_read8((__##memory void*)((lock) + LOCK_WAITERS))
#define FIRST_CONTEXT(w) \
  (w[0] ? 0 : w[1] ? 1 : w[2] ? 2 : w[3] ? 3 : w[4] ? 4 : w[5] ? 5 : w[6] ? 6 : 7)
#define FIRST_WAITING(w) \
  (w[0]   ? w[0]         \
   : w[1] ? w[1]         \
   : w[2] ? w[2]         \
   : w[3] ? w[3]         \
   : w[4] ? w[4]         \
   : w[5] ? w[5]         \
   : w[6] ? w[6]         \
          : w[7])
#else
#define WAITERS u32x4
#define READ_WAITERS(memory, lock) memory##_read4((__##memory void*)((lock) + LOCK_WAITERS))
#define FIRST_CONTEXT(w) (w[0] ? 0 : w[1] ? 1 : w[2] ? 2 : 3)
#define FIRST_WAITING(w) (w[0] ? w[0] : w[1] ? w[1] : w[2] ? w[2] : w[3])
#endif
#define WAITERS_OF(lock, context) ((lock) + LOCK_WAITERS + 4 * (context))

// Of a longword with one bit set.
static inline u32 number_of_bit(u32 one) {
  return (one & 0xffff ? find_bset(one) : find_bset(one >> 16) + 16) & 31;
}

static inline __waits_for_lock u32 take_condition_sram(u32 lock, u32 count, const u32 call,
                                                       const u32 slow) {
  spend(call);
  while (sram_test_and_set((__sram void*)lock, LOCK_HELD)) {
    sram_set_bits((__sram void*)WAITERS_OF(lock, ctx()), 1u << engine());
    if (!sram_test_and_set((__sram void*)lock, LOCK_HELD)) {
      sram_clear_bits((__sram void*)WAITERS_OF(lock, ctx()), 1u << engine());
      break;
    }
    spend(slow);
    ctx_wait(inter_thread);
    sram_clear_bits((__sram void*)WAITERS_OF(lock, ctx()), 1u << engine());
  }
  return sram_read((__sram void*)count);
}
static inline void give_condition_sram(u32 lock, u32 count, u32 value, const u32 call,
                                       const u32 slow) {
  sram_write((__sram void*)count, value);
  spend(call);
  sram_write((__sram void*)lock, 0);
  const WAITERS waiters = READ_WAITERS(sram, lock);
  const u32 waiting = FIRST_WAITING(waiters);
  const u32 context = FIRST_CONTEXT(waiters);
  if (!waiting)
    return;
  const u32 one = waiting & (0 - waiting);
  if (!(sram_test_and_clear((__sram void*)WAITERS_OF(lock, context), one) & one))
    return;  // it has the lock meanwhile, or another woke it
  spend(slow);
  signal_thread(number_of_bit(one) << NPLAB_THREAD_BITS | context);
}
static inline __waits_for_lock u32 take_condition_scratch(u32 lock, u32 count, const u32 call,
                                                          const u32 slow) {
  spend(call);
  while (scratch_test_and_set((__scratch void*)lock, LOCK_HELD)) {
    scratch_set_bits((__scratch void*)WAITERS_OF(lock, ctx()), 1u << engine());
    if (!scratch_test_and_set((__scratch void*)lock, LOCK_HELD)) {
      scratch_clear_bits((__scratch void*)WAITERS_OF(lock, ctx()), 1u << engine());
      break;
    }
    spend(slow);
    ctx_wait(inter_thread);
    scratch_clear_bits((__scratch void*)WAITERS_OF(lock, ctx()), 1u << engine());
  }
  return scratch_read((__scratch void*)count);
}
static inline void give_condition_scratch(u32 lock, u32 count, u32 value, const u32 call,
                                          const u32 slow) {
  scratch_write((__scratch void*)count, value);
  spend(call);
  scratch_write((__scratch void*)lock, 0);
  const WAITERS waiters = READ_WAITERS(scratch, lock);
  const u32 waiting = FIRST_WAITING(waiters);
  const u32 context = FIRST_CONTEXT(waiters);
  if (!waiting)
    return;
  const u32 one = waiting & (0 - waiting);
  if (!(scratch_test_and_clear((__scratch void*)WAITERS_OF(lock, context), one) & one))
    return;
  spend(slow);
  signal_thread(number_of_bit(one) << NPLAB_THREAD_BITS | context);
}

// Tickets: served in the order of their numbers. Those who wait look at one longword, which changes
// once for each turn.
static inline __waits_for_lock u32 take_ticket_sram(u32 lock, u32 count) {
  u32 ticket;
  for (;;) {
    ticket = sram_read((__sram void*)lock);
    if (sram_compare_and_swap((__sram void*)lock, ticket, ticket + 1) == ticket)
      break;
    ctx_swap_voluntary();
  }
  while (sram_read((__sram void*)(lock + LOCK_SERVED)) != ticket)
    ctx_swap_voluntary();
  return sram_read((__sram void*)count);
}
static inline void give_ticket_sram(u32 lock, u32 count, u32 value) {
  sram_write((__sram void*)count, value);
  sram_write((__sram void*)(lock + LOCK_SERVED), sram_read((__sram void*)(lock + LOCK_SERVED)) + 1);
}

// Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors", ACM TOCS 9(1), 1991: those who wait form a list, and each looks at a longword
// of its own. Their fetch-and-store is a loop of compare-and-swap here.
static inline __waits_for_lock u32 take_mcs_sram(u32 lock, u32 nodes, u32 count) {
  const u32 node = LOCK_NODE(nodes);
  sram_write2((__sram void*)node, 0, 1);
  u32 before;
  for (;;) {
    before = sram_read((__sram void*)lock);
    if (sram_compare_and_swap((__sram void*)lock, before, node) == before)
      break;
    ctx_swap_voluntary();
  }
  if (before) {
    sram_write((__sram void*)(before + NODE_NEXT), node);
    while (sram_read((__sram void*)(node + NODE_WAITS)))
      ctx_swap_voluntary();
  }
  return sram_read((__sram void*)count);
}
static inline __waits_for_lock void give_mcs_sram(u32 lock, u32 nodes, u32 count, u32 value) {
  const u32 node = LOCK_NODE(nodes);
  sram_write((__sram void*)count, value);
  u32 next = sram_read((__sram void*)(node + NODE_NEXT));
  if (!next) {
    if (sram_compare_and_swap((__sram void*)lock, node, 0) == node)
      return;
    while (!(next = sram_read((__sram void*)(node + NODE_NEXT))))
      ctx_swap_voluntary();
  }
  sram_write((__sram void*)(next + NODE_WAITS), 0);
}
