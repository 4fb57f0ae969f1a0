// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// fork first, exec later: the process exists, and can be filtered for, before anything of it runs.
#include "run/command.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/program.h"
#include "base/text.h"

namespace strata {
namespace {

[[noreturn]] void reject_program(const std::string &name, int err) {
  const Error error = system_error("cannot run '" + printable(name) + "'", err);
  throw Error(error.what(), err == ENOENT ? Command::kNotFoundStatus : Command::kNotExecutableStatus);
}

// Throws Error with a shell's exit status.
std::string path_of_program(const std::string &name) {
  std::string path;
  const int err = find_program(name, path);
  if (err != 0) reject_program(name, err);
  return path;
}

struct Pipe {
  Fd read, write;
};

Pipe new_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw system_error("cannot create a pipe");
  return {.read = Fd(ends[0]), .write = Fd(ends[1])};
}

ssize_t read_retrying(int fd, void *buffer, size_t size) {
  ssize_t got = 0;
  do {
    got = read(fd, buffer, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

// A script without #!, as execvp(3) runs it.
int run_script(const std::string &path, char *const *argv) {
  std::string shell = "/bin/sh", script = path;
  std::vector<char *> arguments = {shell.data(), script.data()};
  for (char *const *one = argv + 1; *one != nullptr; one++) arguments.push_back(*one);
  arguments.push_back(nullptr);
  execv(shell.c_str(), arguments.data());
  return errno;
}

// As runuser(1) does it: 0, or an errno. The kernel takes the capabilities away.
int become(const User &user) {
  for (const auto &[name, value] :
       {std::pair{"HOME", &user.home}, {"SHELL", &user.shell}, {"USER", &user.name}, {"LOGNAME", &user.name}})
    if (setenv(name, value->c_str(), 1) != 0) return errno;
  const bool is_user = setgroups(user.groups.size(), user.groups.data()) == 0 &&
                       setresgid(user.gid, user.gid, user.gid) == 0 && setresuid(user.uid, user.uid, user.uid) == 0;
  return is_user ? 0 : errno;
}

}  // namespace

Command::Command(std::span<const std::string> arguments, const std::optional<User> &user) : name_(arguments.front()) {
  const std::string path = path_of_program(name_);
  std::vector<char *> argv;
  for (const std::string &argument : arguments) argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  // Where SIGCHLD is ignored, as by some supervisors, no exit status is kept. The command gets it as it was.
  const sighandler_t on_child = ::signal(SIGCHLD, SIG_DFL);
  Pipe go = new_pipe();
  Pipe failure = new_pipe();
  pid_ = fork();
  if (pid_ < 0) throw system_error("cannot create a process");
  if (pid_ == 0) {
    ::signal(SIGCHLD, on_child);
    go.write.reset();
    run_child(path, argv.data(), user, go.read.get(), failure.write.get());
  }
  go_ = std::move(go.write);
  failure_ = std::move(failure.read);
  pidfd_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (!pidfd_) throw system_error("cannot watch the command");
}

void Command::run_child(const std::string &path, char *const *argv, const std::optional<User> &user, int go,
                        int failure) {
  char byte = 0;
  if (read_retrying(go, &byte, 1) != 1) _exit(0);  // strata ended before it let the command go
  int err = user ? become(*user) : 0;
  if (err == 0) {
    execv(path.c_str(), argv);
    err = errno == ENOEXEC ? run_script(path, argv) : errno;
  }
  const ssize_t written = write(failure, &err, sizeof(err));
  _exit(written == sizeof(err) ? kNotExecutableStatus : kNotFoundStatus);
}

Command::~Command() {
  if (pid_ <= 0 || ended_) return;
  if (go_) {
    go_.reset();
    wait();
  } else if (!left_alone_) {
    terminate();
    wait();
  }
}

void Command::start() {
  const char byte = 1;
  const ssize_t written = write(go_.get(), &byte, 1);
  go_.reset();
  int err = 0;
  const ssize_t got = read_retrying(failure_.get(), &err, sizeof(err));
  failure_.reset();
  if (written == 1 && got == 0) return;
  wait();
  reject_program(name_, got == sizeof(err) ? err : ESRCH);
}

// A stopped process gets it only when it goes on.
void Command::terminate() {
  kill(pid_, SIGTERM);
  kill(pid_, SIGCONT);
}

bool Command::has_ended() const {
  pollfd ended = {.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  return poll(&ended, 1, 0) > 0;
}

int Command::wait() {
  ended_ = true;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace strata
