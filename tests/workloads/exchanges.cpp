// N exchanges of a small message over one TCP connection, each way one packet, between two processes:
//   exchanges 4|6|mapped N [PORT]
// `mapped` is IPv4 by IPv6 sockets; over loopback, or across namespaces as `sockets` does. Each end prints how many
// packets it received while the connection was established: {"type":"expected","comm":"client","port":P,"segments":S}
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int valid(int result, const char *what) {
  if (result < 0) {
    perror(what);
    exit(1);
  }
  return result;
}

std::string setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value ? value : otherwise;
}

socklen_t place(const std::string &kind, int port, sockaddr_storage &address) {
  const std::string ipv4_text = setting("SERVER_4", "127.0.0.1");
  if (kind == "4") {
    auto &ipv4 = reinterpret_cast<sockaddr_in &>(address);
    ipv4 = {.sin_family = AF_INET, .sin_port = htons(static_cast<uint16_t>(port))};
    inet_pton(AF_INET, ipv4_text.c_str(), &ipv4.sin_addr);
    return sizeof(ipv4);
  }
  auto &ipv6 = reinterpret_cast<sockaddr_in6 &>(address);
  ipv6 = {.sin6_family = AF_INET6, .sin6_port = htons(static_cast<uint16_t>(port))};
  inet_pton(AF_INET6, (kind == "6" ? setting("SERVER_6", "::1") : "::ffff:" + ipv4_text).c_str(), &ipv6.sin6_addr);
  return sizeof(ipv6);
}

void enter_client_netns() {
  const std::string path = setting("CLIENT_NETNS", "");
  if (path.empty()) return;
  const int fd = valid(open(path.c_str(), O_RDONLY | O_CLOEXEC), path.c_str());
  valid(setns(fd, CLONE_NEWNET), "setns");
  close(fd);
}

// Of all packets that came in, some were of the handshake: the client's SYN-ACK; the server's SYN and acknowledgement.
void tell(int fd, const char *comm, int port, uint32_t of_handshake) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  valid(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size), "TCP_INFO");
  printf("{\"type\":\"expected\",\"comm\":\"%s\",\"port\":%d,\"segments\":%u}\n", comm, port,
         info.tcpi_segs_in - of_handshake);
}

void send_message(int fd) {
  const char message[100] = {};
  if (send(fd, message, sizeof(message), MSG_NOSIGNAL) != sizeof(message)) valid(-1, "send");
}

bool receive_message(int fd) {
  char message[100];
  return recv(fd, message, sizeof(message), MSG_WAITALL) == sizeof(message);
}

void run_client(const sockaddr_storage &address, socklen_t size, int n, int port) {
  prctl(PR_SET_NAME, "client");
  enter_client_netns();
  const int fd = valid(socket(address.ss_family, SOCK_STREAM, 0), "socket");
  valid(connect(fd, reinterpret_cast<const sockaddr *>(&address), size), "connect");
  for (int i = 0; i < n; i++) {
    send_message(fd);
    if (!receive_message(fd)) valid(-1, "recv");
  }
  tell(fd, "client", port, 1);
  close(fd);
}

// The client's FIN is the last packet that the server receives.
void run_server(int listener, int port) {
  const int fd = valid(accept(listener, nullptr, nullptr), "accept");
  while (receive_message(fd)) send_message(fd);
  tell(fd, "server", port, 2);
  close(fd);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  sockaddr_storage address = {};
  socklen_t size = place(argv[1], argc > 3 ? atoi(argv[3]) : 0, address);
  prctl(PR_SET_NAME, "server");
  const int listener = valid(socket(address.ss_family, SOCK_STREAM, 0), "socket"), one = 1;
  valid(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)), "SO_REUSEADDR");
  valid(bind(listener, reinterpret_cast<sockaddr *>(&address), size), "bind");
  valid(getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size), "getsockname");
  valid(listen(listener, 1), "listen");
  const int port = ntohs(reinterpret_cast<sockaddr_in &>(address).sin_port);
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    run_client(address, size, atoi(argv[2]), port);
    return 0;
  }
  run_server(listener, port);
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
