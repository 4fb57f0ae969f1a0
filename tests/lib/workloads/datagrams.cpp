// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets over loopback whose end is known:
//   datagrams closed|full 4|6 N PORT     N datagrams of 1009 bytes to PORT, where nobody listens, or nobody reads
//   datagrams read 4|6 N PORT            the same, each read before the next is sent
//   datagrams refused 4|6 N PORT         N attempts to connect by TCP to PORT, where nobody listens
//   datagrams flood 4|6 N PORT           two threads send N at once, of 1001, 1002, ... bytes, to one socket of two
//   threads
// The flood prints a line for each, with the reader's own times (CLOCK_REALTIME):
//   {"type":"received","size_bytes":S,"tid":T,"from_ns":F,"to_ns":U}
// Prints {"type":"expected","sent":N,"kept":K}: so many are in the queue of the socket that nobody reads.
#include <cerrno>
#include <ctime>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

#include "net.h"

namespace {

constexpr size_t kBytes = 1009;

// The answer of the other end (ECONNREFUSED) does not come to a socket that is not connected.
void send_one(int fd, const Place &to) {
  static const char bytes[kBytes] = {};
  if (sendto(fd, bytes, kBytes, 0, to.generic(), to.size) != kBytes) die("sendto");
}

int listen_at(const Place &place) {
  const int fd = place.socket(SOCK_DGRAM), least = 1;
  valid(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least)), "SO_RCVBUF");
  valid(bind(fd, place.generic(), place.size), "bind");
  return fd;
}

int take(int fd, int flags) {
  char bytes[kBytes];
  return recv(fd, bytes, sizeof(bytes), flags) == kBytes;
}

void refused(const Place &to, int n) {
  for (int i = 0; i < n; i++) {
    const int fd = to.socket(SOCK_STREAM);
    if (connect(fd, to.generic(), to.size) == 0 || errno != ECONNREFUSED) die("connect");
    close(fd);
  }
}

constexpr int kFirst = 1001;

struct Received {
  int tid;
  uint64_t from_ns, to_ns;
};

uint64_t now_ns() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Until one of no bytes comes.
void receive_all(int fd, std::vector<Received> &received) {
  std::vector<char> bytes(65536);
  for (;;) {
    const uint64_t from_ns = now_ns();
    const ssize_t size = recv(fd, bytes.data(), bytes.size(), 0);
    if (size < kFirst) return;
    received.at(static_cast<size_t>(size - kFirst)) = {gettid(), from_ns, now_ns()};
  }
}

void send_each_second(const Place &to, int from, int n) {
  const int fd = to.socket(SOCK_DGRAM);
  const std::vector<char> bytes(65536);
  valid(connect(fd, to.generic(), to.size), "connect");
  for (int i = from; i < n; i += 2)
    if (send(fd, bytes.data(), static_cast<size_t>(kFirst + i), 0) < 0) die("send");
  close(fd);
}

void flood(const Place &to, int n) {
  constexpr int kRoom = 1 << 28;
  const int fd = to.socket(SOCK_DGRAM);
  valid(setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &kRoom, sizeof(kRoom)), "SO_RCVBUFFORCE");
  valid(bind(fd, to.generic(), to.size), "bind");
  std::vector<Received> received(static_cast<size_t>(n));
  std::thread readers[] = {std::thread(receive_all, fd, std::ref(received)),
                           std::thread(receive_all, fd, std::ref(received))};
  std::thread senders[] = {std::thread(send_each_second, to, 0, n), std::thread(send_each_second, to, 1, n)};
  for (std::thread &sender : senders) sender.join();
  for (size_t i = 0; i < std::size(readers); i++)
    if (sendto(fd, "", 0, 0, to.generic(), to.size) != 0) die("sendto");
  for (std::thread &reader : readers) reader.join();
  for (int i = 0; i < n; i++) {
    const auto &[tid, from_ns, to_ns] = received[static_cast<size_t>(i)];
    printf("{\"type\":\"received\",\"size_bytes\":%d,\"tid\":%d,\"from_ns\":%llu,\"to_ns\":%llu}\n", kFirst + i, tid,
           static_cast<unsigned long long>(from_ns), static_cast<unsigned long long>(to_ns));
  }
}

}  // namespace

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);  // strata writes lines to the same file
  const std::string what = argv[1];
  const Place to(argv[2], atoi(argv[4]));
  const int n = atoi(argv[3]);
  int kept = 0;
  if (what == "flood") {
    flood(to, n);
    return 0;
  }
  if (what == "refused") {
    refused(to, n);
  } else {
    const int from = to.socket(SOCK_DGRAM), at = what == "closed" ? -1 : listen_at(to);
    for (int i = 0; i < n; i++) {
      send_one(from, to);
      if (what == "read" && !take(at, 0)) die("recv");
    }
    while (what == "full" && take(at, MSG_DONTWAIT)) kept++;
  }
  printf("{\"type\":\"expected\",\"sent\":%d,\"kept\":%d}\n", n, kept);
  return 0;
}
