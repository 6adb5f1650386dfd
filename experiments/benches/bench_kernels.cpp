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
};

}  // namespace

std::span<const BenchKernel> bench_kernels() {
  return kKernels;
}

}  // namespace nplab::experiments
