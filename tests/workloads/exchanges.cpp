// N exchanges of a small message over one TCP connection, each way one packet, between two processes:
//   exchanges 4|6|mapped N [PORT]
// `mapped` is IPv4 by IPv6 sockets; over loopback, or across namespaces as `sockets` does. Each end prints how many
// packets it received while the connection was established: {"type":"expected","comm":"client","port":P,"segments":S}
#include <sys/prctl.h>
#include <sys/wait.h>

#include "net.h"

namespace {

// Of all packets that came in, some were of the handshake: the client's SYN-ACK; the server's SYN and acknowledgement.
void tell(int fd, const char *comm, int port, uint32_t of_handshake) {
  printf("{\"type\":\"expected\",\"comm\":\"%s\",\"port\":%d,\"segments\":%u}\n", comm, port,
         info_of(fd).tcpi_segs_in - of_handshake);
}

void send_message(int fd) {
  const char message[100] = {};
  if (send(fd, message, sizeof(message), MSG_NOSIGNAL) != sizeof(message)) valid(-1, "send");
}

bool receive_message(int fd) {
  char message[100];
  return recv(fd, message, sizeof(message), MSG_WAITALL) == sizeof(message);
}

void run_client(const Place &place, int n) {
  prctl(PR_SET_NAME, "client");
  enter_client_netns();
  const int fd = connected(place);
  for (int i = 0; i < n; i++) {
    send_message(fd);
    if (!receive_message(fd)) valid(-1, "recv");
  }
  tell(fd, "client", place.port(), 1);
  close(fd);
}

// The client's FIN is the last packet that the server receives.
void run_server(int listener, int port) {
  const int fd = accepted(listener);
  while (receive_message(fd)) send_message(fd);
  tell(fd, "server", port, 2);
  close(fd);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  Place place(argv[1], argc > 3 ? atoi(argv[3]) : 0);
  prctl(PR_SET_NAME, "server");
  const int listener = take_port(place);
  valid(listen(listener, 1), "listen");
  const pid_t client = valid(fork(), "fork");
  if (client == 0) {
    close(listener);
    run_client(place, atoi(argv[2]));
    return 0;
  }
  run_server(listener, place.port());
  int status = 0;
  waitpid(client, &status, 0);
  return status != 0;
}
