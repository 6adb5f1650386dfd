#include "microengine.h"

int main(void) {
  console_hex(ctx());
  return 0;
}
