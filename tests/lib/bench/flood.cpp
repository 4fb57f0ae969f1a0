// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A flood of operations from one process, and what a tool that filters by that process makes of it.
//   flood OPERATION N RATE DIR [-- TOOL...]
// OPERATION is open (DIR/flooded, by the name "flooded") or write (4 KiB pages of DIR/flooded, and one fsync behind the
// last). RATE is operations per second, 0 as fast as possible. TOOL is started first, {pid} in it being the flood;
// its output goes to DIR/out and DIR/err. When it has attached the flood starts, and when its output comes to rest it
// gets SIGINT. Prints
//   us PER-OPERATION rate REACHED attached MS peak KIB end EXIT-STATUS-OR-SIGNAL
// or `fails SENTENCE`.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr uint64_t kMillisecond = 1000000, kSecond = 1000 * kMillisecond;
// A tool that adds nothing and computes nothing for so long has attached; its output, that it has said all.
constexpr uint64_t kQuiet = 300 * kMillisecond, kQuietCpu = 10 * kMillisecond, kRest = 700 * kMillisecond;
constexpr uint64_t kPatience = 30 * kSecond;
constexpr size_t kPage = 4096, kMostWords = 160;

uint64_t now_ns() {
  timespec t = {};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * kSecond + static_cast<uint64_t>(t.tv_nsec);
}

void sleep_ns(uint64_t ns) {
  const timespec t = {.tv_sec = static_cast<time_t>(ns / kSecond), .tv_nsec = static_cast<long>(ns % kSecond)};
  nanosleep(&t, nullptr);
}

std::string read_file(const std::string &path) {
  std::array<char, 4096> text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return "";
  const ssize_t got = read(fd, text.data(), text.size());
  close(fd);
  return {text.data(), static_cast<size_t>(std::max<ssize_t>(got, 0))};
}

struct Request {
  std::string operation, directory;
  uint64_t n, rate;
};

// Shared by flood and parent: a pipe or a file would be one more operation that the tool sees.
struct Clock {
  uint64_t start_ns, end_ns;
  bool failed;
};

class Flood {
 public:
  explicit Flood(const Request &request) : request_(request) {
    clock_ =
        static_cast<Clock *>(mmap(nullptr, sizeof(Clock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (clock_ == MAP_FAILED || pipe2(go_, O_CLOEXEC) || pipe2(done_, O_CLOEXEC)) throw Failure("no pipes");
    pid_ = fork();
    if (pid_ < 0) throw Failure("cannot fork");
    if (pid_ == 0) be_the_flood();
    close(go_[0]);
    close(done_[1]);
  }
  // It stays until the tool has ended, because some tools look at the process when they print.
  ~Flood() {
    close(go_[1]);
    close(done_[0]);
    waitpid(pid_, nullptr, 0);
    munmap(clock_, sizeof(Clock));
  }
  Flood(const Flood &) = delete;
  Flood &operator=(const Flood &) = delete;

  const Clock &run() {
    char byte = 0;
    if (write(go_[1], &byte, 1) != 1 || read(done_[0], &byte, 1) != 0 || clock_->failed) throw Failure("flood failed");
    return *clock_;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  [[noreturn]] void be_the_flood() {
    char byte = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(go_[1]);
    close(done_[0]);
    if (chdir(request_.directory.c_str())) _exit(1);
    const bool opens = request_.operation == "open";
    const int file = open("flooded", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || read(go_[0], &byte, 1) != 1) _exit(1);
    clock_->start_ns = now_ns();
    clock_->failed = !(opens ? pace([](uint64_t) { return open_once(); })
                             : pace([file](uint64_t i) { return write_once(file, i); }));
    clock_->end_ns = now_ns();
    if (!opens && fsync(file)) clock_->failed = true;
    close(done_[1]);  // a write would be one more
    const ssize_t until_the_end = read(go_[0], &byte, 1);
    _exit(until_the_end != 0);
  }

  // Waits by spinning: a sleep ends late by more than the time between two operations.
  template <typename Once>
  bool pace(Once once) const {
    for (uint64_t i = 0; i < request_.n; i++) {
      if (request_.rate) {
        const uint64_t due = clock_->start_ns + i * kSecond / request_.rate;
        while (now_ns() < due) {
        }
      }
      if (!once(i)) return false;
    }
    return true;
  }

  static bool open_once() {
    const int fd = open("flooded", O_RDONLY);
    return fd >= 0 && close(fd) == 0;
  }
  static bool write_once(int file, uint64_t i) {
    static const std::array<char, kPage> page = {};
    return pwrite(file, page.data(), kPage, static_cast<off_t>(i * kPage)) == kPage;
  }

  Request request_;
  Clock *clock_;
  int go_[2], done_[2];
  pid_t pid_;
};

class Tool {
 public:
  Tool(Words command, const std::string &directory, pid_t flood)
      : out_(directory + "/out"), err_(directory + "/err"), flood_(flood), start_ns_(now_ns()) {
    pid_ = fork();
    if (pid_ < 0) throw Failure("cannot fork");
    if (pid_ == 0) execute(command);
  }
  ~Tool() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Tool(const Tool &) = delete;
  Tool &operator=(const Tool &) = delete;

  // Milliseconds from exec to the last thing that it set up.
  [[nodiscard]] double wait_attached() {
    size_t files = 0;
    uint64_t ready = start_ns_, ready_cpu = 0;
    for (;;) {
      if (ended()) throw Failure(last_words());
      const uint64_t now = now_ns(), cpu = cpu_ns();
      const size_t present = hooks();
      if (present != files || present == 0 || cpu - ready_cpu > kQuietCpu) {
        if (present != files || present == 0) attached_ns_ = now;
        files = present;
        ready = now;
        ready_cpu = cpu;
      }
      if (now - ready > kQuiet) return static_cast<double>(attached_ns_ - start_ns_) / 1e6;
      if (now - start_ns_ > kPatience) throw Failure("not attached after half a minute");
      sleep_ns(kMillisecond / 2);
    }
  }

  void wait_for_rest() const {
    const uint64_t start = now_ns();
    off_t seen = said();
    for (uint64_t last = start; now_ns() - last < kRest && now_ns() - start < kPatience; sleep_ns(10 * kMillisecond)) {
      if (said() == seen) continue;
      seen = said();
      last = now_ns();
    }
  }

  void stop() {
    if (!ended()) kill(pid_, SIGINT);
    const uint64_t start = now_ns();
    while (!ended() && now_ns() - start < kPatience) sleep_ns(10 * kMillisecond);
    if (!ended()) throw Failure("did not end within half a minute of SIGINT");
  }

  [[nodiscard]] long peak_kib() const { return usage_.ru_maxrss; }
  [[nodiscard]] int end() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

 private:
  [[noreturn]] void execute(Words &command) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nothing stays behind when this program is killed
    std::vector<char *> words;
    for (std::string &word : command) {
      const size_t at = word.find("{pid}");
      if (at != std::string::npos) word.replace(at, 5, std::to_string(flood_));
      words.push_back(word.data());
    }
    words.push_back(nullptr);
    constexpr int kMode = O_WRONLY | O_CREAT | O_TRUNC;
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(open(out_.c_str(), kMode | O_APPEND, 0600), 1);
    dup2(open(err_.c_str(), kMode | O_APPEND, 0600), 2);
    execvp(words[0], words.data());
    std::fprintf(stderr, "%s: %s\n", words[0], std::strerror(errno));
    _exit(127);
  }

  bool ended() {
    if (pid_ > 0 && wait4(pid_, &status_, WNOHANG, &usage_) == pid_) pid_ = -1;
    return pid_ < 0;
  }

  [[nodiscard]] off_t said() const {
    struct stat out = {}, err = {};
    if (stat(out_.c_str(), &out) || stat(err_.c_str(), &err)) return 0;
    return out.st_size + err.st_size;
  }

  [[nodiscard]] std::string proc(const char *name) const { return "/proc/" + std::to_string(pid_) + "/" + name; }

  [[nodiscard]] uint64_t cpu_ns() const { return std::strtoull(read_file(proc("schedstat")).c_str(), nullptr, 10); }

  // Its descriptors, once one of them is a hook: a BPF link, a perf event; or 1 when it traces by ptrace. Else 0.
  [[nodiscard]] size_t hooks() const {
    const std::string status = read_file("/proc/" + std::to_string(flood_) + "/status");
    const size_t tracer = status.find("TracerPid:");
    if (tracer != std::string::npos && std::strtol(status.c_str() + tracer + 10, nullptr, 10) == pid_) return 1;
    size_t files = 0, found = 0;
    DIR *directory = opendir(proc("fd").c_str());
    if (!directory) return 0;
    while (const dirent *entry = readdir(directory)) {
      std::array<char, 64> target = {};
      if (readlinkat(dirfd(directory), entry->d_name, target.data(), target.size() - 1) < 0) continue;
      files++;
      if (std::strstr(target.data(), "bpf_link") || std::strstr(target.data(), "bpf-raw-tp") ||
          std::strstr(target.data(), "[perf_event]"))
        found++;
    }
    closedir(directory);
    return found ? files : 0;
  }

  [[nodiscard]] std::string last_words() const {
    std::string text = read_file(err_);
    if (text.empty()) text = read_file(out_);
    while (!text.empty() && std::strchr("\n\r \t", text.back())) text.pop_back();
    std::string line = text.substr(text.rfind('\n') + 1).substr(0, kMostWords);
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < ' ' || c == '|'; }, ' ');
    return line.empty() ? "it ended without a word" : line;
  }

  std::string out_, err_;
  pid_t flood_, pid_;
  uint64_t start_ns_, attached_ns_ = 0;
  int status_ = 0;
  rusage usage_ = {};
};

void print(const Request &request, const Clock &clock) {
  const double seconds = static_cast<double>(clock.end_ns - clock.start_ns) / 1e9;
  std::printf("us %.2f rate %.0f", seconds * 1e6 / static_cast<double>(request.n),
              static_cast<double>(request.n) / seconds);
}

void measure(const Request &request, const Words &command) {
  if (access(request.directory.c_str(), W_OK | X_OK)) throw Failure("no directory " + request.directory);
  Flood flood(request);
  if (command.empty()) {
    print(request, flood.run());
    std::printf("\n");
    return;
  }
  Tool tool(command, request.directory, flood.pid());
  const double attached_ms = tool.wait_attached();
  const Clock clock = flood.run();
  tool.wait_for_rest();
  tool.stop();
  print(request, clock);
  std::printf(" attached %.0f peak %ld end %d\n", attached_ms, tool.peak_kib(), tool.end());
}

bool number(const char *text, uint64_t &value) {
  char *end = nullptr;
  errno = 0;
  value = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

}  // namespace

int main(int argc, char **argv) {
  Request request = {};
  const bool tool = argc > 6 && std::strcmp(argv[5], "--") == 0;
  if ((argc != 5 && !tool) || !number(argv[2], request.n) || !number(argv[3], request.rate) || request.n == 0 ||
      (std::strcmp(argv[1], "open") != 0 && std::strcmp(argv[1], "write") != 0)) {
    std::fprintf(stderr, "usage: flood open|write N RATE DIR [-- TOOL...]\n");
    return 2;
  }
  request.operation = argv[1];
  request.directory = argv[4];
  try {
    measure(request, tool ? Words(argv + 6, argv + argc) : Words{});
  } catch (const Failure &failure) {
    std::printf("fails %s\n", failure.what());
  }
  return 0;
}
