// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Signals by number and by name, their codes (si_code), and what wait(2) says of a process that ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

std::string signal_name(uint32_t number);  // 9 -> "SIGKILL", 36 -> "SIGRTMIN+2" (of the C library); else "signal 99"
std::vector<std::string> signal_names();   // those that have one: not the real-time signals
// "SIGKILL", "kill", "9", "SIGRTMIN+2", "rtmax-1"; 0 is what kill(2) only checks with. False if there is none.
[[nodiscard]] bool parse_signal(std::string_view text, uint32_t &number);

struct SignalSet {
  bool zero = false;
  uint64_t signals = 0;  // bit n - 1 is signal n
};
[[nodiscard]] bool add_signals(SignalSet &set, std::string_view list);  // with commas; false: one of them is none

// What si_code says of where a signal comes from: 0 "SI_USER", of SIGSEGV 1 "SEGV_MAPERR"; else the number.
std::string signal_code_name(uint32_t signal, int32_t code);

// "exit 3", "SIGKILL", "SIGSEGV core" (it left a core dump)
std::string wait_status_text(uint32_t status);

}  // namespace strata
