// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// SYNs that cross each other, so that both ends are in SYN_SENT when one comes (simultaneous open):
//   crossing OPEN FAILED
// OPEN sockets that connect to themselves, which succeeds; and FAILED ones that get a SYN, by a raw socket, from a port
// whose backlog is full: they answer, and are reset. Prints a line of JSON:
// {"type":"expected","client":PID,"error":"ERRNO"}
#include <sys/prctl.h>

#include <cerrno>

#include "net.h"

namespace {

void open_itself() {
  Place place("4");
  const int fd = take_port(place);
  valid(connect(fd, place.generic(), place.size), "connect to itself");
  close(fd);
}

// The sum of RFC 1071 over the pseudo header of IPv4 and the segment.
uint16_t checksum(const tcphdr &segment) {
  uint16_t words[sizeof(segment) / 2];
  memcpy(words, &segment, sizeof(words));
  uint32_t sum = 2 * (0x7f00 + 0x0001) + IPPROTO_TCP + sizeof(segment);  // 127.0.0.1 twice
  for (const uint16_t word : words) sum += ntohs(word);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return htons(static_cast<uint16_t>(~sum));
}

void send_syn(int raw, int from, const Place &to) {
  tcphdr segment = {};
  segment.source = htons(static_cast<uint16_t>(from));
  segment.dest = htons(static_cast<uint16_t>(to.port()));
  segment.seq = htonl(4711);
  segment.doff = sizeof(segment) / 4;
  segment.syn = 1;
  segment.window = htons(1000);
  segment.check = checksum(segment);
  Place host("4");
  if (sendto(raw, &segment, sizeof(segment), 0, host.generic(), host.size) != sizeof(segment)) die("sendto");
}

int fail_crossing(int raw, const Place &full) {
  Place own("4");
  const int fd = take_port(own);
  valid(fcntl(fd, F_SETFL, O_NONBLOCK), "O_NONBLOCK");
  if (connect(fd, full.generic(), full.size) == 0 || errno != EINPROGRESS) die("connect");
  send_syn(raw, full.port(), own);
  wait_closed(fd);
  int error = 0;
  socklen_t size = sizeof(error);
  valid(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size), "SO_ERROR");
  close(fd);
  return error;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  prctl(PR_SET_NAME, "client");
  for (int i = 0; i < atoi(argv[1]); i++) open_itself();
  Place full("4");
  const int listener = take_port(full);
  valid(listen(listener, 0), "listen");
  const int first = connected(full);
  while (info_of(listener).tcpi_unacked != 1) usleep(1000);
  const int raw = valid(socket(AF_INET, SOCK_RAW, IPPROTO_TCP), "raw socket");
  int error = 0;
  for (int i = 0; i < atoi(argv[2]); i++) error = fail_crossing(raw, full);
  close(first);
  close(listener);
  printf("{\"type\":\"expected\",\"client\":%d,\"error\":\"%s\"}\n", getpid(),
         error == ECONNRESET     ? "ECONNRESET"
         : error == ECONNREFUSED ? "ECONNREFUSED"
                                 : strerror(error));
}
