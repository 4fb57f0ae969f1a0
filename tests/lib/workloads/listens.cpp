// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A server that begins to listen while a tool attaches, and whose sessions begin afterwards:
//   listens 4|6|mapped DELAY_MS GO N
// listens after so many milliseconds, and accepts N sessions, one after the other: the first at once, the others when
// there is the file GO. The client, its child, resets each, the first after GO, so that no task of the server ever
// works on one but by accept(). Prints a line of JSON: {"type":"expected","port":P,"server":PID,"client":PID}
#include <sys/prctl.h>
#include <sys/wait.h>

#include "net.h"

namespace {

void reset(int fd) {
  const linger at_once = {1, 0};
  valid(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), "SO_LINGER");
  close(fd);
}

// The server tells by a byte that it has accepted one, and by another that it is closed.
void run_client(const Place &place, const char *go, int n, int server) {
  prctl(PR_SET_NAME, "client");
  char c = 0;
  for (int i = 0; i < n; i++) {
    const int fd = connected(place);
    if (read(server, &c, 1) != 1) die("accept of the server");
    while (access(go, F_OK) != 0) usleep(1000);
    reset(fd);
    if (read(server, &c, 1) != 1) die("end of the server");
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const int n = atoi(argv[4]);
  prctl(PR_SET_NAME, "server");
  usleep(static_cast<useconds_t>(atoi(argv[2])) * 1000);
  Place place(argv[1]);
  const int listener = take_port(place);
  valid(listen(listener, 16), "listen");
  int told[2];
  valid(pipe(told), "pipe");
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    run_client(place, argv[3], n, told[0]);
    return 0;
  }
  printf("{\"type\":\"expected\",\"port\":%d,\"server\":%d,\"client\":%d}\n", place.port(), getpid(), client);
  for (int i = 0; i < n; i++) {
    const int fd = accepted(listener);
    if (write(told[1], "", 1) != 1) die("pipe");
    wait_closed(fd);
    if (write(told[1], "", 1) != 1) die("pipe");
    close(fd);
  }
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
