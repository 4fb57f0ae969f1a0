// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A server of three threads, whose sessions begin when there is the file GO:
//   accepts 4|6|mapped GO FIRST SECOND RESETS
// Its first thread accepts and closes FIRST sessions, then its second one SECOND; the client resets the last RESETS, on
// which no thread works but by accept(). Prints a line of JSON:
// {"type":"expected","server":PID,"first":TID,"second":TID}
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <atomic>
#include <functional>
#include <thread>

#include "net.h"

namespace {

void wait_for(const char *go) {
  while (access(go, F_OK) != 0) usleep(1000);
}

void run_client(const Place &place, const char *go, int closed, int resets) {
  prctl(PR_SET_NAME, "client");
  wait_for(go);
  char c = 0;
  for (int i = 0; i < closed; i++) {
    const int fd = connected(place);
    if (recv(fd, &c, 1, 0) != 0) die("end of the stream");
    close(fd);
  }
  for (int i = 0; i < resets; i++) {
    const int fd = connected(place);
    const linger at_once = {1, 0};
    valid(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), "SO_LINGER");
    close(fd);
  }
}

std::atomic<int> turn = 0;

// The threads live until all is done.
void serve(int listener, const char *go, int own_turn, int n, std::atomic<long> &tid) {
  tid = syscall(SYS_gettid);
  wait_for(go);
  while (turn != own_turn) usleep(1000);
  for (int i = 0; i < n; i++) close(accepted(listener));
  turn++;
  while (turn != 3) usleep(1000);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  const int first = atoi(argv[3]), second = atoi(argv[4]), resets = atoi(argv[5]);
  Place place(argv[1]);
  prctl(PR_SET_NAME, "server");
  const int listener = take_port(place);
  valid(listen(listener, 16), "listen");
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    run_client(place, argv[2], first + second, resets);
    return 0;
  }
  std::atomic<long> tids[2] = {};
  std::thread one(serve, listener, argv[2], 0, first, std::ref(tids[0]));
  std::thread other(serve, listener, argv[2], 1, second, std::ref(tids[1]));
  while (tids[0] == 0 || tids[1] == 0) usleep(1000);
  printf("{\"type\":\"expected\",\"server\":%d,\"first\":%ld,\"second\":%ld}\n", getpid(), tids[0].load(),
         tids[1].load());
  fflush(stdout);
  while (turn != 2) usleep(1000);
  for (int i = 0; i < resets; i++) {
    const int fd = accepted(listener);
    wait_closed(fd);
    close(fd);
  }
  turn = 3;
  one.join();
  other.join();
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
