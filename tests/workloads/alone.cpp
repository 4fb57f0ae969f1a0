// Runs a command in a network namespace of its own, where there is nothing but a loopback device that is up: what
// happens in it is the test's own.
//   alone COMMAND...
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

int main(int, char **argv) {
  if (unshare(CLONE_NEWNET) != 0) return perror("unshare"), 1;
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq device = {};
  strcpy(device.ifr_name, "lo");
  device.ifr_flags = IFF_UP;
  if (ioctl(fd, SIOCSIFFLAGS, &device) != 0) return perror("lo"), 1;
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 1;
}
