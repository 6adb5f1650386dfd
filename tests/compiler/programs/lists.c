#include "program.h"
struct node {
  u32 key;
  __sram struct node *left, *right;
};
static __sram struct node nodes[20];
int main(void) {
  u32 x = 7, used = 0, sum = 0;
  __sram struct node* root = 0;
  for (int i = 0; i < 20; i++) {
    x = x * 75 + 74;
    u32 key = x >> 3 & 255;
    __sram struct node* n = &nodes[used++];
    n->key = key;
    n->left = n->right = 0;
    if (!root) {
      root = n;
      continue;
    }
    __sram struct node* p = root;
    for (;;) {
      if (key < p->key) {
        if (!p->left) {
          p->left = n;
          break;
        }
        p = p->left;
      } else {
        if (!p->right) {
          p->right = n;
          break;
        }
        p = p->right;
      }
    }
  }
  for (u32 key = 0; key < 256; key += 5) {
    u32 depth = 0;
    __sram struct node* p = root;
    while (p && p->key != key) {
      p = key < p->key ? p->left : p->right;
      depth++;
    }
    sum = mix(sum, depth + (p ? 100 : 0));
  }
  return sum;
}
