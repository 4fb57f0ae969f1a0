// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/program_types.h"

#include <elfutils/libdw.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sym/confined.h"
#include "sym/dwarf_types.h"

namespace strata {
namespace {

bool write_all(int to, const std::string &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t more = write(to, bytes.data() + done, bytes.size() - done);
    if (more <= 0) return false;
    done += static_cast<size_t>(more);
  }
  return !bytes.empty();
}

[[noreturn]] void write_types(int to, int file, int debug_file, const WantedTypes &wanted) {
  if (!confine(std::array{to, file, debug_file})) _exit(1);
  Dwarf *dwarf = nullptr;
  for (const int fd : {debug_file, file})
    if (fd >= 0 && dwarf == nullptr) dwarf = dwarf_begin(fd, DWARF_C_READ);
  if (dwarf == nullptr) _exit(1);
  DwarfTypes types(dwarf);
  types.add_functions(wanted.functions);
  for (const std::string &name : wanted.names) types.add_type(name);
  _exit(write_all(to, types.bytes()) ? 0 : 1);
}

// True: it did what it had to. Until then nothing else is done.
bool ended_well(pid_t pid) {
  const Fd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  pollfd end = {.fd = process.get(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do ready = process ? poll(&end, 1, kConfinedPatienceMs) : 0;
  while (ready < 0 && errno == EINTR);
  if (ready != 1) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

Fd program_types(int file, int debug_file, const WantedTypes &wanted) {
  Fd types(memfd_create("types", MFD_CLOEXEC));
  if (!types) return Fd();
  const pid_t pid = fork();
  if (pid == 0) write_types(types.get(), file, debug_file, wanted);
  return pid > 0 && ended_well(pid) ? std::move(types) : Fd();
}

}  // namespace strata
