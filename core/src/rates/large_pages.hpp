// Large pages: memory for arrays that are read at random.
//
// Idea: each jump to another page of 4 KiB looks the page up, which takes longer than the memory
// itself on large networks, above all in a virtual machine. So arrays of megabytes ask for pages of
// 2 MiB, where Linux has them.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace contend {

template <typename T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{1} << 21;
  static constexpr std::size_t cache_line = 64;

  LargePages() = default;
  template <typename Other>
  explicit(false) LargePages(const LargePages<Other>& /*other*/) {}

  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes < page ? cache_line : page};
  }
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const begin = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
    // It is a hint: whether it was taken does not matter here.
    if (bytes >= page) madvise(begin, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(begin);
  }
  void deallocate(T* begin, std::size_t count) {
    ::operator delete(begin, alignment(count * sizeof(T)));
  }
  bool operator==(const LargePages& /*other*/) const { return true; }
};

template <typename T>
using LargeArray = std::vector<T, LargePages<T>>;

}  // namespace contend
