// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/signal.h"

#include "base/test.h"

namespace strata {

TEST_CASE("signals have their names") {
  CHECK(signal_name(9) == "SIGKILL");
  CHECK(signal_name(11) == "SIGSEGV");
  CHECK(signal_name(36) == "SIGRTMIN+2");
  CHECK(signal_name(34) == "SIGRTMIN");
  CHECK(signal_name(32) == "signal 32");
  CHECK(signal_name(0) == "signal 0");
  CHECK(signal_name(4711) == "signal 4711");
}

TEST_CASE("signals are found by number and by name") {
  uint32_t number = 4711;
  const auto parsed = [&](std::string_view text) { return parse_signal(text, number) ? static_cast<int>(number) : -1; };
  CHECK(parsed("0") == 0);
  CHECK(parsed("64") == 64);
  CHECK(parsed("SIGKILL") == 9);
  CHECK(parsed("kill") == 9);
  CHECK(parsed("SIGRTMIN") == 34);
  CHECK(parsed("rtmin+2") == 36);
  CHECK(parsed("RTMAX") == 64);
  CHECK(parsed("SIGRTMAX-1") == 63);
  CHECK(parsed("SIGRTMAX-30") == 34);
  CHECK(parsed("signal 32") == 32);
  for (const char *wrong : {"", "65", "-1", "9k", "SIG", "SIGNOSUCH", "SIGSIGKILL", "RTMAX-31", "RTMAX-0", " 9"}) {
    CHECK(parsed(wrong) == -1);
  }
}

TEST_CASE("a list of signals is a set") {
  SignalSet set;
  CHECK(add_signals(set, "HUP,64"));
  CHECK(add_signals(set, "2"));
  CHECK(set.signals == (uint64_t{1} << 63 | 3));
  CHECK_FALSE(set.zero);
  CHECK(add_signals(set, "0"));
  CHECK(set.zero);
  CHECK_FALSE(add_signals(set, "KILL,"));
  CHECK_FALSE(add_signals(set, ""));
}

TEST_CASE("a code is named by its signal") {
  CHECK(signal_code_name(15, 0) == "SI_USER");
  CHECK(signal_code_name(9, 0x80) == "SI_KERNEL");
  CHECK(signal_code_name(6, -6) == "SI_TKILL");
  CHECK(signal_code_name(34, -1) == "SI_QUEUE");
  CHECK(signal_code_name(34, -60) == "SI_ASYNCNL");
  CHECK(signal_code_name(11, 1) == "SEGV_MAPERR");
  CHECK(signal_code_name(17, 6) == "CLD_CONTINUED");
  CHECK(signal_code_name(17, 7) == "7");
  CHECK(signal_code_name(10, 1) == "1");
  CHECK(signal_code_name(10, -8) == "-8");
  CHECK(signal_code_name(10, INT32_MIN) == "-2147483648");
}

TEST_CASE("a wait status is an exit or a signal, with or without a core dump") {
  CHECK(wait_status_text(0) == "exit 0");
  CHECK(wait_status_text(255 << 8) == "exit 255");
  CHECK(wait_status_text(9) == "SIGKILL");
  CHECK(wait_status_text(11 | 0x80) == "SIGSEGV core");
}

}  // namespace strata
