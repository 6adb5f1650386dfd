#include "program.h"
static volatile u32 sink;
static u32 put(u32 v) {
  sink = v;
  return sink;
}
int main(void) {
  u32 sum = 0;
  sum = mix(sum, put(0));
  sum = mix(sum, put(0xffff));
  sum = mix(sum, put(0x10000));
  sum = mix(sum, put(0xffff00));
  sum = mix(sum, put(0x12340000));
  sum = mix(sum, put(0x00123400));
  sum = mix(sum, put(0xffffffff));
  sum = mix(sum, put(0xfffffffe));
  sum = mix(sum, put(0xffff1234));
  sum = mix(sum, put(0x1234ffff));
  sum = mix(sum, put(0xff1234ff));
  sum = mix(sum, put(0x12345678));
  sum = mix(sum, put(0x80000000));
  sum = mix(sum, put(0x7fffffff));
  sum = mix(sum, put(0x80000001));
  return sum;
}
