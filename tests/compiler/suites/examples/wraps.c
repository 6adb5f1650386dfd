/* { dg-additional-options "-fwrapv" } */
__attribute__((noinline)) static int above(int x) {
  return x + 1 > x;
}
int main(void) {
  volatile int largest = 0x7fffffff;
  return above(largest);
}
