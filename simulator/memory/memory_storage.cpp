#include "simulator/memory/memory_storage.h"

#include <sys/mman.h>

#include <new>

namespace nplab::simulator {

// Anonymous pages are zero and come into being when first touched.
MemoryStorage::MemoryStorage(std::uint32_t bytes)
    : bytes_(bytes), longwords_(nullptr, Release{bytes}) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw std::bad_alloc();
  longwords_.reset(static_cast<std::uint32_t*>(pages));
}

void MemoryStorage::Release::operator()(std::uint32_t* longwords) const {
  munmap(longwords, bytes);
}

}  // namespace nplab::simulator
