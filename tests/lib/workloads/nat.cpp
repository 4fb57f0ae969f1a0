// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Runs COMMAND in a network namespace whose server seems to be on another machine, as behind a translator of addresses:
//   nat MS COMMAND...
// What is sent to SERVER_4 arrives at LISTEN_4 as if another machine had sent it, MS milliseconds later, and so does
// what is sent back; neither end has the addresses of the other. Its status is COMMAND's.
#include <linux/if_tun.h>
#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <ctime>
#include <deque>
#include <vector>

#include "net.h"

namespace {

constexpr uint8_t kHere = 1, kSeen = 2,
                  kFrom = 3;  // 10.98.0.x: both ends; the server, as its client sees it; the client
constexpr size_t kHeader = 20, kSource = 12, kDestination = 16, kIpSum = 10, kTcpSum = kHeader + 16;

uint64_t now_ms() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

using Packet = std::vector<uint8_t>;

void set_address(int fd, ifreq &device, unsigned long request, const char *text) {
  auto &address = reinterpret_cast<sockaddr_in &>(device.ifr_addr);
  address = {};
  address.sin_family = AF_INET;
  if (inet_pton(AF_INET, text, &address.sin_addr) != 1) die(text);
  valid(ioctl(fd, request, &device), "address");
}

int open_tun() {
  const int tun = valid(open("/dev/net/tun", O_RDWR | O_CLOEXEC), "/dev/net/tun");
  ifreq device = {};
  strcpy(device.ifr_name, "nat0");
  device.ifr_flags = IFF_TUN | IFF_NO_PI;
  valid(ioctl(tun, TUNSETIFF, &device), "TUNSETIFF");
  const int fd = valid(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  set_address(fd, device, SIOCSIFADDR, "10.98.0.1");
  set_address(fd, device, SIOCSIFNETMASK, "255.255.255.0");
  device.ifr_flags = IFF_UP | IFF_RUNNING;
  valid(ioctl(fd, SIOCSIFFLAGS, &device), "SIOCSIFFLAGS");
  close(fd);
  return tun;
}

// The sum of a header in which the 16-bit word `old` becomes `now` (RFC 1624).
void change_sum(Packet &packet, size_t at, uint16_t old, uint16_t now) {
  const auto word = static_cast<uint16_t>(packet[at] << 8 | packet[at + 1]);
  uint32_t sum = static_cast<uint16_t>(~word) + static_cast<uint32_t>(static_cast<uint16_t>(~old)) + now;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  packet[at] = static_cast<uint8_t>(~sum >> 8);
  packet[at + 1] = static_cast<uint8_t>(~sum);
}

// The last byte of an address is the low one of its second word.
void change_address(Packet &packet, size_t at, uint8_t to) {
  const auto old = static_cast<uint16_t>(packet[at + 2] << 8 | packet[at + 3]);
  const auto now = static_cast<uint16_t>((old & 0xff00) | to);
  packet[at + 3] = to;
  change_sum(packet, kIpSum, old, now);
  change_sum(packet, kTcpSum, old, now);
}

// False: nobody has what it is for.
bool translate(Packet &packet) {
  if (packet.size() < kHeader + 20 || packet[0] != 0x45 || packet[9] != IPPROTO_TCP) return false;
  if (const uint8_t to = packet[kDestination + 3]; to != kSeen && to != kFrom) return false;
  change_address(packet, kSource, packet[kDestination + 3] == kSeen ? kFrom : kSeen);
  change_address(packet, kDestination, kHere);
  return true;
}

void forward(int tun, uint64_t delay_ms, pid_t command) {
  struct Late {
    Packet packet;
    uint64_t due_ms;
  };
  std::deque<Late> late;
  for (int status = 0;;) {
    const uint64_t now = now_ms();
    for (; !late.empty() && late.front().due_ms <= now; late.pop_front())
      if (write(tun, late.front().packet.data(), late.front().packet.size()) < 0) die("write");
    if (waitpid(command, &status, WNOHANG) == command) exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    pollfd wait = {.fd = tun, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, late.empty() ? 20 : static_cast<int>(late.front().due_ms - now)) <= 0) continue;
    Packet packet(65536);
    packet.resize(static_cast<size_t>(valid(static_cast<int>(read(tun, packet.data(), packet.size())), "read")));
    if (translate(packet)) late.push_back({std::move(packet), now_ms() + delay_ms});
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  valid(unshare(CLONE_NEWNET), "unshare");
  bring_up_loopback();
  const int tun = open_tun();
  setenv("LISTEN_4", "10.98.0.1", 1);
  setenv("SERVER_4", "10.98.0.2", 1);
  const pid_t command = valid(fork(), "fork");
  if (command == 0) {
    execv(argv[2], argv + 2);
    die(argv[2]);
  }
  forward(tun, static_cast<uint64_t>(atoi(argv[1])), command);
}
