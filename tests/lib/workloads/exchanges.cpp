// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// N exchanges of a small message over one TCP connection, each way one packet, between two processes:
//   exchanges 4|6|mapped N [PORT]
// `mapped` is IPv4 by IPv6 sockets; over loopback, or across namespaces as `sockets` does. Each end prints how many
// packets it received while the connection was established: {"type":"expected","comm":"client","port":P,"segments":S}
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <atomic>

#include "net.h"

namespace {

// What the other end sees of one: how many packets it has received (high half) and sent, without the SYN, the SYN-ACK
// and their repetitions; 0 as long as any of its data is not acknowledged.
struct End {
  std::atomic<uint64_t> packets;
  std::atomic<bool> settled;
};
struct Ends {
  End client, server;
};

// Until all that both have sent has arrived at the other, and is acknowledged: from then on, nothing comes. Returns
// what this end has received.
uint32_t settle(int fd, End &own, const End &other, uint32_t more_in, uint32_t more_out) {
  constexpr int kTries = 30'000;
  for (int i = 0; i < kTries; i++) {
    const tcp_info info = info_of(fd);
    const uint64_t in = info.tcpi_segs_in - more_in, out = info.tcpi_segs_out - more_out;
    own.packets = info.tcpi_unacked == 0 ? in << 32 | out : 0;
    if (own.packets != 0 && other.packets == (out << 32 | in)) {
      own.settled = true;
      while (!other.settled) usleep(1000);
      return info.tcpi_segs_in;
    }
    usleep(1000);
  }
  die("not settled");
}

void tell(const char *comm, int port, uint32_t segments) {
  printf("{\"type\":\"expected\",\"comm\":\"%s\",\"port\":%d,\"segments\":%u}\n", comm, port, segments);
}

// While a task has the socket, its packets wait, and the kernel makes one of two that only continue each other, such as
// an acknowledgement and the next message (TCPBacklogCoalesce). Of another traffic class than the last, it cannot.
void send_message(int fd, int family, int i) {
  const int one_class = i % 2 == 0 ? 0x08 : 0x10;
  valid(setsockopt(fd, IPPROTO_IP, IP_TOS, &one_class, sizeof(one_class)), "IP_TOS");
  if (family == AF_INET6)
    valid(setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &one_class, sizeof(one_class)), "IPV6_TCLASS");
  const char message[100] = {};
  if (send(fd, message, sizeof(message), MSG_NOSIGNAL) != sizeof(message)) die("send");
}

void receive_message(int fd) {
  char message[100];
  if (recv(fd, message, sizeof(message), MSG_WAITALL) != sizeof(message)) die("recv");
}

// Of all that it received, the SYN-ACK was of the handshake.
void run_client(const Place &place, int n, Ends &ends) {
  prctl(PR_SET_NAME, "client");
  enter_client_netns();
  const int fd = connected(place);
  const uint32_t syns_again = info_of(fd).tcpi_total_retrans;
  for (int i = 0; i < n; i++) {
    send_message(fd, place.address.ss_family, i);
    receive_message(fd);
  }
  tell("client", place.port(), settle(fd, ends.client, ends.server, 1, 1 + syns_again) - 1);
  close(fd);
}

// Of all that it received, the SYN and its acknowledgement were of the handshake; and the FIN is still to come.
void run_server(const Place &place, int listener, int n, Ends &ends) {
  const int fd = accepted(listener);
  const uint32_t syn_acks_again = info_of(fd).tcpi_total_retrans;
  for (int i = 0; i < n; i++) {
    receive_message(fd);
    send_message(fd, place.address.ss_family, i);
  }
  tell("server", place.port(), settle(fd, ends.server, ends.client, 1, -syn_acks_again) - 2 + 1);
  char c = 0;
  if (recv(fd, &c, 1, 0) != 0) die("end of the stream");
  close(fd);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  Place place(argv[1], argc > 3 ? atoi(argv[3]) : 0);
  const int n = atoi(argv[2]);
  prctl(PR_SET_NAME, "server");
  const int listener = take_port(place);
  valid(listen(listener, 1), "listen");
  auto &ends =
      *static_cast<Ends *>(mmap(nullptr, sizeof(Ends), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    run_client(place, n, ends);
    return 0;
  }
  run_server(place, listener, n, ends);
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
