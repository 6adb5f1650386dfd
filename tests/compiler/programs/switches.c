// Switches large enough for jump tables: dense, with gaps, from a negative number on, of 64 bits,
// inside loops, with cases that share code and fall through.
#include "program.h"
static u32 dense(u32 which, u32 a) {
  switch (which & 15) {
    case 0: return a + 1;
    case 1: return a << 3;
    case 2: return a ^ 0x55;
    case 3: return a >> 7;
    case 4: return a * 2 + 7;
    case 5: return ~a;
    case 6: return a & 0xff00;
    case 7: return a | 0x80;
    case 8: return a - 100;
    case 9: return a ^ a >> 1;
    case 10: return a << 8 | a >> 24;
    case 11: return a + (a << 2);
    case 12: return a & 31;
    case 13: return a >> 16;
    case 14: return 0 - a;
    default: return a ^ 0xffff;
  }
}
static u32 signed_with_gaps(int which, u32 a) {
  switch (which) {
    case -5: return a + 3;
    case -4: a ^= 9; /* falls through */
    case -3: return a * 5;
    case -1: return a >> 1;
    case 0: return a - 8;
    case 2:
    case 3: return a << 1;
    case 4: return a | 1;
    case 6: return a & ~3u;
    case 7: return a + 70;
    case 2147483647: return 1;
    case -2147483647 - 1: return 2;
    default: return a ^ 0x1234;
  }
}
static u32 quadword(u64 which) {
  switch (which) {
    case 0x100000000: return 3;
    case 0x100000001: return 1;
    case 0x100000002: return 4;
    case 0x100000003: return 15;
    case 0x100000004: return 92;
    case 0x100000005: return 65;
    case 0x100000006: return 35;
    case 0x100000007: return 89;
    case 1: return 79;
    default: return 0;
  }
}
// A machine with states: the switch is left by `continue`, `break` and `goto`.
static u32 machine(u32 input) {
  u32 state = 0, steps = 0, sum = 0;
  while (steps++ < 60) {
    switch (state) {
      case 0: state = input & 1 ? 3 : 1; break;
      case 1:
        sum += 2;
        state = 5;
        continue;
      case 2:
        sum ^= 7;
        state = input & 2 ? 0 : 6;
        break;
      case 3: state = 4; /* falls through */
      case 4:
        sum = mix(sum, state);
        state = 2;
        break;
      case 5:
        sum <<= 1;
        state = 3;
        break;
      case 6:
        if (sum & 1)
          goto out;
        state = 7;
        break;
      case 7:
        sum |= 1;
        state = 6;
        continue;
      default: return 99;
    }
    input = input >> 2 | input << 30;
  }
out:
  return mix(sum, steps);
}
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 40; i++)
    sum = mix(sum, dense(i, sum + i));
  for (int i = -12; i < 14; i++)
    sum = mix(sum, signed_with_gaps(i, sum));
  sum = mix(sum, signed_with_gaps(2147483647, sum));
  sum = mix(sum, signed_with_gaps(-2147483647 - 1, sum));
  for (u64 i = 0; i < 10; i++)
    sum = mix(mix(sum, quadword(i)), quadword(i + 0x0fffffffe));
  for (u32 i = 0; i < 8; i++)
    sum = mix(sum, machine(sum + i));
  return sum;
}
