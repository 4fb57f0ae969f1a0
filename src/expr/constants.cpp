// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/constants.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

#include "kern/errno.h"
#include "kern/syscall.h"

namespace strata::expr {
namespace {

struct Constant {
  std::string_view name;
  uint64_t value;
};
#define HERE(name) \
  { #name, static_cast < uint64_t>(name) }
// The kernel's own values, which programs of all C libraries share.
constexpr Constant kConstants[] = {
    HERE(AF_UNSPEC),
    HERE(AF_UNIX),
    HERE(AF_INET),
    HERE(AF_INET6),
    HERE(AF_NETLINK),
    HERE(AF_PACKET),
    HERE(IPPROTO_TCP),
    HERE(IPPROTO_UDP),
    HERE(IPPROTO_ICMP),
    HERE(IPPROTO_ICMPV6),
    HERE(SOCK_STREAM),
    HERE(SOCK_DGRAM),
    HERE(O_RDONLY),
    HERE(O_WRONLY),
    HERE(O_RDWR),
    HERE(O_CREAT),
    HERE(O_EXCL),
    HERE(O_TRUNC),
    HERE(O_APPEND),
    HERE(O_NONBLOCK),
    HERE(O_DIRECT),
    HERE(O_SYNC),
    HERE(O_DSYNC),
    HERE(O_CLOEXEC),
    HERE(O_DIRECTORY),
    HERE(O_PATH),
    HERE(AT_FDCWD),
    HERE(PATH_MAX),
    HERE(NAME_MAX),
    HERE(S_IFMT),
    HERE(S_IFSOCK),
    HERE(S_IFREG),
    HERE(S_IFDIR),
    HERE(S_IFIFO),
    HERE(S_IFCHR),
    HERE(S_IFBLK),
    HERE(S_IFLNK),
    HERE(PROT_READ),
    HERE(PROT_WRITE),
    HERE(PROT_EXEC),
    HERE(MAP_SHARED),
    HERE(MAP_PRIVATE),
    HERE(SIGHUP),
    HERE(SIGINT),
    HERE(SIGQUIT),
    HERE(SIGILL),
    HERE(SIGTRAP),
    HERE(SIGABRT),
    HERE(SIGBUS),
    HERE(SIGFPE),
    HERE(SIGKILL),
    HERE(SIGUSR1),
    HERE(SIGSEGV),
    HERE(SIGUSR2),
    HERE(SIGPIPE),
    HERE(SIGALRM),
    HERE(SIGTERM),
    HERE(SIGCHLD),
    HERE(SIGCONT),
    HERE(SIGSTOP),
    HERE(CLONE_VM),
    HERE(CLONE_FS),
    HERE(CLONE_FILES),
    HERE(CLONE_THREAD),
    HERE(CLONE_NEWNS),
    HERE(CLONE_NEWPID),
    HERE(INT_MAX),
    HERE(INT_MIN),
    HERE(UINT_MAX),
    HERE(LONG_MAX),
    HERE(LONG_MIN),
    HERE(ULONG_MAX),
    {"TASK_RUNNING", 0},
    {"TASK_INTERRUPTIBLE", 1},
    {"TASK_UNINTERRUPTIBLE", 2},
    {"TASK_COMM_LEN", 16},
    {"MAJORBITS", 12},
    {"MINORBITS", 20},
    {"PAGE_SIZE", 4096},
};
#undef HERE

}  // namespace

std::optional<uint64_t> named_constant(std::string_view name) {
  for (const Constant &one : kConstants)
    if (one.name == name) return one.value;
  constexpr std::string_view kSystemCall = "__NR_";
  if (name.starts_with(kSystemCall))
    if (const int64_t number = syscall_number(name.substr(kSystemCall.size())); number >= 0)
      return static_cast<uint64_t>(number);
  if (const int number = errno_number(name); number != 0) return static_cast<uint64_t>(number);
  return std::nullopt;
}

}  // namespace strata::expr
