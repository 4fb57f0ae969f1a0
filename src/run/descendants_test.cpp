// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/descendants.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/test.h"

namespace strata {

TEST_CASE("a process has its children and theirs, and nobody else") {
  int go[2], told[2];
  REQUIRE((pipe(go) == 0 && pipe(told) == 0));
  char byte = 0;
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      close(go[1]);
      _exit(read(go[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(go[1]);
    const bool said = write(told[1], &grandchild, sizeof(grandchild)) == sizeof(grandchild);
    waitpid(grandchild, nullptr, 0);
    _exit(said ? 0 : 1);
  }
  pid_t grandchild = 0;
  REQUIRE(read(told[0], &grandchild, sizeof(grandchild)) == sizeof(grandchild));
  const uint32_t roots[] = {static_cast<uint32_t>(child)};
  std::vector<uint32_t> found = with_descendants(roots);
  std::sort(found.begin(), found.end());
  std::vector<uint32_t> wanted = {static_cast<uint32_t>(child), static_cast<uint32_t>(grandchild)};
  std::sort(wanted.begin(), wanted.end());
  CHECK(found == wanted);
  for (const int fd : {go[0], go[1], told[0], told[1]}) close(fd);
  waitpid(child, nullptr, 0);
}

}  // namespace strata
