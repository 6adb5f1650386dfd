#include "microengine.h"
int main(void) {
  ctx_wait(inter_thread);
  return 0;
}
