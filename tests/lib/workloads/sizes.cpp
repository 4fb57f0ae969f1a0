// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Reads and writes of known sizes in DIR/sizes: 1009 writes of 512 bytes, 503 preads of 4096, 101 preads at the end of
// the file that ask for 4096 and get 100, 7 that get nothing, 53 writes to no file that ask for 8192, 13 writev of 300,
// 11 sendto of 64 and as many recvfrom, and one write of 1 MiB, of which a pipe takes its 64 KiB.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::vector<char> buffer(1 << 20, 's');

void times(int n, ssize_t wanted, const char *what, auto call) {
  for (int i = 0; i < n; i++) {
    if (call() == wanted) continue;
    perror(what);
    exit(1);
  }
}

}  // namespace

int main(int argc, char **argv) {
  const std::string path = std::string(argc > 1 ? argv[1] : ".") + "/sizes";
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  int sockets[2], pipes[2];
  if (file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || pipe2(pipes, O_NONBLOCK) != 0) return 1;
  if (fcntl(pipes[1], F_SETPIPE_SZ, 65536) != 65536) return 1;  // by default it has 16 pages
  constexpr off_t kEnd = 1009 * 512;
  iovec parts[3] = {{buffer.data(), 100}, {buffer.data(), 100}, {buffer.data(), 100}};
  times(1009, 512, "write", [&] { return write(file, buffer.data(), 512); });
  times(503, 4096, "pread", [&] { return pread(file, buffer.data(), 4096, 0); });
  times(101, 100, "pread at the end", [&] { return pread(file, buffer.data(), 4096, kEnd - 100); });
  times(7, 0, "pread behind the end", [&] { return pread(file, buffer.data(), 4096, kEnd); });
  times(53, -1, "write to no file", [&] { return write(-1, buffer.data(), 8192); });
  times(13, 300, "writev", [&] { return writev(file, parts, 3); });
  times(11, 64, "sendto", [&] { return sendto(sockets[0], buffer.data(), 64, 0, nullptr, 0); });
  times(11, 64, "recvfrom", [&] { return recvfrom(sockets[1], buffer.data(), 64, MSG_WAITALL, nullptr, nullptr); });
  times(1, 65536, "write to a pipe", [&] { return write(pipes[1], buffer.data(), buffer.size()); });
  return 0;
}
