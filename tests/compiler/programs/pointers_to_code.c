// Calls through pointers and jumps to computed labels: in tables, structures, arguments, results.
#include "program.h"
typedef u32 (*operation)(u32, u32);
static u32 sum_of(u32 a, u32 b) {
  return a + b;
}
static u32 difference(u32 a, u32 b) {
  return a - b;
}
static u32 both(u32 a, u32 b) {
  return a & b;
}
static u32 either(u32 a, u32 b) {
  return a | b;
}
static u32 one_of(u32 a, u32 b) {
  return a ^ b;
}
static u32 shifted(u32 a, u32 b) {
  return a << (b & 15) ^ b;
}
static u32 first(u32 a, u32 b) {
  return b ? a : 1;
}
static const operation kOperations[] = {sum_of, difference, both, either, one_of, shifted, first};

struct shape {
  u32 size;
  void (*grow)(struct shape*);
  u64 (*area)(const struct shape*, u64);
};
static void by_one(struct shape* shape) {
  shape->size++;
}
static void by_half(struct shape* shape) {
  shape->size += shape->size >> 1;
}
static u64 square(const struct shape* shape, u64 extra) {
  return (u64)shape->size * shape->size + extra;
}
static u64 line(const struct shape* shape, u64 extra) {
  return shape->size + (extra << 20);
}

static operation other_than(operation given) {
  for (u32 i = 0; i < 7; i++)
    if (kOperations[i] != given)
      return kOperations[i];
  return 0;
}
static u32 apply(operation what, u32 a, u32 b) {
  return what ? what(a, b) : 77;
}

struct pair {
  u32 low, high;
};
static struct pair swapped(struct pair given) {
  return (struct pair){given.high, given.low};
}
static struct pair summed(struct pair given) {
  return (struct pair){given.low + given.high, 1};
}

static u32 interpret(const u8* code, u32 value) {
  static const void* const labels[] = {&&increment, &&twice,  &&negate, &&skip,
                                       &&mixed,     &&repeat, &&end};
  u32 rounds = 3;
#define NEXT goto*(void*)labels[*code++]
  NEXT;
increment:
  value++;
  NEXT;
twice:
  value *= 2;
  NEXT;
negate:
  value = -value;
  NEXT;
skip:
  code++;
  NEXT;
mixed:
  value = mix(value, *code);
  NEXT;
repeat:
  if (--rounds)
    code -= 4;
  NEXT;
end:
  return value;
}
// Distances between labels, a label in a local, and one that is only compared.
static u32 distances(u32 which) {
  static const int kFrom[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  void* back = which & 4 ? &&c : &&a;
  u32 seen = 0, rounds = 0;
  goto*(&&a + kFrom[which % 3]);
a:
  seen = seen * 3 + 1;
  if (rounds++ > 3)
    return seen;
b:
  seen = seen * 3 + 2;
c:
  seen = seen * 3 + (back == &&c);
  if (rounds++ < 4)
    goto* back;
  return seen;
}

int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 21; i++) {
    operation what = kOperations[i % 7];
    sum = mix(sum, what(sum, i));
    sum = mix(sum, apply(other_than(what), i, sum));
  }
  sum = mix(sum, apply(0, 1, 2));
  struct shape shapes[2] = {{3, by_one, square}, {5, by_half, line}};
  for (u32 i = 0; i < 6; i++) {
    struct shape* shape = &shapes[i & 1];
    shape->grow(shape);
    sum = mix64(sum, shape->area(shape, i));
    if (i == 3)
      shape->area = square;
  }
  struct pair (*const change[2])(struct pair) = {swapped, summed};
  struct pair pair = {sum, 9};
  for (u32 i = 0; i < 5; i++)
    pair = change[i & 1](pair);
  sum = mix(mix(sum, pair.low), pair.high);
  const u8 code[] = {0, 1, 4, 2, 0, 5, 3, 6, 1, 6};
  sum = mix(sum, interpret(code, sum));
  for (u32 i = 0; i < 8; i++)
    sum = mix(sum, distances(i));
  return sum;
}
