// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Workloads for scripts/bench: one operation again and again, nothing else, and what it took. See --help.
#include "ops.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr Workload kWorkloads[] = {
    {"open", "open and close a file", "/etc/passwd", open_close},
    {"stat", "stat a file", "/etc/passwd", stat_file},
    {"dread", "read 4 KiB of a device, O_DIRECT", "/dev/nullb0", read_device},
    {"reread", "read 64 KiB of a file, all in the page cache", "/mnt/reread", read_again},
    {"rw", "write 4 KiB of a file and read them, all in the page cache", "/mnt/rw", write_read},
    {"rewrite", "write 4 KiB to pages that are cached and dirty", "/mnt/rewrite", write_dirty},
    {"extend", "write 4 KiB to new pages of a file that begins empty", "/mnt/extend", write_new},
    {"fsync", "fsync of a file that is kept in memory alone", "/dev/fsync", sync_nothing},
    {"null", "write 512 bytes to a file", "/dev/null", write_null},
    {"dd", "as dd bs=512: read 512 bytes of /dev/zero and write them to a file", "/dev/null", copy_zeros},
    {"exec", "fork, exec this program, exit, wait", nullptr, run_itself},
    {"pingpong", "two context switches: a byte to another process by a pipe, and back", nullptr, ping_pong},
    {"turns", "two waits for a futex that end: another process's, and ours", nullptr, take_turns},
    {"getppid", "the cheapest system call", nullptr, get_ppid},
    {"signal", "send itself a signal that it ignores", nullptr, send_signal},
    {"malloc", "malloc and free of 64 bytes", nullptr, allocate},
    {"touch", "touch a page of new memory, and give it back", nullptr, touch_pages},
    {"spin", "a million instructions without a system call", nullptr, spin},
    {"connect", "TCP on loopback: connect, accept by another process, close both", nullptr, connect_close},
    {"refused", "TCP on loopback: connect to a port where nobody listens", nullptr, connect_refused},
    {"send", "TCP on loopback: send 64 bytes and receive them", nullptr, send_receive},
    {"datagram", "UDP on loopback: send 64 bytes and receive them", nullptr, datagram},
    {"beside", "as send, while bytes lie unread in another connection", nullptr, send_beside},
    {"request", "TCP on loopback: 64 bytes there, and 64 back", nullptr, request_response},
    {"query", "the same to another process, and back", nullptr, ask_and_wait},
    {"resend", "TCP on loopback: send 64 bytes, which are lost twice, and receive them", nullptr, send_again},
    {"resolve", "getaddrinfo of a name", "localhost", resolve_name},
};

int usage(std::FILE *out) {
  std::fputs(
      "usage: ops WORKLOAD N [WHERE]           nanoseconds per operation of N, after a warm-up of as many\n"
      "       ops --serve WORKLOAD N [WHERE]   the same for each line of stdin; without a warm-up\n\n",
      out);
  for (const Workload &w : kWorkloads) {
    std::fprintf(out, "  %-9.*s %s%s%s%s\n", static_cast<int>(w.name.size()), w.name.data(), w.help,
                 w.where ? " (" : "", w.where ? w.where : "", w.where ? ")" : "");
  }
  return out == stdout ? 0 : 2;
}

const Workload *find(std::string_view name) {
  for (const Workload &w : kWorkloads) {
    if (w.name == name && w.run) return &w;
  }
  return nullptr;
}

uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}

void measure(const Workload &workload, uint64_t n, const char *where) {
  const uint64_t start = now_ns();
  workload.run(n, where);
  std::printf("%.1f\n", static_cast<double>(now_ns() - start) / static_cast<double>(n));
  std::fflush(stdout);
}

// Not with stdio: what it would have read ahead must not be lost in a fork.
bool asked() {
  char c = 0;
  while (read(0, &c, 1) == 1) {
    if (c == '\n') return true;
  }
  return false;
}

}  // namespace

void die(const char *what) {
  std::fprintf(stderr, "ops: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

void check(int64_t got, int64_t wanted, const char *what) {
  if (got != wanted) die(what);
}

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--nothing")) return 0;  // what `exec` executes
  if (argc == 2 && !std::strcmp(argv[1], "--help")) return usage(stdout);
  const bool serve = argc > 1 && !std::strcmp(argv[1], "--serve");
  if (serve) argc--, argv++;
  const Workload *workload = argc == 3 || argc == 4 ? find(argv[1]) : nullptr;
  char *end = nullptr;
  const uint64_t n = workload ? std::strtoull(argv[2], &end, 10) : 0;
  if (n == 0 || *end) return usage(stderr);
  const char *where = argc == 4 ? argv[3] : workload->where;
  if (serve) {
    while (asked()) measure(*workload, n, where);
  } else {
    workload->run(n, where);
    measure(*workload, n, where);
  }
  return 0;
}
