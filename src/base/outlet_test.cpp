// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/outlet.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

#include "base/ending.h"
#include "base/test.h"

namespace strata {
namespace {

struct Ends {
  Fd read, write;
};

Ends pipe_ends() {
  int ends[2];
  REQUIRE(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
  return {.read = Fd(ends[0]), .write = Fd(ends[1])};
}

Ends socket_ends() {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {.read = Fd(ends[0]), .write = Fd(ends[1])};
}

// More than a pipe holds, to a reader that begins late: what it got.
size_t got_by_late_reader(Ends ends) {
  const std::string text(1 << 20, 'x');
  const pid_t writer = fork();
  if (writer == 0) {
    ends.read.reset();
    Outlet outlet(std::move(ends.write), false);
    _exit(outlet.write(text));
  }
  ends.write.reset();
  fcntl(ends.read.get(), F_SETFL, 0);
  usleep(20'000);
  size_t got = 0;
  char buffer[4096];
  for (ssize_t n; (n = read(ends.read.get(), buffer, sizeof(buffer))) > 0;) got += static_cast<size_t>(n);
  int status = 0;
  waitpid(writer, &status, 0);
  CHECK(status == 0);
  return got;
}

// The status of a process that writes to nobody and gets a signal: the errno of the write, 99 if it did not end.
int status_of_unread(Ends ends, int signal) {
  const pid_t writer = fork();
  if (writer == 0) {
    alarm(20);
    Ending ending;
    Outlet outlet(std::move(ends.write), false);
    const int err = outlet.write(std::string(1 << 20, 'x'));
    _exit(ending.signal() == signal ? err : 98);
  }
  usleep(100'000);
  kill(writer, signal);
  int status = 0;
  waitpid(writer, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

}  // namespace

TEST_CASE("a reader that begins late gets all, of a pipe and of a socket") {
  CHECK(got_by_late_reader(pipe_ends()) == 1 << 20);
  CHECK(got_by_late_reader(socket_ends()) == 1 << 20);
}

TEST_CASE("a signal ends the wait for a reader") {
  CHECK(status_of_unread(pipe_ends(), SIGTERM) == ETIMEDOUT);
  CHECK(status_of_unread(pipe_ends(), SIGINT) == ETIMEDOUT);
  CHECK(status_of_unread(socket_ends(), SIGTERM) == ETIMEDOUT);
}

}  // namespace strata
