// Signals by number, and what wait(2) says of a process that ended.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

std::string signal_name(uint32_t number);  // 9 -> "SIGKILL", 36 -> "SIGRTMIN+2" (of the C library); else "signal 99"

// "exit 3", "SIGKILL", "SIGSEGV core" (it left a core dump)
std::string wait_status_text(uint32_t status);

}  // namespace strata
