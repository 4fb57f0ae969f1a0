// Sends 1009 datagrams to itself through the loopback device, and receives each before the next: one softirq NET_RX
// each.
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

// In a guest nobody has.
void bring_up_loopback(int fd) {
  ifreq device = {};
  strcpy(device.ifr_name, "lo");
  if (ioctl(fd, SIOCGIFFLAGS, &device) == 0 && !(device.ifr_flags & IFF_UP)) {
    device.ifr_flags |= IFF_UP;
    ioctl(fd, SIOCSIFFLAGS, &device);
  }
}

}  // namespace

int main() {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  bring_up_loopback(fd);
  sockaddr_in self = {};
  socklen_t size = sizeof(self);
  self.sin_family = AF_INET;
  self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto *const address = reinterpret_cast<sockaddr *>(&self);
  if (bind(fd, address, size) != 0 || getsockname(fd, address, &size) != 0) return perror("bind"), 1;
  for (int i = 0; i < 1009; i++) {
    char byte = 0;
    if (sendto(fd, &byte, 1, 0, address, size) != 1 || recv(fd, &byte, 1, 0) != 1) return perror("send and receive"), 1;
  }
  return 0;
}
