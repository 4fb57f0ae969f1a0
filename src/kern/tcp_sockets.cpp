// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/tcp_sockets.h"

#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <set>
#include <string>

#include "base/error.h"
#include "base/fd.h"

namespace strata {
namespace {

// enum of include/net/tcp_states.h, which is the kernel's own.
enum : uint32_t { kEstablished = 1, kFinWait1 = 4, kFinWait2, kCloseWait = 8, kLastAck, kListen, kClosing };

constexpr uint32_t states_of(TcpSockets which) {
  if (which == TcpSockets::kListening) return 1U << kListen;
  return 1U << kEstablished | 1U << kFinWait1 | 1U << kFinWait2 | 1U << kCloseWait | 1U << kLastAck | 1U << kClosing;
}

constexpr uint8_t attribute_of(TcpSockets which) {
  return 1U << ((which == TcpSockets::kListening ? INET_DIAG_SKMEMINFO : INET_DIAG_INFO) - 1);
}

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 body;
};

Address address_of(const __be32 (&words)[4], int family) {
  if (family == AF_INET) return ipv4_address(be32toh(words[0]));
  uint64_t halves[2];
  memcpy(halves, words, sizeof(halves));
  return {be64toh(halves[0]), be64toh(halves[1])};
}

// A received FIN is counted as a byte. The state must be of the same moment: tcp_info is read under the socket's lock.
bool has_fin(uint32_t state) { return state == kCloseWait || state == kLastAck || state == kClosing; }

void take_counts(std::span<const std::byte> bytes, TcpSocket &socket) {
  tcp_info info = {};
  memcpy(&info, bytes.data(), std::min(bytes.size(), sizeof(info)));
  socket.tx_bytes = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
  socket.rx_bytes = info.tcpi_bytes_received - (has_fin(info.tcpi_state) && info.tcpi_bytes_received != 0);
  socket.retransmits = info.tcpi_total_retrans;
}

void take_memory(std::span<const std::byte> bytes, TcpSocket &socket) {
  uint32_t memory[SK_MEMINFO_VARS] = {};
  memcpy(memory, bytes.data(), std::min(bytes.size(), sizeof(memory)));
  socket.drops = memory[SK_MEMINFO_DROPS];
}

// False if the counts of a session are not there: in TIME_WAIT the kernel has given them up, whatever the state says.
bool take_attributes(std::span<const std::byte> rest, TcpSocket &socket) {
  bool counted = socket.state == kListen;
  while (rest.size() >= sizeof(nlattr)) {
    nlattr attribute;
    memcpy(&attribute, rest.data(), sizeof(attribute));
    if (attribute.nla_len < sizeof(attribute) || attribute.nla_len > rest.size()) break;
    const auto value = rest.subspan(sizeof(attribute), attribute.nla_len - sizeof(attribute));
    if (attribute.nla_type == INET_DIAG_INFO && socket.state != kListen) {
      take_counts(value, socket);
      counted = true;
    }
    if (attribute.nla_type == INET_DIAG_SKMEMINFO) take_memory(value, socket);
    rest = rest.subspan(std::min<size_t>(NLA_ALIGN(attribute.nla_len), rest.size()));
  }
  return counted;
}

void take_socket(std::span<const std::byte> body, std::vector<TcpSocket> &sockets) {
  inet_diag_msg message;
  memcpy(&message, body.data(), sizeof(message));
  TcpSocket socket = {.cookie = uint64_t{message.id.idiag_cookie[1]} << 32 | message.id.idiag_cookie[0],
                      .inode = message.idiag_inode,
                      .local = address_of(message.id.idiag_src, message.idiag_family),
                      .remote = address_of(message.id.idiag_dst, message.idiag_family),
                      .local_port = be16toh(message.id.idiag_sport),
                      .remote_port = be16toh(message.id.idiag_dport),
                      .uid = message.idiag_uid,
                      .state = message.idiag_state};
  if (socket.state == kListen) socket.waiting = message.idiag_rqueue, socket.limit = message.idiag_wqueue;
  if (take_attributes(body.subspan(sizeof(message)), socket)) sockets.push_back(socket);
}

[[noreturn]] void reject_options(int err) {
  if (err == ENOENT || err == EPROTONOSUPPORT)
    throw Error("cannot list the TCP sockets: this kernel lacks tcp_diag (try: modprobe tcp_diag)");
  throw system_error("cannot list the TCP sockets", err);
}

ino_t number_of(const std::string &path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// Of the network namespace that this thread is in.
void list_here(TcpSockets which, std::vector<TcpSocket> &sockets, const std::function<void()> &between) {
  const size_t before = sockets.size();
  constexpr size_t kRoom = 64 << 10;
  static const std::unique_ptr<std::byte[]> room(new std::byte[kRoom]);
  const Fd fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!fd) reject_options(errno);
  for (const int family : {AF_INET, AF_INET6}) {
    Request request = {.header = {.nlmsg_len = sizeof(request),
                                  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                                  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
                       .body = {.sdiag_family = static_cast<uint8_t>(family),
                                .sdiag_protocol = IPPROTO_TCP,
                                .idiag_ext = attribute_of(which),
                                .idiag_states = states_of(which)}};
    if (send(fd.get(), &request, sizeof(request), 0) < 0) reject_options(errno);
    for (bool more = true; more;) {
      const ssize_t n = recv(fd.get(), room.get(), kRoom, 0);
      if (n < 0 && errno != EINTR) reject_options(errno);
      if (n >= 0) more = parse_tcp_sockets({room.get(), static_cast<size_t>(n)}, sockets);
      between();
    }
  }
  const ino_t netns = number_of("/proc/thread-self/ns/net");
  for (TcpSocket &socket : std::span(sockets).subspan(before)) socket.netns = netns;
}

// One process of each other network namespace.
std::vector<std::string> other_namespaces() {
  std::set<ino_t> seen = {0, number_of("/proc/self/ns/net")};
  std::vector<std::string> paths;
  const std::unique_ptr<DIR, int (*)(DIR *)> processes(opendir("/proc"), closedir);
  while (const dirent *one = processes ? readdir(processes.get()) : nullptr) {
    if (isdigit(static_cast<unsigned char>(one->d_name[0])) == 0) continue;
    const std::string path = std::string("/proc/") + one->d_name + "/ns/net";
    if (seen.insert(number_of(path)).second) paths.push_back(path);
  }
  return paths;
}

}  // namespace

bool parse_tcp_sockets(std::span<const std::byte> answer, std::vector<TcpSocket> &sockets) {
  while (answer.size() >= sizeof(nlmsghdr)) {
    nlmsghdr header;
    memcpy(&header, answer.data(), sizeof(header));
    if (header.nlmsg_len < sizeof(header) || header.nlmsg_len > answer.size()) break;
    const auto body = answer.subspan(sizeof(header), header.nlmsg_len - sizeof(header));
    if (header.nlmsg_type == NLMSG_DONE) return false;
    if (header.nlmsg_type == NLMSG_ERROR) {
      int err = 0;
      memcpy(&err, body.data(), std::min(body.size(), sizeof(err)));
      reject_options(-err);
    }
    if (header.nlmsg_type == SOCK_DIAG_BY_FAMILY && body.size() >= sizeof(inet_diag_msg)) take_socket(body, sockets);
    answer = answer.subspan(std::min<size_t>(NLMSG_ALIGN(header.nlmsg_len), answer.size()));
  }
  return true;
}

std::vector<TcpSocket> tcp_sockets(TcpSockets which, const std::function<void()> &between) {
  std::vector<TcpSocket> sockets;
  list_here(which, sockets, between);
  const Fd own(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  for (const std::string &path : other_namespaces()) {
    const Fd other(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!own || !other || setns(other.get(), CLONE_NEWNET) != 0) continue;
    list_here(which, sockets, between);
    if (setns(own.get(), CLONE_NEWNET) != 0) throw system_error("cannot return to the network namespace of strata");
  }
  return sockets;
}

}  // namespace strata
