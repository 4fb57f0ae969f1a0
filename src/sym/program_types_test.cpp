// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/program_types.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/test.h"

namespace strata {
namespace {

std::string children() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children").rdbuf();
  return text.str();
}

}  // namespace

// What it knows of real files, tests/run/arguments.test shows.
TEST_CASE("what has no DWARF has no types, and whoever looked for them is gone") {
  CHECK_FALSE(program_types(-1, -1, {.functions = {0x1000}, .names = {"struct node"}}));
  const Fd text(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
  CHECK_FALSE(program_types(text.get(), -1, {.functions = {0x1000}, .names = {}}));
  const Fd endless(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  CHECK_FALSE(program_types(endless.get(), -1, {.functions = {0x1000}, .names = {}}));
  CHECK(children().empty());
}

}  // namespace strata
