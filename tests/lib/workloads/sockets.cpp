// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// N TCP connections over loopback, one after the other, between two processes, each with its whole life known:
//   sockets 4|6|mapped|multipath client|server|reset|close|refused|full|late|long|idle N [PORT]
// or across two network namespaces: then SERVER_4 and SERVER_6 have the server's addresses, and the client moves to
// CLIENT_NETNS (tests/lib/live/net.sh).
// `mapped` is IPv4 by IPv6 sockets. The client sends kRequest bytes and gets kAnswer; then that end closes first, or
// the server resets. `close`: the client closes first, and neither end waits: the kernel may close later, by a thread
// of its own (MPTCP); the server waits in the end until all of IPv4 are over. `refused`: nobody listens, and there is
// no server. `late`: N connections fill the backlog, SYN and second SYN of one more are dropped, then all are accepted;
// the longest waited a second at least. `long`: N requests and answers over one connection, 20 ms between them. `idle`:
// N connections that stay open until the server is killed, which prints its line when all are. Each end waits for its
// state CLOSE before it goes on. Prints a line of JSON: {"type":"expected","port":P,"server":PID,"client":PID}
#include <linux/sock_diag.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <vector>

#include "net.h"

namespace {

constexpr size_t kRequest = 1009, kAnswer = 50021;

void send_all(int fd, size_t bytes) {
  const std::vector<char> data(bytes);
  for (size_t sent = 0; sent < bytes;) {
    const ssize_t n = send(fd, data.data() + sent, bytes - sent, MSG_NOSIGNAL);
    if (n <= 0) die("send");
    sent += static_cast<size_t>(n);
  }
}

void receive_all(int fd, size_t bytes) {
  std::vector<char> data(bytes);
  if (recv(fd, data.data(), bytes, MSG_WAITALL) != static_cast<ssize_t>(bytes)) die("recv");
}

uint64_t sent_again(int fd) { return info_of(fd).tcpi_total_retrans; }

uint64_t retransmits = 0;  // of this end of all connections

// Closes, and leaves the rest to the kernel.
void leave(int fd, bool first) {
  char c = 0;
  if (!first && recv(fd, &c, 1, 0) != 0) die("end of the stream");
  close(fd);
}

// Until no IPv4 session of this port has a socket: one in TIME_WAIT (06) has none, the listening one is 0A.
void wait_over(int port) {
  char of_port[8];
  snprintf(of_port, sizeof(of_port), ":%04X ", static_cast<unsigned>(port));
  for (bool over = false; !over; usleep(1000)) {
    std::ifstream sockets("/proc/net/tcp");
    over = true;
    for (std::string line; std::getline(sockets, line);) {
      if (line.find(of_port) == std::string::npos) continue;
      over = over && (line.find(" 06 ") != std::string::npos || line.find(" 0A ") != std::string::npos);
    }
  }
}

void finish(int fd, bool first, bool reset) {
  char c = 0;
  if (!first && !reset && recv(fd, &c, 1, 0) != 0) die("end of the stream");
  if (reset && first) {
    const linger at_once = {1, 0};
    valid(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), "SO_LINGER");
  } else {
    if (!reset) valid(shutdown(fd, SHUT_WR), "shutdown");
    wait_closed(fd);
  }
  retransmits += sent_again(fd);
  close(fd);
}

// A connection that nobody answers, until its SYN was sent again.
void give_up(const Place &place) {
  const int fd = place.socket(SOCK_STREAM | SOCK_NONBLOCK);
  if (connect(fd, place.generic(), place.size) == 0 || errno != EINPROGRESS) die("connect");
  while (sent_again(fd) == 0) usleep(1000);
  close(fd);
}

// Until so many wait in the listener's queue: the end of a handshake may come after connect() has returned, and until
// then there is room for another. Closes it.
void wait_queued(int listener, unsigned n) {
  while (info_of(listener).tcpi_unacked != n) usleep(1000);
  close(listener);
}

void run_full(const Place &place, int listener, int n) {
  prctl(PR_SET_NAME, "client");
  const int first = connected(place);
  wait_queued(listener, 1);
  for (int i = 0; i < n; i++) give_up(place);
  close(first);
}

// Both ends of `long`.
void exchange(int fd, bool server, int n) {
  constexpr useconds_t kPause = 20'000;
  for (int i = 0; i < n; i++) {
    if (server) receive_all(fd, kRequest);
    send_all(fd, server ? kAnswer : kRequest);
    if (!server) receive_all(fd, kAnswer);
    if (!server) usleep(kPause);
  }
  finish(fd, !server, false);
}

void run_long(const Place &place, int n) {
  prctl(PR_SET_NAME, "client");
  const int fd = connected(place);
  exchange(fd, false, n);
}

// N fit into a backlog of N - 1. The server is told when all have come, by the end of the pipe.
void run_late(const Place &place, int listener, int n, int told) {
  prctl(PR_SET_NAME, "client");
  std::vector<int> fds;
  for (int i = 0; i < n; i++) {
    fds.push_back(connected(place));
  }
  wait_queued(listener, static_cast<unsigned>(n));
  give_up(place);
  close(told);
  char c = 0;
  for (const int fd : fds) {
    if (recv(fd, &c, 1, 0) != 0) die("end of the stream");
    close(fd);
  }
}

// N are accepted, and stay.
void run_idle(const Place &place, int n) {
  prctl(PR_SET_NAME, "client");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < n; i++) connected(place);
  pause();
}

// What a socket has dropped.
uint32_t dropped(int fd) {
  uint32_t info[SK_MEMINFO_VARS] = {};
  socklen_t size = sizeof(info);
  valid(getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &size), "SO_MEMINFO");
  return info[SK_MEMINFO_DROPS];
}

// The second SYN was sent, but on a busy machine it may still be on its way.
void accept_late(int listener, int n, int told) {
  char c = 0;
  if (read(told, &c, 1) != 0) die("pipe");
  while (dropped(listener) < 2) usleep(1000);
  for (int i = 0; i < n; i++) close(accepted(listener));
}

void run_client(const Place &place, const std::string &way, int n) {
  prctl(PR_SET_NAME, "client");
  for (int i = 0; i < n; i++) {
    const int fd = place.socket(SOCK_STREAM);
    const int result = connect(fd, place.generic(), place.size);
    if (way == "refused" ? result == 0 || errno != ECONNREFUSED : result != 0) die("connect");
    if (way != "refused") {
      send_all(fd, kRequest);
      receive_all(fd, kAnswer);
      way == "close" ? leave(fd, true) : finish(fd, way == "client", way == "reset");
    } else {
      close(fd);
    }
  }
}

void run_server(int listener, const std::string &way, int n) {
  prctl(PR_SET_NAME, "server");
  for (int i = 0; i < n && way != "refused" && way != "full"; i++) {
    const int fd = accepted(listener);
    receive_all(fd, kRequest);
    send_all(fd, kAnswer);
    // A reset drops what the client has not read.
    char c = 0;
    if (way == "reset" && recv(fd, &c, 1, MSG_DONTWAIT) == 0) die("early end");
    while (way == "reset" && info_of(fd).tcpi_unacked != 0) continue;
    way == "close" ? leave(fd, false) : finish(fd, way != "client", way == "reset");
  }
}

void print_retransmits(const char *comm) {
  printf("{\"type\":\"retransmits\",\"comm\":\"%s\",\"segments\":%llu}\n", comm,
         static_cast<unsigned long long>(retransmits));
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const std::string way = argv[2];
  const int n = atoi(argv[3]);
  Place place(argv[1], argc > 4 ? atoi(argv[4]) : 0);
  prctl(PR_SET_NAME, "server");
  const int listener = take_port(place);
  if (way != "refused") valid(listen(listener, way == "full" ? 0 : way == "late" ? n - 1 : 16), "listen");
  int told[2];
  valid(pipe(told), "pipe");
  const pid_t client = valid(fork(), "fork");
  close(told[client == 0 ? 0 : 1]);
  if (client == 0) {
    if (way != "full" && way != "late") close(listener);
    enter_client_netns();
    if (way == "full") {
      run_full(place, listener, n);
    } else if (way == "late") {
      run_late(place, listener, n, told[1]);
    } else if (way == "long") {
      run_long(place, n);
    } else if (way == "idle") {
      run_idle(place, n);
    } else {
      run_client(place, way, n);
    }
    print_retransmits("client");
    return 0;
  }
  for (int i = 0; i < n && way == "idle"; i++) accepted(listener);
  printf("{\"type\":\"expected\",\"port\":%d,\"server\":%d,\"client\":%d}\n", place.port(), getpid(), client);
  if (way == "idle") {
    fflush(stdout);
    pause();
  } else if (way == "late") {
    accept_late(listener, n, told[0]);
  } else if (way == "long") {
    prctl(PR_SET_NAME, "server");
    exchange(accepted(listener), true, n);
  } else {
    run_server(listener, way, n);
  }
  print_retransmits("server");
  int status = 0;
  waitpid(client, &status, 0);
  if (way == "close") wait_over(place.port());
  close(listener);
  return status != 0;
}
