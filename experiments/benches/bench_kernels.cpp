#include "experiments/benches/bench_kernels.h"

namespace nplab::experiments {
namespace {

constexpr BenchKernel kKernels[] = {
    {"checksum", R"(
u32 checksum(const MEMORY u32 *p, u32 n) {
  u32 sum = 0;
  for (; n; n--) {
    u32 word = *p++;
    sum += (word >> 16) + (word & 0xffff);
  }
  sum = (sum >> 16) + (sum & 0xffff);
  return ~(sum + (sum >> 16)) & 0xffff;
})",
     "checksum((const MEMORY u32 *)p, n)"},
    {"one_at_a_time", R"(
u32 one_at_a_time(const MEMORY u32 *p, u32 n) {
  u32 hash = 0;
  for (u32 i = 0; i < n; i++) {
    hash += p[i];
    hash += hash << 10;
    hash ^= hash >> 6;
  }
  hash += hash << 3;
  hash ^= hash >> 11;
  return hash + (hash << 15);
})",
     "one_at_a_time((const MEMORY u32 *)p, n)"},
    {"crc32", R"(
u32 crc32(u32 crc, u32 word) {
  crc ^= word;
  for (u32 i = 0; i < 32; i++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  return crc;
})",
     "crc32(p, n)"},
    {"ones", R"(
u32 ones(u32 value) {
  u32 count = 0;
  for (; value; value &= value - 1) count++;
  return count;
})",
     "ones(n)"},
    {"range_search", R"(
struct range { u32 low, high, rule, next; };
u32 range_search(const MEMORY struct range *list, u32 value) {
  while (list) {
    if (value >= list->low && value <= list->high) return list->rule;
    list = (const MEMORY struct range *)list->next;
  }
  return ~0u;
})",
     "range_search((const MEMORY struct range *)p, n)"},
    {"trie_walk", R"(
u32 trie_walk(const MEMORY u32 *nodes, u32 key) {
  u32 entry = 0;
  do {
    entry = nodes[2 * entry + (key >> 31)];
    key <<= 1;
  } while (!(entry & 1));
  return entry >> 1;
})",
     "trie_walk((const MEMORY u32 *)p, n)"},
    {"bubble_sort", R"(
void bubble_sort(MEMORY u32 *p, u32 n) {
  for (u32 i = 0; i + 1 < n; i++)
    for (u32 j = 0; j + 1 < n - i; j++)
      if (p[j] > p[j + 1]) {
        u32 held = p[j];
        p[j] = p[j + 1];
        p[j + 1] = held;
      }
})",
     "(bubble_sort((MEMORY u32 *)p, n), n)"},
    {"copy_words", R"(
void copy_words(MEMORY u32 *to, const MEMORY u32 *from, u32 n) {
  while (n--) *to++ = *from++;
})",
     "(copy_words((MEMORY u32 *)p, (const MEMORY u32 *)(p + 4096), n), n)"},
    {"square_root", R"(
u32 square_root(u32 value) {
  u32 root = 0;
  for (u32 bit = 1u << 30; bit; bit >>= 2) {
    if (value >= root + bit) {
      value -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return root;
})",
     "square_root(n)"},
    {"fields", R"(
u32 fields(u32 word, u32 other) {
  u32 version = word >> 28, length = word >> 24 & 15, service = word >> 16 & 255, total = word & 0xffff;
  if (version != 4 || length < 5 || total < 4 * length) return 0;
  return other & 0x3fff0000 ? service : total - 4 * length;
})",
     "fields(p, n)"},
    {"crc_table", R"(
u32 crc_table(const MEMORY u32 *table, u32 crc, u32 word) {
  for (u32 i = 0; i < 4; i++) {
    crc = crc << 8 ^ table[(crc ^ word) >> 24];
    word <<= 8;
  }
  return crc;
})",
     "crc_table((const MEMORY u32 *)p, n, n)"},
    {"fnv", R"(
u32 fnv(const MEMORY u8 *p, u32 n) {
  u32 hash = 0x811c9dc5;
  for (; n; n--) hash = (hash ^ *p++) + (hash << 1) + (hash << 4) + (hash << 7) + (hash << 8) + (hash << 24);
  return hash;
})",
     "fnv((const MEMORY u8 *)p, n)"},
    {"jenkins_mix", R"(
u32 jenkins_mix(u32 a, u32 b, u32 c) {
  c ^= b; c -= b << 14 | b >> 18;
  a ^= c; a -= c << 11 | c >> 21;
  b ^= a; b -= a << 25 | a >> 7;
  c ^= b; c -= b << 16 | b >> 16;
  a ^= c; a -= c << 4 | c >> 28;
  b ^= a; b -= a << 14 | a >> 18;
  c ^= b; c -= b << 24 | b >> 8;
  return c;
})",
     "jenkins_mix(p, n, 7)"},
    {"binary_search", R"(
u32 binary_search(const MEMORY u32 *p, u32 n, u32 key) {
  u32 low = 0;
  while (low < n) {
    u32 middle = (low + n) >> 1;
    if (p[middle] < key) low = middle + 1;
    else n = middle;
  }
  return low;
})",
     "binary_search((const MEMORY u32 *)p, n, p)"},
    {"add_64", R"(
u64 add_64(u64 a, u64 b) {
  u64 sum = a + b;
  return sum < a ? ~(u64)0 : sum;
})",
     "({ u64 sum = add_64((u64)p << 32 | n, (u64)n << 32 | p); (u32)sum ^ (u32)(sum >> 32); })"},
    {"time_to_live", R"(
u32 time_to_live(MEMORY u32 *header) {
  u32 word = header[2];
  u32 left = word >> 24;
  if (left <= 1) return 1;
  u32 sum = (word & 0xffff) + 0x100;
  sum = (sum & 0xffff) + (sum >> 16);
  header[2] = (left - 1) << 24 | (word & 0xff0000) | sum;
  return 0;
})",
     "time_to_live((MEMORY u32 *)p)"},
    {"switch_16", R"(
u32 switch_16(u32 which, u32 a) {
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
})",
     "switch_16(n, p)"},
    {"structure_copy", R"(
struct flow { u32 source, destination, ports, protocol; };
void structure_copy(MEMORY struct flow *to, const MEMORY struct flow *from) { *to = *from; })",
     "(structure_copy((MEMORY struct flow *)p, (const MEMORY struct flow *)(p + 256)), n)"},
    {"sort_8", R"(
void sort_8(MEMORY u32 *p) {
  for (u32 i = 1; i != 8; i++) {
    u32 held = p[i], j = i;
    for (; j != 0 && p[j - 1] > held; j--) p[j] = p[j - 1];
    p[j] = held;
  }
})",
     "(sort_8((MEMORY u32 *)p), n)"},
    {"longest_prefix", R"(
u32 longest_prefix(const MEMORY u32 *table, u32 address) {
  u32 entry = table[address >> 16];
  if (entry & 0x80000000) entry = table[(entry & 0x7fffffff) + (address >> 8 & 255)];
  if (entry & 0x80000000) entry = table[(entry & 0x7fffffff) + (address & 255)];
  return entry;
})",
     "longest_prefix((const MEMORY u32 *)p, n)"},
    {"string_compare", R"(
int string_compare(const MEMORY u8 *a, const MEMORY u8 *b) {
  for (; *a && *a == *b; a++) b++;
  return *a - *b;
})",
     "string_compare((const MEMORY u8 *)p, (const MEMORY u8 *)(p + 256))"},
};

}  // namespace

std::span<const BenchKernel> bench_kernels() {
  return kKernels;
}

}  // namespace nplab::experiments
