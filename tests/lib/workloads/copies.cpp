// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What moves bytes without a buffer of the caller's, in prime numbers: `copies DIR`. DIR/from has 1 MiB. 11
// copy_file_range of 4096 to DIR/ranges, at offsets; 7 sendfile of 8192 to DIR/sent, at its position; 5 splice of 4096
// from a pipe to DIR/spliced; 3 sendfile of 16384 from DIR/from to a socket; 2 copy_file_range to a file that is open
// for reading only. And 13 pread at an offset below 0.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::string directory;

void times(int n, ssize_t wanted, const char *what, auto call) {
  for (int i = 0; i < n; i++) {
    if (call(i) == wanted) continue;
    perror(what);
    exit(1);
  }
}

int opened(const char *name, int flags) {
  const int fd = open((directory + "/" + name).c_str(), flags | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  perror(name);
  exit(1);
}

}  // namespace

int main(int argc, char **argv) {
  directory = argc > 1 ? argv[1] : ".";
  std::vector<char> buffer(1 << 20, 'c');
  int pipes[2], sockets[2];
  if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  const int from = opened("from", O_RDWR | O_CREAT | O_TRUNC), ranges = opened("ranges", O_WRONLY | O_CREAT | O_TRUNC),
            sent = opened("sent", O_WRONLY | O_CREAT | O_TRUNC),
            spliced = opened("spliced", O_WRONLY | O_CREAT | O_TRUNC), sealed = opened("sent", O_RDONLY);
  times(1, 1 << 20, "write", [&](int) { return write(from, buffer.data(), buffer.size()); });
  times(11, 4096, "copy_file_range", [&](int i) {
    off64_t in = 4096 * i, out = 8192 * i;
    return copy_file_range(from, &in, ranges, &out, 4096, 0);
  });
  times(7, 8192, "sendfile", [&](int) {
    off_t in = 0;
    return sendfile(sent, from, &in, 8192);
  });
  times(5, 4096, "splice", [&](int) {
    if (write(pipes[1], buffer.data(), 4096) != 4096) return ssize_t{-1};
    return splice(pipes[0], nullptr, spliced, nullptr, 4096, 0);
  });
  times(3, 16384, "sendfile to a socket", [&](int i) {
    off_t in = 16384 * i;
    return sendfile(sockets[0], from, &in, 16384);
  });
  times(2, -1, "copy_file_range to what is read only", [&](int) {
    off64_t in = 0, out = 0;
    return copy_file_range(from, &in, sealed, &out, 4096, 0);
  });
  times(13, -1, "pread before the beginning", [&](int) { return pread(from, buffer.data(), 512, -4096); });
  return 0;
}
