// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One TCP connection over loopback, in a network namespace of its own, some of whose packets are lost in a known way:
//   losses 4|6|mapped tail|some|fast|handshake N [PORT]
// N messages go from the client to the server. `tail`: the server gets none until the client has sent some twice again;
// `some`: one packet in five is lost; `fast`: the same without SACK; `handshake`: the client gets nothing until it has
// sent its SYN again. What an end gets is lost by a filter of its socket. Prints what the namespace has counted, the
// names being the kernel's:
// {"type":"expected","port":P,"server":PID,"client":PID,"RetransSegs":n,"TCPTimeouts":n,...}
#include <linux/filter.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>

#include "net.h"

namespace {

constexpr size_t kMessage = 1009;

void set(const char *file, const char *value) {
  std::ofstream out(file);
  out << value << std::flush;
  if (!out) valid(-1, file);
}

void enter_netns(bool sack) {
  valid(unshare(CLONE_NEWNET), "unshare");
  bring_up_loopback(1500);
  if (!sack) set("/proc/sys/net/ipv4/tcp_sack", "0");
}

// The receiving side of a socket gets no packet, or loses one in `of`; 0: gets all.
void lose(int fd, uint32_t of) {
  if (of == 0) return static_cast<void>(setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &of, sizeof(of)));
  constexpr auto kRandom = static_cast<uint32_t>(SKF_AD_OFF + SKF_AD_RANDOM);
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kRandom),
                        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, UINT32_MAX / of, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX), BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog program = {.len = 4, .filter = code};
  valid(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)), "SO_ATTACH_FILTER");
}

// Until its FIN is acknowledged, all that was lost was sent again.
void run_client(const Place &place, const std::string &way, int n, int other) {
  prctl(PR_SET_NAME, "client");
  const int fd = place.socket(SOCK_STREAM | (way == "handshake" ? SOCK_NONBLOCK : 0)), one = 1;
  valid(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), "TCP_NODELAY");
  if (way == "handshake") {
    lose(fd, 1);
    connect(fd, place.generic(), place.size);
    while (info_of(fd).tcpi_total_retrans == 0) usleep(1000);
    lose(fd, 0);
    while (info_of(fd).tcpi_state != kEstablished) usleep(1000);
  } else {
    valid(connect(fd, place.generic(), place.size), "connect");
  }
  char c = 0;
  valid(static_cast<int>(read(other, &c, 1)), "read");  // the server loses packets now
  const char message[kMessage] = {};
  for (int i = 0; i < n; i++) {
    while (send(fd, message, sizeof(message), MSG_NOSIGNAL) < 0) usleep(100);
    usleep(200);
  }
  while (way == "tail" && info_of(fd).tcpi_total_retrans < 2) usleep(1000);
  valid(static_cast<int>(write(other, &c, 1)), "write");
  shutdown(fd, SHUT_WR);
  wait_closed(fd);
}

void run_server(int listener, const std::string &way, int n, int other) {
  const int fd = accepted(listener);
  if (way == "tail") lose(fd, 1);
  if (way == "some" || way == "fast") lose(fd, 5);
  char c = 0;
  valid(static_cast<int>(write(other, &c, 1)), "write");
  if (way == "tail") valid(static_cast<int>(read(other, &c, 1)), "read");
  if (way == "tail") lose(fd, 0);
  char message[kMessage];
  for (int i = 0; i < n; i++)
    if (recv(fd, message, sizeof(message), MSG_WAITALL) != sizeof(message)) valid(-1, "recv");
  lose(fd, 0);
  if (recv(fd, &c, 1, 0) != 0) valid(-1, "end of the stream");
  shutdown(fd, SHUT_WR);
  wait_closed(fd);
}

// The counters of a file such as /proc/net/snmp: a line of names, then one of values.
unsigned long long counted(const char *file, const std::string &wanted) {
  std::ifstream in(file);
  for (std::string names, values; std::getline(in, names) && std::getline(in, values);) {
    std::istringstream name_of(names), value_of(values);
    for (std::string name, value; name_of >> name && value_of >> value;)
      if (name == wanted) return std::stoull(value);
  }
  return 0;
}

void tell(int port, pid_t client) {
  printf(R"({"type":"expected","port":%d,"server":%d,"client":%d)", port, getpid(), client);
  printf(R"(,"RetransSegs":%llu)", counted("/proc/self/net/snmp", "RetransSegs"));
  for (const char *name :
       {"TCPTimeouts", "TCPSlowStartRetrans", "TCPFastRetrans", "TCPLossProbes", "TCPSynRetrans", "TCPRetransFail"}) {
    printf(R"(,"%s":%llu)", name, counted("/proc/self/net/netstat", name));
  }
  puts("}");
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const std::string way = argv[2];
  const int n = atoi(argv[3]);
  enter_netns(way != "fast");
  Place place(argv[1], argc > 4 ? atoi(argv[4]) : 0);
  prctl(PR_SET_NAME, "server");
  const int listener = take_port(place);
  valid(listen(listener, 1), "listen");
  int ends[2];
  valid(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    run_client(place, way, n, ends[0]);
    return 0;
  }
  run_server(listener, way, n, ends[1]);
  int status = 0;
  waitpid(client, &status, 0);
  tell(place.port(), client);
  return status != 0;
}
