#include "kern/signal.h"

#include <sys/wait.h>
#include <csignal>
#include <cstring>

namespace strata {

std::string signal_name(uint32_t number) {
  const int signal = static_cast<int>(number);
  if (signal >= SIGRTMIN && signal <= SIGRTMAX) {
    return signal == SIGRTMIN ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(signal - SIGRTMIN);
  }
  const char *name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

std::string wait_status_text(uint32_t status) {
  const int wait_status = static_cast<int>(status);
  if (WIFEXITED(wait_status)) return "exit " + std::to_string(WEXITSTATUS(wait_status));
  return signal_name(WTERMSIG(wait_status)) + (WCOREDUMP(wait_status) ? " core" : "");
}

}  // namespace strata
