// What bv.s does, of the algorithm's own C.
#define DIMENSIONS 3
#define RULES 128
#define PARAM_FIND_BSET 0
#define SPACE_VECTORS __sdram
#include "microengine.h"
struct intersect_reads {
  u32 vector[3];
};
struct intersect_writes {
  u32 rule;
};
#include "intersect.c"

int main(void) {
  struct intersect_reads reads = {{0x1000 + 8 * ctx(), 0x2000 + 8 * ctx(), 0x3000 + 8 * ctx()}};
  u32 sum = 0;
  for (u32 round = ROUNDS; round; round--) {
    struct intersect_writes writes;
    __asm__ volatile("" : : : "memory");  // every round anew
    intersect(&reads, &writes);
    sum += writes.rule;
  }
  return sum;
}
