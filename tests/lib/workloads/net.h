// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the workloads that use sockets share: calls that end the program if they fail, and the server's address, on this
// host or in a network namespace: then SERVER_4 and SERVER_6 have it, and the client moves to CLIENT_NETNS
// (tests/lib/live/net.sh). LISTEN_4 is where a server is that its clients see elsewhere (nat.cpp).
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

constexpr int kEstablished = 1, kClosed = 7;  // TCP states; linux/tcp.h does not have them

[[noreturn]] inline void die(const char *what) {
  perror(what);
  exit(1);
}

inline int valid(int result, const char *what) {
  if (result < 0) die(what);
  return result;
}

inline std::string setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value ? value : otherwise;
}

// An address and a port, of `4`, `6`, `mapped`, which is IPv4 by IPv6 sockets, or `multipath`, IPv4 by MPTCP; of `unix`
// the path SERVER_UNIX.
struct Place {
  sockaddr_storage address = {};
  socklen_t size = 0;
  int protocol = 0;

  explicit Place(const std::string &kind, int port = 0)
      : Place(kind, port, setting("SERVER_4", "127.0.0.1"), setting("SERVER_6", "::1")) {}

  Place(const std::string &kind, int port, const std::string &ipv4_text, const std::string &ipv6_text) {
    if (kind == "unix") {
      set_path(setting("SERVER_UNIX", "server"));
      return;
    }
    const bool by_ipv4 = kind == "4" || kind == "multipath";
    const std::string text = kind == "mapped" ? "::ffff:" + ipv4_text : kind == "6" ? ipv6_text : ipv4_text;
    auto &ipv4 = reinterpret_cast<sockaddr_in &>(address);
    auto &ipv6 = reinterpret_cast<sockaddr_in6 &>(address);
    address.ss_family = by_ipv4 ? AF_INET : AF_INET6;
    size = by_ipv4 ? sizeof(ipv4) : sizeof(ipv6);
    if (kind == "multipath") protocol = IPPROTO_MPTCP;
    void *const number = by_ipv4 ? static_cast<void *>(&ipv4.sin_addr) : &ipv6.sin6_addr;
    if (inet_pton(address.ss_family, text.c_str(), number) != 1) die(text.c_str());
    ipv4.sin_port = htons(static_cast<uint16_t>(port));  // where sin6_port is
  }

  [[nodiscard]] sockaddr *generic() { return reinterpret_cast<sockaddr *>(&address); }
  [[nodiscard]] const sockaddr *generic() const { return reinterpret_cast<const sockaddr *>(&address); }
  [[nodiscard]] int port() const { return ntohs(reinterpret_cast<const sockaddr_in &>(address).sin_port); }
  void set_path(const std::string &path) {
    auto &local = reinterpret_cast<sockaddr_un &>(address);
    local.sun_family = AF_UNIX;
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    if (path.size() >= sizeof(local.sun_path)) die(path.c_str());
    strcpy(local.sun_path, path.c_str());
  }
  [[nodiscard]] int socket(int type) const { return valid(::socket(address.ss_family, type, protocol), "socket"); }
};

// Where a server listens.
inline Place own_place(const std::string &kind, int port = 0) {
  return {kind, port, setting("LISTEN_4", setting("SERVER_4", "127.0.0.1").c_str()), setting("SERVER_6", "::1")};
}

// A socket of a port that is taken, also where nobody listens; if it was 0, of one that the kernel chose.
inline int take_port(Place &place, int type = SOCK_STREAM) {
  const int fd = place.socket(type), one = 1;
  valid(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)), "SO_REUSEADDR");
  valid(bind(fd, place.generic(), place.size), "bind");
  valid(getsockname(fd, place.generic(), &place.size), "getsockname");
  return fd;
}

inline int connected(const Place &place, int type = SOCK_STREAM) {
  const int fd = place.socket(type);
  valid(connect(fd, place.generic(), place.size), "connect");
  return fd;
}

inline int accepted(int listener) { return valid(accept(listener, nullptr, nullptr), "accept"); }

inline tcp_info info_of(int fd) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  valid(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size), "TCP_INFO");
  return info;
}

// Half a minute at most.
inline void wait_closed(int fd) {
  constexpr int kTries = 30'000;
  for (int i = 0; i < kTries; i++) {
    if (info_of(fd).tcpi_state == kClosed) return;
    usleep(1000);
  }
  die("not closed");
}

inline void enter_client_netns() {
  const std::string path = setting("CLIENT_NETNS", "");
  if (path.empty()) return;
  const int fd = valid(open(path.c_str(), O_RDONLY | O_CLOEXEC), path.c_str());
  valid(setns(fd, CLONE_NEWNET), "setns");
  close(fd);
}

// In a new namespace, and in a guest, nobody has. MTU 0: as it is.
inline void bring_up_loopback(int mtu = 0) {
  const int fd = valid(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  ifreq device = {};
  strcpy(device.ifr_name, "lo");
  valid(ioctl(fd, SIOCGIFFLAGS, &device), "SIOCGIFFLAGS");
  const bool down = (device.ifr_flags & IFF_UP) == 0;
  device.ifr_flags |= IFF_UP;
  if (down) valid(ioctl(fd, SIOCSIFFLAGS, &device), "SIOCSIFFLAGS");
  device.ifr_mtu = mtu;
  if (mtu != 0) valid(ioctl(fd, SIOCSIFMTU, &device), "SIOCSIFMTU");
  close(fd);
}
