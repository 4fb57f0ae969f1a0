// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Runs a command in a network namespace of its own, where there is nothing but a loopback device that is up: what
// happens in it is the test's own.
//   alone COMMAND...
#include "net.h"

int main(int, char **argv) {
  valid(unshare(CLONE_NEWNET), "unshare");
  bring_up_loopback();
  execvp(argv[1], argv + 1);
  die(argv[1]);
}
