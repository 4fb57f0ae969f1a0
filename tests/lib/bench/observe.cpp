// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One row of scripts/bench's table of peers: what an operation costs without and with a tool that traces it.
//   observe terminal|null N OPS WORKLOAD [WHERE] -- TOOL...
// Runs `OPS --serve WORKLOAD N WHERE` for half a second, starts TOOL, waits until that has attached, runs the same
// again, and N once more with the kernel's statistics of BPF programs. {pid} in TOOL is the workload's process, and the
// first word says what its stdout is. Prints
//   row UNTRACED TRACED BPF RUNS ATTACH-MS ATTACH-CPU-MS RSS-KIB
// per operation, or `fails SENTENCE`. Nanoseconds are instructions in the guest.
#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "peer.h"

namespace {

using Words = std::vector<std::string>;

// The workload's process, asked by a line, answering when it has done all operations.
class Operations {
 public:
  explicit Operations(const Words &command) {
    int ask[2], answer[2];
    if (pipe2(ask, O_CLOEXEC) || pipe2(answer, O_CLOEXEC)) throw Failure("no pipes");
    pid_ = spawn(command, ask[0], answer[1], 2);
    close(ask[0]);
    close(answer[1]);
    ask_ = ask[1];
    answers_ = fdopen(answer[0], "r");
  }
  ~Operations() {
    close(ask_);
    std::fclose(answers_);
    waitpid(pid_, nullptr, 0);
  }
  Operations(const Operations &) = delete;
  Operations &operator=(const Operations &) = delete;

  void run() {
    std::array<char, 64> line;
    if (write(ask_, "\n", 1) != 1 || !std::fgets(line.data(), line.size(), answers_))
      throw Failure("the workload failed");
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
  int ask_;
  std::FILE *answers_;
};

struct Statistics {
  uint64_t run_ns = 0, runs = 0;
};

Statistics all_programs() {
  Statistics sum;
  for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) {
    bpf_prog_info info = {};
    uint32_t size = sizeof(info);
    const int fd = bpf_prog_get_fd_by_id(id);
    if (fd < 0) continue;
    if (bpf_obj_get_info_by_fd(fd, &info, &size) == 0) {
      sum.run_ns += info.run_time_ns;
      sum.runs += info.run_cnt;
    }
    close(fd);
  }
  return sum;
}

void count_runs(bool on) {
  std::FILE *file = std::fopen("/proc/sys/kernel/bpf_stats_enabled", "w");
  if (!file || std::fputs(on ? "1" : "0", file) < 0 || std::fclose(file) != 0) throw Failure("no bpf_stats_enabled");
}

struct Arguments {
  Words workload, tool;
  double n;
  bool terminal;
};

Arguments parse(int argc, char **argv) {
  Arguments args;
  if (argc < 7) throw Failure("usage: observe terminal|null N OPS WORKLOAD [WHERE] -- TOOL...");
  args.terminal = !std::strcmp(argv[1], "terminal");
  args.n = std::strtod(argv[2], nullptr);
  args.workload = {argv[3], "--serve", argv[4], argv[2]};
  int i = 5;
  while (i < argc && std::strcmp(argv[i], "--") != 0) args.workload.emplace_back(argv[i++]);
  for (i++; i < argc; i++) args.tool.emplace_back(argv[i]);
  if (args.tool.empty() || args.n < 1) throw Failure("no tool, or no number of operations");
  return args;
}

void replace_pid(Words &words, pid_t pid) {
  for (std::string &word : words) {
    const size_t at = word.find("{pid}");
    if (at != std::string::npos) word.replace(at, 5, std::to_string(pid));
  }
}

double now_ns() {
  timespec t = {};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Of an operation, while they go on for so long that the tool's reader, which waits for many records or for its next
// interval, has its part; and what the tool does of them when they have ended.
double cost_ns(Operations &operations, double n, const Peer *peer) {
  constexpr double kSpanNs = 500e6;
  constexpr unsigned kAfterUs = 300'000;
  operations.run();
  const double begin = now_ns();
  double runs = 0;
  for (; now_ns() - begin < kSpanNs; runs++) operations.run();
  double spent = now_ns() - begin;
  if (peer) {
    const double before = peer->cpu_ns();
    usleep(kAfterUs);
    spent += peer->cpu_ns() - before;
  }
  return spent / (runs * n);
}

void observe(Arguments args) {
  Operations operations(args.workload);
  const double untraced = cost_ns(operations, args.n, nullptr);
  replace_pid(args.tool, operations.pid());
  Peer peer(args.tool, args.terminal);
  const Attached attached = peer.wait_attached();
  const double traced = cost_ns(operations, args.n, &peer);
  count_runs(true);
  const Statistics before = all_programs();
  operations.run();
  const Statistics after = all_programs();
  count_runs(false);
  std::printf("row %.0f %.0f %.1f %.2f %.1f %.1f %lu\n", untraced, traced,
              static_cast<double>(after.run_ns - before.run_ns) / args.n,
              static_cast<double>(after.runs - before.runs) / args.n, attached.ms, attached.cpu_ms, peer.peak_kib());
}

}  // namespace

int main(int argc, char **argv) {
  try {
    std::signal(SIGPIPE, SIG_IGN);
    observe(parse(argc, argv));
  } catch (const Failure &failure) {
    std::printf("fails %s\n", failure.what());
  }
  return 0;
}
