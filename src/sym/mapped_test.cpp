// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/mapped.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/test.h"

namespace strata {

TEST_CASE("the files that a process executes, each once") {
  Lines maps = Lines::of(
      "00400000-00401000 r--p 00000000 fe:00 11 /usr/bin/two words\n"
      "00401000-00402000 r-xp 00001000 fe:00 11 /usr/bin/two words\n"
      "00500000-00501000 r-xp 00009000 fe:00 11 /usr/bin/two words\n"
      "7f0000000000-7f0000001000 r-xp 00026000 00:1f 12   /usr/lib/libc.so.6 (deleted)\n"
      "7f0000002000-7f0000003000 rw-p 00026000 00:1f 13   /usr/lib/libdata.so\n"
      "7ffc00000000-7ffc00001000 r-xp 00000000 00:00 0    [vdso]\n"
      "7ffc00002000-7ffc00003000 r-xp 00000000 00:00 0 \n"
      "broken\n7f00 r\n/\n");
  const std::vector<MappedFile> files = executable_mappings(maps);
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "/usr/bin/two words");
  CHECK(files[0].addresses == "00401000-00402000");
  CHECK(files[1].path == "/usr/lib/libc.so.6");
}

TEST_CASE("the code that a process has mapped, each part of it") {
  Lines maps = Lines::of(
      "00400000-00401000 r--p 00000000 fe:00 11 /usr/bin/two words\n"
      "00401000-00402000 r-xp 00001000 fe:00 11 /usr/bin/two words (deleted)\n"
      "00300000-00301000 r-xp 00000000 00:00 0 \n"
      "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
      "7ffc00000000-7ffc00001000 r-xp 00000000 00:00 0                          [vdso]\n"
      "7ffc00001000-7ffc00002000 r-xp 00000000 00:00 0                          [else]\n"
      "broken\n7f00 r\n/\n");
  const std::vector<CodeMapping> all = code_mappings(maps);
  REQUIRE(all.size() == 4);
  CHECK(all[0].from == 0x401000);
  CHECK(all[0].to == 0x402000);
  CHECK(all[0].offset == 0x1000);
  CHECK(all[0].place().path == "/usr/bin/two words");
  CHECK(all[0].place().addresses == "401000-402000");
  CHECK(all[0].id() == FileId{.dev = 0xfe00000, .ino = 11});
  CHECK(all[1].file.empty());
  CHECK(all[2].file == "[vdso]");
  CHECK(all[2].id() == FileId{});
  CHECK(all[3].file.empty());
  char magic[4] = {};
  REQUIRE(pread(copy_of_vdso().get(), magic, sizeof(magic), 0) == sizeof(magic));
  CHECK(memcmp(magic,
               "\x7f"
               "ELF",
               sizeof(magic)) == 0);
}

TEST_CASE("this process is one, and runs what it has mapped") {
  const uint32_t self = static_cast<uint32_t>(getpid());
  const std::vector<uint32_t> all = all_processes();
  CHECK(std::count(all.begin(), all.end(), self) == 1);
  const std::vector<MappedFile> files = executable_mappings(self);
  REQUIRE_FALSE(files.empty());
  CHECK(files[0].path == program_path(self));
  CHECK(file_id(open_mapped(self, files[0]).get()) == file_id(open_program(self).get()));
  CHECK(file_id(open_below(open_root(self), files[0].path).get()) == file_id(open_program(self).get()));
}

TEST_CASE("what is no regular file is not opened: no device, no pipe, no directory") {
  char folder[] = "/tmp/strata-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string fifo = std::string(folder) + "/libc.so.6";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const Fd root = open_root(static_cast<uint32_t>(getpid()));
  for (const std::string &path : {fifo, std::string(folder), std::string("/dev/null"), std::string("/dev/tty")}) {
    CHECK_FALSE(open_below(root, path));
    CHECK_FALSE(open_regular(path));
    CHECK(errno == ENOEXEC);
  }
  CHECK_FALSE(open_regular(fifo + ".none"));
  CHECK(errno == ENOENT);
  CHECK(open_regular("/proc/self/exe"));
  unlink(fifo.c_str());
  rmdir(folder);
}

TEST_CASE("a process that is gone has nothing") {
  constexpr uint32_t kNone = 0x7ffffff0;
  CHECK(executable_mappings(kNone).empty());
  CHECK(program_path(kNone).empty());
  CHECK_FALSE(open_program(kNone));
  CHECK(file_id(open_root(kNone).get()) == FileId{});
}

}  // namespace strata
