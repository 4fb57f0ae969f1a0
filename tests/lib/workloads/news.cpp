// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Objects that are made with operator new and not deleted, in known functions, among others that are deleted; and
// exceptions that operator new throws, which must arrive. With its symbols. At the end it says that it has arrived
// there.
//   single()   53 of 1009 bytes   aligned()   43 of 192   failing()   41 of 77, each before a bad_alloc
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

namespace {

struct alignas(64) Aligned {
  char bytes[192];
};

void *volatile sink;
volatile size_t most = SIZE_MAX / 4;

template <typename T>
void make(size_t bytes) {
  sink = bytes == 0 ? static_cast<void *>(new T) : new char[bytes];
}

[[gnu::noinline]] void single() {
  for (int i = 0; i < 53; i++) {
    make<int>(1009);
    int *volatile gone = new int;
    delete gone;
  }
}

[[gnu::noinline]] void aligned() {
  for (int i = 0; i < 43; i++) {
    make<Aligned>(0);
    Aligned *volatile gone = new Aligned;
    delete gone;
  }
}

[[gnu::noinline]] void failing() {
  for (int i = 0; i < 41; i++) {
    sink = new (std::nothrow) char[77];
    try {
      make<int>(most);
    } catch (const std::bad_alloc &) {
    }
  }
}

}  // namespace

int main() {
  usleep(500000);
  single();
  aligned();
  failing();
  puts("{\"type\":\"note\",\"arrived\":true}");
}
