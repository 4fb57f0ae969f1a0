// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Executes itself in every way, one after the other, and prints as a JSON line what is right for each:
//   execs ways DIR | failed DIR | untouched DIR | ends | storm COUNT JOBS
// Other words are what it executes: `exit N`, `kill N`, `again ...`, anything else does nothing.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Words = std::vector<std::string>;

std::string self() {
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0) abort();
  return path;
}

std::vector<char *> pointers(const Words &words) {
  std::vector<char *> argv;
  for (const std::string &word : words) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

int exec(const std::string &file, const Words &words) { return execve(file.c_str(), pointers(words).data(), environ); }

int exec_at(int fd, const char *path, const Words &words, int flags) {
  return static_cast<int>(syscall(SYS_execveat, fd, path, pointers(words).data(), environ, flags));
}

// The child calls `call`; {"tgid":N,FIELDS} is what is right, with what wait(2) said. The child's descriptors are
// closed by exec.
void in_child(const std::string &fields, const std::function<void()> &call) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    call();
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) abort();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0, code = signal == 0 ? WEXITSTATUS(status) : 0;
  printf("{\"type\":\"right\",\"tgid\":%d,\"code\":%d,\"killed\":%d,%s}\n", child, code, signal, fields.c_str());
}

std::string json(const std::string &text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8] = {c};
    if (c == '"' || c == '\\') snprintf(escape, sizeof(escape), "\\%c", c);
    if (c > 0 && c < ' ') snprintf(escape, sizeof(escape), "\\u%04x", c);
    out += escape;
  }
  return out + "\"";
}

std::string json(const Words &words) {
  std::string out;
  for (const std::string &word : words) out += (out.empty() ? "[" : ",") + json(word);
  return out + "]";
}

// What execsnoop should say of a call that succeeds.
std::string right(const std::string &file, const Words &args, size_t missing = 0) {
  return "\"file\":" + json(file) + ",\"args\":" + json(args) + ",\"args_missing_bytes\":" + std::to_string(missing);
}

void copy_self(int to) {
  const int from = open("/proc/self/exe", O_RDONLY);
  char block[65536];
  ssize_t got;
  while ((got = read(from, block, sizeof(block))) > 0) {
    if (write(to, block, static_cast<size_t>(got)) != got) abort();
  }
  close(from);
}

void make_file(const std::string &path, const std::string &text, mode_t mode) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode);
  if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) abort();
  close(fd);
}

// More than is kept: 16384 bytes of them are, the rest is counted.
void too_long(const std::string &me) {
  constexpr size_t kKept = 16384, kWord = 20011;
  const Words words = {"long",
                       std::string(kWord, 'a'),
                       std::string(kWord, 'b'),
                       std::string(kWord, 'c'),
                       std::string(kWord, 'd'),
                       std::string(kWord, 'e')};
  const size_t all = 5 + 5 * (kWord + 1), missing = all - kKept;
  in_child(right(me, {"long", std::string(kKept - 5, 'a')}, missing), [&] { exec(me, words); });
}

void from_files(const std::string &me, const std::string &folder) {
  make_file(folder + "/script", "#!" + me + " an option\n", 0755);
  in_child(right(folder + "/script", {me, "an option", folder + "/script", "x"}) + ",\"interp\":" + json(me), [&] {
    exec(folder + "/script", {"lost", "x"});
  });

  const std::string link = folder + "/link";
  if (symlink(me.c_str(), link.c_str()) != 0) abort();
  in_child(right(link, {"l"}) + ",\"exe\":" + json(me), [&] { exec(link, {"l"}); });

  const int memory = memfd_create("in memory", MFD_CLOEXEC);
  copy_self(memory);
  in_child(right("/dev/fd/" + std::to_string(memory), {"m"}) + ",\"exe\":\"/memfd:in memory (deleted)\"",
           [&] { exec_at(memory, "", {"m"}, AT_EMPTY_PATH); });

  const std::string gone = folder + "/gone";
  const int writer = open(gone.c_str(), O_WRONLY | O_CREAT, 0755);
  copy_self(writer);
  close(writer);
  const int file = open(gone.c_str(), O_RDONLY | O_CLOEXEC);
  unlink(gone.c_str());
  in_child(right("/dev/fd/" + std::to_string(file), {"g", "h"}) + ",\"exe\":" + json(gone + " (deleted)"), [&] {
    exec_at(file, "", {"g", "h"}, AT_EMPTY_PATH);
  });
}

void from_threads(const std::string &me) {
  in_child(right(me, {"thread"}) + ",\"by_thread\":true", [&] {
    std::thread thread([&] { exec(me, {"thread"}); });
    thread.join();
  });
}

void run_ways(const std::string &folder) {
  const std::string me = self();
  const std::string name = me.substr(me.rfind('/') + 1), above = me.substr(0, me.rfind('/'));
  in_child(right(me, {"plain"}), [&] { exec(me, {"plain"}); });
  in_child(right(me, {"a", "b c", "", "it's", "x$y", "q\""}), [&] {
    exec(me, {"a", "b c", "", "it's", "x$y", "q\""});
  });
  in_child(right(me, {"\x01\n\ufffd\\", "Gr\u00fc\u00dfe"}), [&] { exec(me, {"\x01\n\xff\\", "Gr\u00fc\u00dfe"}); });
  in_child("\"file\":" + json(me) + ",\"args_missing_bytes\":0,\"empty\":true", [&] { exec(me, {}); });

  const int folder_fd = open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  in_child(right("/dev/fd/" + std::to_string(folder_fd) + "/" + name, {"at"}),
           [&] { exec_at(folder_fd, name.c_str(), {"at"}, 0); });
  in_child(right(name, {"here"}) + ",\"cwd\":" + json(above), [&] {
    if (chdir(above.c_str()) == 0) exec(name, {"here"});
  });
  const Words many(601, "y");
  in_child(right(me, many), [&] { exec(me, many); });
  too_long(me);
  from_files(me, folder);
  from_threads(me);
}

// An argument in a page of a file that this process has mapped, and not touched.
void run_untouched(const std::string &folder) {
  make_file(folder + "/word", std::string("untouched") + '\0', 0644);
  const int file = open((folder + "/word").c_str(), O_RDONLY | O_CLOEXEC);
  auto *word = static_cast<char *>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0));
  if (word == MAP_FAILED) abort();
  const std::string me = self();
  in_child(right(me, {"plain", "untouched"}), [&] {
    char plain[] = "plain";
    char *words[] = {plain, word, nullptr};
    execve(me.c_str(), words, environ);
  });
}

std::string wrong(const char *error, const std::string &file, const Words &args) {
  return "\"error\":\"" + std::string(error) + "\",\"file\":" + json(file) + ",\"args\":" + json(args);
}

void run_failed(const std::string &folder) {
  make_file(folder + "/data", "no program", 0755);
  make_file(folder + "/plain", "no program", 0644);
  make_file(folder + "/broken", "#!/no/such/interpreter\n", 0755);
  in_child(wrong("ENOENT", "/no/such", {"no", "such file", ""}), [] { exec("/no/such", {"no", "such file", ""}); });
  in_child(wrong("EACCES", folder + "/plain", {"p"}), [&] { exec(folder + "/plain", {"p"}); });
  in_child(wrong("ENOEXEC", folder + "/data", {"d"}), [&] { exec(folder + "/data", {"d"}); });
  in_child(wrong("ENOENT", folder + "/broken", {"b"}), [&] { exec(folder + "/broken", {"b"}); });
  in_child(wrong("ENOTDIR", folder + "/data/x", {"x"}), [&] { exec(folder + "/data/x", {"x"}); });
  in_child(wrong("EFAULT", "", {"nowhere"}),
           [] { execve(reinterpret_cast<char *>(8), pointers({"nowhere"}).data(), environ); });
  in_child("\"error\":\"EFAULT\",\"file\":\"/bin/true\",\"args\":[]",
           [] { execve("/bin/true", reinterpret_cast<char **>(8), environ); });

  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  in_child(wrong("ENOENT", "/dev/fd/" + std::to_string(fd) + "/none", {"at"}), [&] { exec_at(fd, "none", {"at"}, 0); });
  in_child(wrong("EACCES", "/dev/fd/" + std::to_string(fd), {"at"}), [&] { exec_at(fd, "", {"at"}, AT_EMPTY_PATH); });
  const Words many(601, "y");
  in_child(wrong("ENOENT", "/none", Words(512, "y")), [&] { exec("/none", many); });
}

std::string ends(const std::string &file, const Words &args, const std::string &result) {
  return right(file, args) + ",\"result\":" + json(result);
}

void run_ends() {
  const std::string me = self();
  in_child(ends(me, {"x", "exit", "0"}, "exit 0"), [&] { exec(me, {"x", "exit", "0"}); });
  in_child(ends(me, {"x", "exit", "255"}, "exit 255"), [&] { exec(me, {"x", "exit", "255"}); });
  in_child(ends(me, {"x", "kill", "9"}, "SIGKILL"), [&] { exec(me, {"x", "kill", "9"}); });
  in_child(ends(me, {"x", "kill", "15"}, "SIGTERM"), [&] { exec(me, {"x", "kill", "15"}); });
  in_child(right(me, {"x", "threads", "7"}), [&] { exec(me, {"x", "threads", "7"}); });
  in_child(ends(me, {"x", "again", "y", "exit", "5"}, "exec"), [&] { exec(me, {"x", "again", "y", "exit", "5"}); });
}

// COUNT programs by JOBS processes at a time, with 3000 bytes of arguments.
void run_storm(int count, int jobs) {
  const std::string me = self();
  const Words words = {"storm", std::string(3000, 's')};
  for (int job = 0; job < jobs; job++) {
    if (fork() != 0) continue;
    for (int i = job; i < count; i += jobs) {
      pid_t child = 0;
      if (posix_spawn(&child, me.c_str(), nullptr, nullptr, pointers(words).data(), environ) != 0) abort();
      int status = 0;
      if (waitpid(child, &status, 0) != child || status != 0) abort();
    }
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
}

// What the programs do that are executed.
int act(const std::string &verb, char **words) {
  if (verb == "exit") return atoi(words[2]);
  if (verb == "kill") raise(atoi(words[2]));
  if (verb == "again") execv("/proc/self/exe", words + 2);
  if (verb == "threads") {  // the last thread is not the first, and the first one's status counts
    std::thread([] { usleep(1000); }).detach();
    syscall(SYS_exit, atoi(words[2]));
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOFBF, 1 << 16);  // a line is one write, whoever else writes there
  const std::string verb = argc > 1 ? argv[1] : "";
  const bool tests = argc > 0 && strstr(argv[0], "execs") != nullptr;
  if (tests && verb == "ways" && argc == 3) {
    run_ways(argv[2]);
  } else if (tests && verb == "failed" && argc == 3) {
    run_failed(argv[2]);
  } else if (tests && verb == "untouched" && argc == 3) {
    run_untouched(argv[2]);
  } else if (tests && verb == "ends") {
    run_ends();
  } else if (tests && verb == "storm" && argc == 4) {
    run_storm(atoi(argv[2]), atoi(argv[3]));
  } else if (argc > 2) {
    return act(verb, argv);
  }
}
