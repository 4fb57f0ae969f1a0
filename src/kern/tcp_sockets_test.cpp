// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/tcp_sockets.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>

#include <cstring>
#include <string>

#include "base/error.h"
#include "base/test.h"
#include "kern/socket_owners.h"

namespace strata {
namespace {

enum : uint8_t { kEstablished = 1, kFinWait2 = 5, kCloseWait = 8, kLastAck, kListen, kClosing };

// Answers as the kernel makes them, part by part.
class Answer {
 public:
  template <typename T>
  Answer &put(const T &part) {
    bytes_.append(reinterpret_cast<const char *>(&part), sizeof(part));
    return *this;
  }
  Answer &begin(uint16_t type, uint32_t size) {
    return put(nlmsghdr{.nlmsg_len = NLMSG_HDRLEN + size, .nlmsg_type = type});
  }
  Answer &cut(size_t bytes) {
    bytes_.resize(bytes_.size() - bytes);
    return *this;
  }
  [[nodiscard]] bool parse() { return parse_tcp_sockets(std::as_bytes(std::span(bytes_)), sockets); }

  std::vector<TcpSocket> sockets;

 private:
  std::string bytes_;
};

inet_diag_msg message(uint8_t state) {
  inet_diag_msg one = {.idiag_family = AF_INET, .idiag_state = state};
  one.id.idiag_sport = htons(443);
  one.id.idiag_dport = htons(50000);
  one.id.idiag_src[0] = htonl(0x0a000007);
  one.id.idiag_dst[0] = htonl(0x0a000009);
  one.id.idiag_cookie[0] = 7;
  one.id.idiag_cookie[1] = 1;
  one.idiag_uid = 33;
  one.idiag_inode = 4711;
  one.idiag_rqueue = 3;
  one.idiag_wqueue = 128;
  return one;
}

constexpr nlattr kInfo = {.nla_len = sizeof(nlattr) + sizeof(tcp_info), .nla_type = INET_DIAG_INFO};

tcp_info counts(uint8_t state) {
  tcp_info info = {};
  info.tcpi_state = state;
  info.tcpi_bytes_sent = 1109;
  info.tcpi_bytes_retrans = 100;
  info.tcpi_bytes_received = 51;
  info.tcpi_total_retrans = 2;
  return info;
}

Answer session(uint8_t state) {
  Answer answer;
  answer.begin(SOCK_DIAG_BY_FAMILY, sizeof(inet_diag_msg) + kInfo.nla_len)
      .put(message(state))
      .put(kInfo)
      .put(counts(state));
  return answer;
}

TEST_CASE("a session has its ends, its owner and what went over it") {
  Answer answer = session(kEstablished);
  CHECK(answer.parse());
  REQUIRE(answer.sockets.size() == 1);
  const TcpSocket &one = answer.sockets[0];
  CHECK(endpoint_text(one.local, one.local_port) == "10.0.0.7:443");
  CHECK(endpoint_text(one.remote, one.remote_port) == "10.0.0.9:50000");
  CHECK(one.cookie == (uint64_t{1} << 32 | 7));
  CHECK(one.inode == 4711);
  CHECK(one.uid == 33);
  CHECK(one.tx_bytes == 1009);
  CHECK(one.rx_bytes == 51);
  CHECK(one.retransmits == 2);
}

TEST_CASE("a FIN that was received is not a byte") {
  for (const uint8_t state : {kCloseWait, kLastAck, kClosing}) {
    Answer answer = session(state);
    CHECK(answer.parse());
    CHECK(answer.sockets.at(0).rx_bytes == 50);
  }
}

TEST_CASE("what has no counts is no session: TIME_WAIT shows the state before it") {
  Answer answer;
  answer.begin(SOCK_DIAG_BY_FAMILY, sizeof(inet_diag_msg)).put(message(kFinWait2));
  CHECK(answer.parse());
  CHECK(answer.sockets.empty());
}

TEST_CASE("a listening socket has its queue and its drops") {
  uint32_t memory[SK_MEMINFO_VARS] = {};
  memory[SK_MEMINFO_DROPS] = 37;
  const nlattr head = {.nla_len = sizeof(head) + sizeof(memory), .nla_type = INET_DIAG_SKMEMINFO};
  Answer answer;
  answer.begin(SOCK_DIAG_BY_FAMILY, sizeof(inet_diag_msg) + head.nla_len).put(message(kListen)).put(head).put(memory);
  CHECK(answer.parse());
  const TcpSocket &one = answer.sockets.at(0);
  CHECK(one.waiting == 3);
  CHECK(one.limit == 128);
  CHECK(one.drops == 37);
  CHECK(one.tx_bytes == 0);
}

TEST_CASE("the end, an error, and what was cut") {
  Answer done;
  done.begin(NLMSG_DONE, sizeof(int)).put(0);
  CHECK(!done.parse());
  Answer error;
  error.begin(NLMSG_ERROR, sizeof(int)).put(-ENOENT);
  CHECK_THROWS_AS(error.parse(), Error);
  Answer cut = session(kEstablished).cut(1);
  CHECK(cut.parse());
  CHECK(cut.sockets.empty());
}

TEST_CASE("a descriptor of a socket has its inode in its link") {
  CHECK(socket_inode("socket:[4711]") == 4711);
  CHECK(socket_inode("socket:[4711") == 0);
  CHECK(socket_inode("socket:[x]") == 0);
  CHECK(socket_inode("pipe:[4711]") == 0);
  CHECK(socket_inode("") == 0);
}

}  // namespace
}  // namespace strata
