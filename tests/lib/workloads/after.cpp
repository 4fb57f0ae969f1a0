// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Runs a command and sends it a signal after a while: `after MS SIGNAL COMMAND...`. A shell's background jobs ignore
// SIGINT, and busybox has no timeout of less than a second. The exit status is the command's, 128 + N if signal N ended
// it.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kPatienceMs = 30000;  // after the signal; then SIGKILL

int signal_number(const char *name) {
  constexpr struct {
    const char *name;
    int number;
  } kSignals[] = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"KILL", SIGKILL}, {"HUP", SIGHUP}};
  for (const auto &signal : kSignals) {
    if (strcmp(name, signal.name) == 0) return signal.number;
  }
  fprintf(stderr, "after: no such signal: %s\n", name);
  exit(2);
}

// Has the child ended within `ms`?
bool ended(pid_t child, int ms, int &status) {
  for (; ms > 0; ms -= 5) {
    if (waitpid(child, &status, WNOHANG) == child) return true;
    usleep(5000);
  }
  return false;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: after MS SIGNAL COMMAND...\n");
    return 2;
  }
  const int number = signal_number(argv[2]);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    execvp(argv[3], argv + 3);
    _exit(127);
  }
  int status = 0;
  if (!ended(child, atoi(argv[1]), status)) {
    kill(child, number);
    if (!ended(child, kPatienceMs, status)) {
      fprintf(stderr, "after: %s did not end it\n", argv[2]);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
