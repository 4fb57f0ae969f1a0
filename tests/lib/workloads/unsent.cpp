// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// connect() that fails before a SYN is sent, N times: TCP does not connect to groups, wherever routes lead.
//   unsent 4|6|mapped N PORT
// `mapped` is IPv4 by IPv6 sockets.
#include <cerrno>

#include "net.h"

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const Place group(argv[1], atoi(argv[3]), "224.0.0.1", "ff02::1");
  for (int i = 0; i < atoi(argv[2]); i++) {
    const int fd = group.socket(SOCK_STREAM);
    if (connect(fd, group.generic(), group.size) == 0 || errno != ENETUNREACH) die("connect");
    close(fd);
  }
  return 0;
}
