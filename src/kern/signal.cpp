// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/signal.h"

#include <strings.h>
#include <sys/wait.h>
#include <array>
#include <csignal>
#include <cstring>
#include <span>

#include "base/text.h"

namespace strata {
namespace {

using Names = std::span<const std::string_view>;  // of the codes from 1 on

// include/uapi/asm-generic/siginfo.h. The kernel adds to them now and then.
constexpr std::string_view kIll[] = {"ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP",  "ILL_PRVOPC",
                                     "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK", "ILL_BADIADDR"};
constexpr std::string_view kFpe[] = {"FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF",
                                     "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB"};
constexpr std::string_view kSegv[] = {"SEGV_MAPERR",  "SEGV_ACCERR",  "SEGV_BNDERR",  "SEGV_PKUERR",  "SEGV_ACCADI",
                                      "SEGV_ADIDERR", "SEGV_ADIPERR", "SEGV_MTEAERR", "SEGV_MTESERR", "SEGV_CPERR"};
constexpr std::string_view kBus[] = {"BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"};
constexpr std::string_view kTrap[] = {"TRAP_BRKPT",  "TRAP_TRACE", "TRAP_BRANCH",
                                      "TRAP_HWBKPT", "TRAP_UNK",   "TRAP_PERF"};
constexpr std::string_view kChild[] = {"CLD_EXITED",  "CLD_KILLED",  "CLD_DUMPED",
                                       "CLD_TRAPPED", "CLD_STOPPED", "CLD_CONTINUED"};
constexpr std::string_view kPoll[] = {"POLL_IN", "POLL_OUT", "POLL_MSG", "POLL_ERR", "POLL_PRI", "POLL_HUP"};
constexpr std::string_view kSys[] = {"SYS_SECCOMP", "SYS_USER_DISPATCH"};
constexpr std::string_view kSent[] = {"SI_QUEUE", "SI_TIMER", "SI_MESGQ",   "SI_ASYNCIO",
                                      "SI_SIGIO", "SI_TKILL", "SI_DETHREAD"};  // from -1 on, downwards

Names codes_of(uint32_t signal) {
  switch (signal) {
    case SIGILL:
      return kIll;
    case SIGFPE:
      return kFpe;
    case SIGSEGV:
      return kSegv;
    case SIGBUS:
      return kBus;
    case SIGTRAP:
      return kTrap;
    case SIGCHLD:
      return kChild;
    case SIGIO:
      return kPoll;
    case SIGSYS:
      return kSys;
    default:
      return {};
  }
}

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

constexpr uint32_t kSignals = 65;

}  // namespace

std::string signal_name(uint32_t number) {
  const int signal = static_cast<int>(number);
  if (signal >= SIGRTMIN && signal <= SIGRTMAX) {
    return signal == SIGRTMIN ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(signal - SIGRTMIN);
  }
  const char *name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

std::vector<std::string> signal_names() {
  std::vector<std::string> names;
  for (int signal = 1; signal < SIGRTMIN; signal++)
    if (sigabbrev_np(signal) != nullptr) names.push_back(signal_name(static_cast<uint32_t>(signal)));
  return names;
}

bool parse_signal(std::string_view text, uint32_t &number) {
  uint64_t as_number = 0;
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
    if (!parse_number(text, as_number) || as_number >= kSignals) return false;
    number = static_cast<uint32_t>(as_number);
    return true;
  }
  const std::string name = (same_letters(text.substr(0, 3), "SIG") ? "" : "SIG") + std::string(text);
  for (uint32_t one = 1; one < kSignals; one++) {
    const uint32_t below = kSignals - 1 - one;
    const std::string from_end = "SIGRTMAX" + (below != 0 ? "-" + std::to_string(below) : "");
    const bool real_time = static_cast<int>(one) >= SIGRTMIN;
    if (!same_letters(name, signal_name(one)) && !(real_time && same_letters(name, from_end))) continue;
    number = one;
    return true;
  }
  return false;
}

bool add_signals(SignalSet &set, std::string_view list) {
  for (const std::string_view one : split_commas(list)) {
    uint32_t number = 0;
    if (!parse_signal(one, number)) return false;
    if (number == 0) set.zero = true;
    if (number != 0) set.signals |= uint64_t{1} << (number - 1);
  }
  return true;
}

std::string signal_code_name(uint32_t signal, int32_t code) {
  if (code == SI_USER) return "SI_USER";
  if (code == SI_KERNEL) return "SI_KERNEL";
  const Names names = code > 0 ? codes_of(signal) : Names(kSent);
  const uint64_t at = (code > 0 ? int64_t{code} : -int64_t{code}) - 1;
  if (at < names.size()) return std::string(names[at]);
  return code == -60 ? "SI_ASYNCNL" : std::to_string(code);
}

std::string wait_status_text(uint32_t status) {
  const int wait_status = static_cast<int>(status);
  if (WIFEXITED(wait_status)) return "exit " + std::to_string(WEXITSTATUS(wait_status));
  return signal_name(WTERMSIG(wait_status)) + (WCOREDUMP(wait_status) ? " core" : "");
}

}  // namespace strata
