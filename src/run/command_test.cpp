// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/command.h"

#include <sys/wait.h>

#include <csignal>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

int status_of(std::vector<std::string> arguments) {
  Command command(arguments);
  command.start();
  return command.wait();
}

}  // namespace

TEST_CASE("the command's own exit status") {
  CHECK(status_of({"true"}) == 0);
  CHECK(status_of({"sh", "-c", "exit 7"}) == 7);
  CHECK(status_of({"sh", "-c", "kill -9 $$"}) == 128 + SIGKILL);
}

TEST_CASE("the exit status where SIGCHLD is ignored") {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  CHECK(status_of({"sh", "-c", "exit 7"}) == 7);
  ::signal(SIGCHLD, before);
}

TEST_CASE("a command that cannot run is refused before anything begins") {
  CHECK_THROWS_WITH(status_of({"no-such-command"}), "cannot run 'no-such-command': No such file or directory");
  CHECK_THROWS_WITH(status_of({"/proc/self/maps"}), "cannot run '/proc/self/maps': Permission denied");
  CHECK_THROWS_AS(status_of({""}), Error);
}

TEST_CASE("a stopped command is ended, too") {
  Command command(std::vector<std::string>{"sh", "-c", "kill -STOP $$"});
  command.start();
  CHECK(waitpid(command.pid(), nullptr, WUNTRACED) == command.pid());
  command.terminate();
  CHECK(command.wait() == 128 + SIGTERM);
}

TEST_CASE("a command that was not let go does not run") {
  const std::vector<std::string> arguments = {"sh", "-c", "kill $PPID"};
  { const Command command(arguments); }
  SUCCEED();
}

}  // namespace strata
