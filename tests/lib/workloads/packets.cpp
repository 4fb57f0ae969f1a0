// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Sends 1009 datagrams to itself through the loopback device, and receives each before the next: one softirq NET_RX
// each.
#include "net.h"

int main() {
  bring_up_loopback();
  Place self("4");
  const int fd = self.socket(SOCK_DGRAM);
  valid(bind(fd, self.generic(), self.size), "bind");
  valid(getsockname(fd, self.generic(), &self.size), "getsockname");
  for (int i = 0; i < 1009; i++) {
    char byte = 0;
    if (sendto(fd, &byte, 1, 0, self.generic(), self.size) != 1 || recv(fd, &byte, 1, 0) != 1) die("send and receive");
  }
  return 0;
}
