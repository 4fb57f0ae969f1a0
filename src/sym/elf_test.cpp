#include "sym/elf.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstring>

#include "base/fd.h"
#include "base/test.h"

extern "C" [[gnu::noinline, gnu::used]] int strata_test_function(int n) { return n * 3 + 1; }

namespace strata {
namespace {

constexpr std::string_view kNames[] = {"no_such_function", "strata_test_function"};

}  // namespace

TEST_CASE("a function's place in its file is where its code stands") {
  const Fd self(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const ElfFile elf(self.get());
  REQUIRE(elf.valid());
  CHECK_FALSE(elf.narrow());
  const std::vector<ElfFile::Function> found = elf.functions(kNames);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == 1);
  char code[8] = {};
  REQUIRE(pread(self.get(), code, sizeof(code), static_cast<off_t>(found[0].offset)) == sizeof(code));
  CHECK(memcmp(code, reinterpret_cast<const void *>(&strata_test_function), sizeof(code)) == 0);
}

TEST_CASE("what is no ELF file has no functions") {
  for (const char *path : {"/dev/null", "/proc/self/status", "/"}) {
    const Fd file(open(path, O_RDONLY | O_CLOEXEC));
    const ElfFile elf(file.get());
    CHECK_FALSE(elf.valid());
    CHECK(elf.functions(kNames).empty());
  }
}

}  // namespace strata
