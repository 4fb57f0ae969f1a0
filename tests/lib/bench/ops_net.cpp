// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Workloads on TCP. For messages both ends are in this process: a loopback segment has arrived when send() returns, so
// that nobody has to wait and no context switch disturbs the figure. Connections are accepted by another process.
#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include "ops.h"

namespace {

constexpr size_t kMessage = 64;
constexpr int kBacklog = 16;

class Listener {
 public:
  explicit Listener(uint16_t port = 0) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_port = htons(port);
    check(bind(fd_, generic(), size_), 0, "bind");
    check(listen(fd_, kBacklog), 0, "listen");
    check(getsockname(fd_, generic(), &size_), 0, "getsockname");
  }
  [[nodiscard]] int accepted() const { return valid(accept(fd_, nullptr, nullptr), "accept"); }
  [[nodiscard]] int connected() const {
    const int fd = valid(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
    check(connect(fd, reinterpret_cast<const sockaddr *>(&address_), size_), 0, "connect");
    return fd;
  }

 private:
  static int valid(int fd, const char *what) {
    if (fd < 0) die(what);
    return fd;
  }
  sockaddr *generic() { return reinterpret_cast<sockaddr *>(&address_); }

  int fd_;
  sockaddr_in address_ = {.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t size_ = sizeof(address_);
};

struct Connection {
  Listener listener;
  int client = listener.connected(), server = listener.accepted();
  Connection() {
    const int one = 1;
    for (const int fd : {client, server})
      check(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), 0, "nodelay");
  }
};

// Accepts connections and closes them at once, for as long as its parent lives.
struct Server {
  Listener listener;
  Server() {
    const pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) close(listener.accepted());
  }
};

// Answers each message by one, on a port that tools can be told. As a batch task it does not preempt: each half of the
// trip is one wake-up and one switch, always.
struct Answers {
  static constexpr uint16_t kPort = 7411;
  Listener listener{kPort};
  int client;
  Answers() {
    const sched_param no_priority = {};
    check(sched_setscheduler(0, SCHED_BATCH, &no_priority), 0, "sched_setscheduler");
    const pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid == 0) answer();
    client = listener.connected();
  }

 private:
  [[noreturn]] void answer() const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int fd = listener.accepted();
    char message[kMessage] = {};
    while (recv(fd, message, kMessage, MSG_WAITALL) == static_cast<ssize_t>(kMessage))
      check(send(fd, message, kMessage, 0), kMessage, "send");
    _exit(0);
  }
};

void pass(int from, int to) {
  char message[kMessage] = {};
  check(send(from, message, kMessage, 0), kMessage, "send");
  check(recv(to, message, kMessage, MSG_WAITALL), kMessage, "recv");
}

uint32_t sent_again(int fd) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  check(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size), 0, "TCP_INFO");
  return info.tcpi_total_retrans;
}

}  // namespace

// The end of the server's side is awaited, so that the backlog never fills.
void connect_close(uint64_t n, const char *) {
  static const Server server;
  char c = 0;
  for (uint64_t i = 0; i < n; i++) {
    const int client = server.listener.connected();
    check(recv(client, &c, 1, 0), 0, "recv");
    close(client);
  }
}

// A port that is bound, to nobody who listens.
void connect_refused(uint64_t n, const char *) {
  static const int taken = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  static sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  auto *const generic = reinterpret_cast<sockaddr *>(&address);
  socklen_t size = sizeof(address);
  if (address.sin_port == 0) {
    check(bind(taken, generic, size), 0, "bind");
    check(getsockname(taken, generic, &size), 0, "getsockname");
  }
  for (uint64_t i = 0; i < n; i++) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(connect(fd, generic, size), -1, "connect");
    close(fd);
  }
}

void send_receive(uint64_t n, const char *) {
  static const Connection connection;
  for (uint64_t i = 0; i < n; i++) pass(connection.client, connection.server);
}

// 64 bytes to a socket of this process.
void datagram(uint64_t n, const char *) {
  static const int from = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
                   to = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  static sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  if (address.sin_port == 0) {
    auto *const generic = reinterpret_cast<sockaddr *>(&address);
    socklen_t size = sizeof(address);
    check(bind(to, generic, size), 0, "bind");
    check(getsockname(to, generic, &size), 0, "getsockname");
    check(connect(from, generic, size), 0, "connect");
  }
  for (uint64_t i = 0; i < n; i++) pass(from, to);
}

// The same while bytes of another connection lie unread, which this process sent under the name `held`.
void send_beside(uint64_t n, const char *) {
  static const Connection connection, other;
  static bool held = false;
  char message[kMessage] = {}, name[16] = {};
  if (held) check(recv(other.server, message, kMessage, MSG_WAITALL), kMessage, "recv");
  check(prctl(PR_GET_NAME, name), 0, "PR_GET_NAME");
  check(prctl(PR_SET_NAME, "held"), 0, "PR_SET_NAME");
  check(send(other.client, message, kMessage, 0), kMessage, "send");
  check(prctl(PR_SET_NAME, name), 0, "PR_SET_NAME");
  held = true;
  for (uint64_t i = 0; i < n; i++) pass(connection.client, connection.server);
}

void request_response(uint64_t n, const char *) {
  static const Connection connection;
  for (uint64_t i = 0; i < n; i++) {
    pass(connection.client, connection.server);
    pass(connection.server, connection.client);
  }
}

void ask_and_wait(uint64_t n, const char *) {
  static const Answers answers;
  for (uint64_t i = 0; i < n; i++) pass(answers.client, answers.client);
}

// The other end drops the message and the first time that it is sent again; the second one arrives.
void send_again(uint64_t n, const char *) {
  static const Connection connection;
  const auto &[listener, client, server] = connection;
  sock_filter nothing[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog program = {.len = 1, .filter = nothing};
  char message[kMessage] = {};
  for (uint64_t i = 0; i < n; i++) {
    const uint32_t before = sent_again(client);
    check(setsockopt(server, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)), 0, "filter");
    check(send(client, message, kMessage, 0), kMessage, "send");
    while (sent_again(client) == before) usleep(50'000);
    check(setsockopt(server, SOL_SOCKET, SO_DETACH_FILTER, &program, sizeof(program)), 0, "no filter");
    check(recv(server, message, kMessage, MSG_WAITALL), kMessage, "recv");
  }
}
