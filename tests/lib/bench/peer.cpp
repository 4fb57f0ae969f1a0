// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "peer.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

// Time in the guest: a nanosecond is an instruction, and waiting costs nothing.
constexpr uint64_t kMillisecond = 1000000;
constexpr uint64_t kQuiet = 400 * kMillisecond, kQuietWithoutBpf = 3000 * kMillisecond,
                   kPatience = 120000 * kMillisecond;
constexpr uint64_t kFine =
    20 * kMillisecond;  // after a change; then looking becomes rarer, because it takes instructions
constexpr size_t kMostWords = 160;

// Where a tool stays that has nothing more to set up. While it attaches it runs, or waits in bpf(), perf_event_open(),
// ioctl() or a file of tracefs.
constexpr long kIdleCalls[] = {SYS_read,
                               SYS_poll,
                               SYS_ppoll,
                               SYS_select,
                               SYS_pselect6,
                               SYS_epoll_wait,
                               SYS_pause,
                               SYS_epoll_pwait,
                               SYS_futex,
                               SYS_nanosleep,
                               SYS_clock_nanosleep,
                               SYS_wait4,
                               SYS_rt_sigtimedwait,
                               SYS_rt_sigsuspend};

uint64_t clock_ns(clockid_t clock) {
  timespec t = {};
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}

void sleep_ns(uint64_t ns) {
  const timespec t = {.tv_sec = static_cast<time_t>(ns / 1000000000), .tv_nsec = static_cast<long>(ns % 1000000000)};
  nanosleep(&t, nullptr);
}

// Identifiers only grow, so that what is new stands at the end.
uint32_t last_id(int (*next)(uint32_t, uint32_t *), uint32_t id) {
  while (next(id, &id) == 0) {
  }
  return id;
}

size_t entries(DIR *directory) {
  size_t n = 0;
  rewinddir(directory);
  while (readdir(directory)) n++;
  return n;
}

std::string again(int fd) {
  std::array<char, 4096> text;
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  return {text.data(), static_cast<size_t>(std::max<ssize_t>(got, 0))};
}

// A tool that waits for its disk, or for a grace period of the kernel while it attaches, cannot be interrupted: state
// D.
bool waits_for_work(const std::string &stat, const std::string &syscall_line) {
  const size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || stat.compare(name_end + 2, 1, "S") != 0) return false;
  if (syscall_line.empty() || syscall_line[0] < '0' || syscall_line[0] > '9') return false;  // "running"
  const long nr = std::strtol(syscall_line.c_str(), nullptr, 10);
  return std::ranges::find(kIdleCalls, nr) != std::end(kIdleCalls);
}

int opened(const char *path, int flags = O_RDWR) {
  const int fd = open(path, flags | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) throw Failure(std::string("cannot open ") + path);
  return fd;
}

// The end of a new terminal for the tool; a process that only reads gets the other one.
int watched_terminal(pid_t *reader) {
  const int other = opened("/dev/ptmx");
  std::array<char, 64> name;
  if (grantpt(other) || unlockpt(other) || ptsname_r(other, name.data(), name.size())) throw Failure("no terminal");
  const int end = opened(name.data());
  const winsize size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(end, TIOCSWINSZ, &size);
  *reader = fork();
  if (*reader == 0) {
    close_range(3, static_cast<unsigned>(other) - 1, 0);
    close_range(static_cast<unsigned>(other) + 1, ~0U, 0);
    std::array<char, 65536> text;
    while (read(other, text.data(), text.size()) > 0) {
    }
    _exit(0);  // an error means that nobody has the tool's end any more
  }
  close(other);
  return end;
}

}  // namespace

pid_t spawn(const std::vector<std::string> &command, int in, int out, int err) {
  std::vector<char *> words;
  for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw Failure("cannot fork");
  if (pid > 0) return pid;
  setpgid(0, 0);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  execvp(words[0], words.data());
  std::fprintf(stderr, "%s: %s\n", words[0], std::strerror(errno));
  _exit(127);
}

// What changes while a tool sets itself up.
struct Peer::State {
  uint32_t program, link;
  size_t files;
  bool operator==(const State &) const = default;
};

Peer::Peer(const std::vector<std::string> &command, bool terminal)
    : err_(memfd_create("stderr", MFD_CLOEXEC)), programs_before_(last_id(bpf_prog_get_next_id, 0)) {
  const int in = opened("/dev/null");
  const int out = terminal ? watched_terminal(&reader_) : opened("/dev/null");
  start_ns_ = clock_ns(CLOCK_MONOTONIC);
  pid_ = spawn(command, in, out, err_);
  close(in);
  close(out);
  const std::string proc = "/proc/" + std::to_string(pid_);
  stat_ = opened((proc + "/stat").c_str(), O_RDONLY);
  syscall_ = opened((proc + "/syscall").c_str(), O_RDONLY);
  status_ = opened((proc + "/status").c_str(), O_RDONLY);
  files_ = opendir((proc + "/fd").c_str());
  if (!files_) throw Failure("cannot see the tool's files");
}

Peer::~Peer() {
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  if (reader_ > 0) waitpid(reader_, nullptr, 0);
  for (const int fd : {err_, stat_, syscall_, status_}) close(fd);
  closedir(files_);
  // Programs go after a grace period. Those that another tool left behind stay.
  for (int tries = 0; tries < 500 && last_id(bpf_prog_get_next_id, programs_before_) != programs_before_; tries++)
    sleep_ns(20 * kMillisecond);
}

Peer::State Peer::state() const {
  return {.program = last_id(bpf_prog_get_next_id, programs_before_),
          .link = last_id(bpf_link_get_next_id, 0),
          .files = entries(files_)};
}

// The last line of its stderr with a letter in it: compilers underline what they complain about.
std::string Peer::last_words() const {
  std::array<char, 16384> text;
  const off_t from = std::max<off_t>(0, lseek(err_, 0, SEEK_END) - static_cast<off_t>(text.size()));
  const ssize_t got = pread(err_, text.data(), text.size(), from);
  std::string all(text.data(), static_cast<size_t>(std::max<ssize_t>(0, got)));
  const size_t letter = all.find_last_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (letter == std::string::npos) return "it ended without a word";
  all.resize(std::min(all.find('\n', letter), all.size()));
  std::string line = all.substr(all.rfind('\n') + 1).substr(0, kMostWords);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c == '|'; }, ' ');
  return line;
}

// Attached is when it first waits for work after the last program, link or file was added; that this was the last is
// seen by a time in which nothing more is added.
Attached Peer::wait_attached() {
  State old = {};
  uint64_t ready = start_ns_;
  double ready_cpu = 0;
  bool waited = false;
  for (;;) {
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) throw Failure(last_words());
    const uint64_t now = clock_ns(CLOCK_MONOTONIC);
    const State state = this->state();
    const bool waits = waits_for_work(again(stat_), again(syscall_));
    if (state != old || (waits && !waited)) {
      waited = state == old;
      old = state;
      ready = now;
      ready_cpu = cpu_ns();
    }
    if (waits && waited && now - ready > (state.program != programs_before_ ? kQuiet : kQuietWithoutBpf)) break;
    if (now - start_ns_ > kPatience) throw Failure("not attached after two minutes of the guest's time");
    sleep_ns(now - ready < kFine ? kMillisecond : 10 * kMillisecond);
  }
  return {.ms = static_cast<double>(ready - start_ns_) / 1e6, .cpu_ms = ready_cpu / 1e6};
}

double Peer::cpu_ns() const {
  clockid_t clock = {};
  if (clock_getcpuclockid(pid_, &clock) != 0) throw Failure("the tool has ended");
  return static_cast<double>(clock_ns(clock));
}

unsigned long Peer::peak_kib() const {
  const std::string status = again(status_);
  const size_t at = status.find("VmHWM:");
  return at == std::string::npos ? 0 : std::strtoul(status.c_str() + at + 6, nullptr, 10);
}
