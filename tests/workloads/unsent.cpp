// connect() that fails before a SYN is sent, N times: TCP does not connect to groups, wherever routes lead.
//   unsent 4|6|mapped N PORT
// `mapped` is IPv4 by IPv6 sockets.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const std::string kind = argv[1];
  sockaddr_in ipv4 = {};
  sockaddr_in6 ipv6 = {};
  ipv4.sin_family = AF_INET;
  ipv6.sin6_family = AF_INET6;
  ipv4.sin_port = ipv6.sin6_port = htons(static_cast<uint16_t>(atoi(argv[3])));
  ipv4.sin_addr.s_addr = htonl(INADDR_ALLHOSTS_GROUP);
  inet_pton(AF_INET6, kind == "6" ? "ff02::1" : "::ffff:224.0.0.1", &ipv6.sin6_addr);
  const bool narrow = kind == "4";
  for (int i = 0; i < atoi(argv[2]); i++) {
    const int fd = socket(narrow ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    const auto *address = narrow ? reinterpret_cast<sockaddr *>(&ipv4) : reinterpret_cast<sockaddr *>(&ipv6);
    if (connect(fd, address, narrow ? sizeof(ipv4) : sizeof(ipv6)) == 0 || errno != ENETUNREACH) {
      perror("connect");
      return 1;
    }
    close(fd);
  }
  return 0;
}
