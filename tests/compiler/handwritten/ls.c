// What ls.s does, of the algorithm's own C.
#define DIMENSIONS 3
#define PARAM_ACCESS_LONGWORDS 1
#define PARAM_WHOLE_RECORD WHOLE
#define PARAM_LIST_CELLS 0
#define SPACE_RULES __sram
#define TABLE_RULES 0x200000u
#include "microengine.h"
struct search_reads {
  u32 field[3];
};
struct search_writes {
  u32 rule;
  u32 action;
};
#include "search.c"

int main(void) {
  struct search_reads reads = {{5 + ctx(), 6 + ctx(), 7 + ctx()}};
  u32 sum = 0;
  for (u32 round = ROUNDS; round; round--) {
    struct search_writes writes;
    __asm__ volatile("" : : : "memory");  // every round anew
    search(&reads, &writes);
    sum += writes.rule;
  }
  return sum;
}
