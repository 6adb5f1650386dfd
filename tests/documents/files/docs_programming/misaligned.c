#include "microengine.h"
int main(void) {
  return sram_read((__sram u32*)3);
}
