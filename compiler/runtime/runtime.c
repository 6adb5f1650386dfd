// Arithmetic that the microengine has no instruction for. Compiled with every program;
// transforms/ExpandArithmetic.cpp turns C's operators into calls, which are inlined. unsigned and
// int have 32 bits, long long 64.
#define ROUTINE static __attribute__((used))

ROUTINE unsigned __me_rt_multiply(unsigned a, unsigned b) {
  unsigned product = 0;
  for (; b; b >>= 1, a <<= 1)
    if (b & 1)
      product += a;
  return product;
}

ROUTINE unsigned long long __me_rt_multiply64(unsigned long long a, unsigned long long b) {
  unsigned long long product = 0;
  for (; b; b >>= 1, a <<= 1)
    if (b & 1)
      product += a;
  return product;
}

// The upper half of the product of 128 bits.
ROUTINE unsigned long long __me_rt_multiply_high64(unsigned long long a, unsigned long long b) {
  unsigned long long high = 0;
  for (unsigned round = 0; round != 64; ++round) {
    unsigned long long carry = 0;
    if (b & 1) {
      high += a;
      carry = high < a;
    }
    high = high >> 1 | carry << 63;
    b >>= 1;
  }
  return high;
}

ROUTINE long long __me_rt_multiply_high_signed64(long long a, long long b) {
  unsigned long long high = __me_rt_multiply_high64(a, b);
  return high - (a < 0 ? b : 0) - (b < 0 ? a : 0);
}

// Restoring division, one bit a round. Division by zero gives quotient all ones, remainder the
// dividend.
ROUTINE unsigned __me_rt_divide(unsigned a, unsigned b) {
  unsigned remainder = 0;
  for (unsigned round = 0; round != 32; ++round) {
    unsigned out = remainder >> 31;
    remainder = remainder << 1 | a >> 31;
    a <<= 1;
    if (out || remainder >= b) {
      remainder -= b;
      a |= 1;
    }
  }
  return a;
}

ROUTINE unsigned __me_rt_modulo(unsigned a, unsigned b) {
  unsigned remainder = 0;
  for (unsigned round = 0; round != 32; ++round) {
    unsigned out = remainder >> 31;
    remainder = remainder << 1 | a >> 31;
    a <<= 1;
    if (out || remainder >= b)
      remainder -= b;
  }
  return remainder;
}

ROUTINE int __me_rt_divide_signed(int a, int b) {
  unsigned quotient = __me_rt_divide(a < 0 ? -(unsigned)a : a, b < 0 ? -(unsigned)b : b);
  return (a ^ b) < 0 ? -quotient : quotient;
}

ROUTINE int __me_rt_modulo_signed(int a, int b) {
  unsigned remainder = __me_rt_modulo(a < 0 ? -(unsigned)a : a, b < 0 ? -(unsigned)b : b);
  return a < 0 ? -remainder : remainder;
}

ROUTINE unsigned long long __me_rt_divide64(unsigned long long a, unsigned long long b) {
  unsigned long long remainder = 0;
  for (unsigned round = 0; round != 64; ++round) {
    unsigned out = remainder >> 63;
    remainder = remainder << 1 | a >> 63;
    a <<= 1;
    if (out || remainder >= b) {
      remainder -= b;
      a |= 1;
    }
  }
  return a;
}

ROUTINE unsigned long long __me_rt_modulo64(unsigned long long a, unsigned long long b) {
  unsigned long long remainder = 0;
  for (unsigned round = 0; round != 64; ++round) {
    unsigned out = remainder >> 63;
    remainder = remainder << 1 | a >> 63;
    a <<= 1;
    if (out || remainder >= b)
      remainder -= b;
  }
  return remainder;
}

ROUTINE long long __me_rt_divide_signed64(long long a, long long b) {
  unsigned long long quotient =
      __me_rt_divide64(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b);
  return (a ^ b) < 0 ? -quotient : quotient;
}

ROUTINE long long __me_rt_modulo_signed64(long long a, long long b) {
  unsigned long long remainder =
      __me_rt_modulo64(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b);
  return a < 0 ? -remainder : remainder;
}
