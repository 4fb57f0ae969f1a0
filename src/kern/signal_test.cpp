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

TEST_CASE("a wait status is an exit or a signal, with or without a core dump") {
  CHECK(wait_status_text(0) == "exit 0");
  CHECK(wait_status_text(255 << 8) == "exit 255");
  CHECK(wait_status_text(9) == "SIGKILL");
  CHECK(wait_status_text(11 | 0x80) == "SIGSEGV core");
}

}  // namespace strata
