// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets over loopback whose end is known:
//   datagrams closed|full 4|6 N PORT     N datagrams of 1009 bytes to PORT, where nobody listens, or nobody reads
//   datagrams read 4|6 N PORT            the same, each read before the next is sent
//   datagrams refused 4|6 N PORT         N attempts to connect by TCP to PORT, where nobody listens
// Prints {"type":"expected","sent":N,"kept":K}: so many are in the queue of the socket that nobody reads.
#include <cerrno>

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

}  // namespace

int main(int, char **argv) {
  const std::string what = argv[1];
  const Place to(argv[2], atoi(argv[4]));
  const int n = atoi(argv[3]);
  int kept = 0;
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
