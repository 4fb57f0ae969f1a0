// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/test.h"
#include "sym/mapped.h"

namespace strata {
namespace {

// A root directory with a file of process 7 there, which is 4711 here.
struct Root {
  Root() {
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    REQUIRE(mkdir((folder + "/tmp").c_str(), 0755) == 0);
  }
  ~Root() {
    unlink(file().c_str());
    rmdir((folder + "/tmp").c_str());
    rmdir(folder.c_str());
  }
  [[nodiscard]] std::string file() const { return folder + "/tmp/perf-7.map"; }
  void write(const std::string &text) const {
    const Fd out(open(file().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    REQUIRE(::write(out.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] PerfMap map(uint32_t owner) const {
    const std::string text = "Name:\tx\nUid:\t9\t" + std::to_string(owner) + "\t9\t9\nNSpid:\t4711\t7\n";
    Lines status = Lines::of(text);
    return {Fd(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), status};
  }
  std::string folder = "/tmp/strata-test-XXXXXX";
};

}  // namespace

TEST_CASE("names of code that a process made") {
  const Root root;
  root.write(
      "1000 10 LazyCompile:~one two /app.js:1:2\n"
      "2000 20 old\n2010 30 new\n"
      "\n zz\n3000\n3000 \n3000 10\n3000 10 \n3000 0 empty\nffffffffffffffff 10 wraps\n3000 x bad\n-1 10 bad\n"
      "4000 10 no end of its line");
  PerfMap map = root.map(geteuid());
  CHECK(map.name(0xfff).empty());
  CHECK(map.name(0x1000) == "LazyCompile:~one two /app.js:1:2");
  CHECK(map.name(0x100f) == "LazyCompile:~one two /app.js:1:2");
  CHECK(map.name(0x1010).empty());
  CHECK(map.name(0x2000).empty());  // its place is another's by now
  CHECK(map.name(0x2010) == "new");
  CHECK(map.name(0x3000).empty());
  CHECK(map.name(0x4000).empty());
  CHECK(map.name(UINT64_MAX).empty());
}

TEST_CASE("a file of names that appears later, and grows") {
  const Root root;
  PerfMap map = root.map(geteuid());
  CHECK(map.name(0x1000).empty());
  root.write("1000 10 one\n20");
  usleep(120'000);
  CHECK(map.name(0x1000) == "one");
  root.write("1000 10 one\n2000 10 two\n");
  usleep(120'000);
  CHECK(map.name(0x2000) == "two");
}

TEST_CASE("a file of names that another user wrote, or that is none, is not read") {
  const Root root;
  root.write("1000 10 one\n");
  CHECK(root.map(geteuid() + 1).name(0x1000).empty());
  REQUIRE(unlink(root.file().c_str()) == 0);
  REQUIRE(mkfifo(root.file().c_str(), 0600) == 0);
  CHECK(root.map(geteuid()).name(0x1000).empty());
}

TEST_CASE("a file of names of any size takes no more than some memory") {
  const Root root;
  std::string text;
  for (int i = 1; i <= 300'000; i++) text += std::to_string(i) + "0000 1 x\n";
  root.write(text);
  PerfMap map = root.map(geteuid());
  CHECK(map.name(0x10000) == "x");
  CHECK(map.name(0x3000000000).empty());  // the 300,000th
}

}  // namespace strata
