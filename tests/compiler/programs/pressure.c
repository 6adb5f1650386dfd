#include "program.h"
static u32 seed = 12345;
static u32 next(void) {
  seed = seed * 1103515245u + 12345u;
  return seed;
}
int main(void) {
  u32 a = next(), b = next(), c = next(), d = next(), e = next(), f = next(), g = next(),
      h = next(), i = next(), j = next(), k = next(), l = next();
  u32 m = next(), n = next(), o = next(), p = next(), q = next(), r = next(), s = next(),
      t = next(), u = next(), v = next(), w = next(), x = next();
  u32 a2 = next(), b2 = next(), c2 = next(), d2 = next(), e2 = next(), f2 = next(), g2 = next(),
      h2 = next(), i2 = next(), j2 = next(), k2 = next(), l2 = next();
  for (int round = 0; round < 4; round++) {
    a += b ^ l2;
    b += c & k2;
    c ^= d + j2;
    d += e | i2;
    e ^= f - h2;
    f += g ^ g2;
    g -= h & f2;
    h ^= i + e2;
    i += j ^ d2;
    j -= k | c2;
    k ^= l + b2;
    l += m ^ a2;
    m += n ^ x;
    n ^= o + w;
    o += p & v;
    p -= q ^ u;
    q += r | t;
    r ^= s;
    s += t;
    t ^= u;
    u += v;
    v ^= w;
    w += x;
    x ^= a;
    a2 += b;
    b2 ^= c;
    c2 += d;
    d2 ^= e;
    e2 += f;
    f2 ^= g;
    g2 += h;
    h2 ^= i;
    i2 += j;
    j2 ^= k;
    k2 += l;
    l2 ^= m;
  }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p ^ q ^ r ^ s ^ t ^ u ^ v ^ w ^
         x ^ a2 ^ b2 ^ c2 ^ d2 ^ e2 ^ f2 ^ g2 ^ h2 ^ i2 ^ j2 ^ k2 ^ l2;
}
