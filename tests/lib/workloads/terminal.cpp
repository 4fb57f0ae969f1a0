// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Runs a command on a terminal of its own, of so many columns and lines: `terminal COLUMNS LINES COMMAND...`. What the
// command and its children write there goes to standard output; the exit status is the command's, 128 + N if signal N
// ended it.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: terminal COLUMNS LINES COMMAND...\n");
    return 2;
  }
  winsize size = {};
  size.ws_col = static_cast<unsigned short>(atoi(argv[1]));
  size.ws_row = static_cast<unsigned short>(atoi(argv[2]));
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) {
    perror("terminal: forkpty");
    return 1;
  }
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    execvp(argv[3], argv + 3);
    perror(argv[3]);
    _exit(127);
  }
  char bytes[4096];
  for (ssize_t n = 0; (n = read(terminal, bytes, sizeof(bytes))) > 0;)  // EIO: all who had it have closed it
    if (write(STDOUT_FILENO, bytes, static_cast<size_t>(n)) != n) return 1;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
