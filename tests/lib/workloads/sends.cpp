// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// N messages of SIZE bytes over one TCP connection between two processes, each sent by one call when the last was read,
// which SIZE must leave room for (less than 60,000):
//   sends 4|6 read|slow|window|burst|reset N SIZE [PORT]
//   sends 4|6 udp-read|udp-slow|udp-burst N SIZE [PORT]     the same by UDP, a datagram each
// over loopback, or across namespaces as `sockets` does. `slow`: the reader lets each lie in its queue for kPause.
// `window`: all are sent at once, its buffer has no room for them, and it begins to read kPause later. `burst`: the
// same with room, and it reads all the time. `reset`: it reads none, and closes when all are acknowledged. Each end
// knows its times (CLOCK_REALTIME). The client prints a line for each message:
//   {"type":"sent","n":1,"size_bytes":S,"from_ns":F,"to_ns":T,"waits_ns":W,"read_ns":R}
// of its call; waits_ns is when the reader began to wait before it read, all of it having arrived, and read_ns when it
// had read all.
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <ctime>
#include <vector>

#include "net.h"

namespace {

constexpr useconds_t kPause = 30'000;

struct Read {
  uint64_t waits_ns, read_ns;
};

uint64_t now_ns() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void set(int fd, int option, int value) { valid(setsockopt(fd, SOL_SOCKET, option, &value, sizeof(value)), "option"); }

int queued(int fd) {
  int bytes = 0;
  valid(ioctl(fd, FIONREAD, &bytes), "FIONREAD");
  return bytes;
}

void run_server(int fd, const std::string &way, int n, size_t size, int told) {
  std::vector<char> data(size);
  for (int i = 0; i < n; i++) {
    Read read = {};
    if (way == "slow") {
      while (static_cast<size_t>(queued(fd)) < size) usleep(100);
    }
    read.waits_ns = now_ns();
    if (way == "slow" || (way == "window" && i == 0)) usleep(kPause);
    if (way != "reset" && recv(fd, data.data(), size, MSG_WAITALL) != static_cast<ssize_t>(size)) die("recv");
    read.read_ns = now_ns();
    if (write(told, &read, sizeof(read)) != sizeof(read)) die("pipe");
  }
}

struct Sent {
  uint64_t from_ns, to_ns;
};

Sent send_one(int fd, const std::vector<char> &data) {
  const uint64_t from_ns = now_ns();
  if (send(fd, data.data(), data.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(data.size())) die("send");
  return {from_ns, now_ns()};
}

void run_client(int fd, bool at_once, int n, size_t size, int told) {
  const std::vector<char> data(size);
  std::vector<Sent> sent;
  for (int i = 1; i <= n && at_once; i++) sent.push_back(send_one(fd, data));
  for (int i = 1; i <= n; i++) {
    if (!at_once) sent.push_back(send_one(fd, data));
    Read read = {};
    if (::read(told, &read, sizeof(read)) != sizeof(read)) die("pipe");
    const auto [from_ns, to_ns] = sent[static_cast<size_t>(i) - 1];
    printf(
        "{\"type\":\"sent\",\"n\":%d,\"size_bytes\":%zu,\"from_ns\":%llu,\"to_ns\":%llu,\"waits_ns\":%llu,"
        "\"read_ns\":%llu}\n",
        i, size, static_cast<unsigned long long>(from_ns), static_cast<unsigned long long>(to_ns),
        static_cast<unsigned long long>(read.waits_ns), static_cast<unsigned long long>(read.read_ns));
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  setvbuf(stdout, nullptr, _IOLBF, 0);  // strata writes lines to the same file
  const bool udp = std::string(argv[2]).starts_with("udp-");
  const std::string way = argv[2] + (udp ? 4 : 0);
  const int type = udp ? SOCK_DGRAM : SOCK_STREAM;
  const int n = atoi(argv[3]);
  const auto size = static_cast<size_t>(atoi(argv[4]));
  Place place(argv[1], argc > 5 ? atoi(argv[5]) : 0);
  const int listener = take_port(place, type);
  if (way == "window") set(listener, SO_RCVBUF, 4096);  // the connections have it from the beginning
  if (!udp) valid(listen(listener, 1), "listen");
  int told[2], acknowledged[2];
  valid(pipe(told), "pipe");
  valid(pipe(acknowledged), "pipe");
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    prctl(PR_SET_NAME, "client");
    close(told[1]);
    close(acknowledged[0]);
    enter_client_netns();
    const int fd = connected(place, type);
    const int one = 1;
    if (way == "window") set(fd, SO_SNDBUF, 1 << 20);
    if (!udp) valid(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), "TCP_NODELAY");
    run_client(fd, way == "window" || way == "burst", n, size, told[0]);
    while (!udp && info_of(fd).tcpi_unacked != 0) usleep(1000);
    close(acknowledged[1]);
    char c = 0;
    if (way == "reset" && (recv(fd, &c, 1, 0) >= 0 || errno != ECONNRESET)) die("no reset");
    return 0;
  }
  prctl(PR_SET_NAME, "server");
  close(acknowledged[1]);
  const int fd = udp ? listener : accepted(listener);
  run_server(fd, way, n, size, told[1]);
  char c = 0;
  if (read(acknowledged[0], &c, 1) != 0) die("pipe");
  close(fd);
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
