// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/page.h"

#include <string>

#include "base/test.h"

namespace strata {

TEST_CASE("below its title a picture has what was run, and where") {
  RecordingHead head = {.program = "strata bioheat",
                        .host = "db1",
                        .kernel = "6.12.48",
                        .options = {"-F", "-i", "100ms"},
                        .has_options = true};
  CHECK(run_text(head) == "strata bioheat -F -i 100ms; host db1, Linux 6.12.48");
  head.command = {"./both", "a b", "\x1b"};
  CHECK(run_text(head) == "strata bioheat -F -i 100ms -- ./both 'a b' $'\\x1b'; host db1, Linux 6.12.48");
  head.command.assign(1000, "word");
  CHECK(run_text(head).find(" word ...; host db1") != std::string::npos);
  CHECK(run_text(head).size() < 350);
}

TEST_CASE("of an old recording only the program is known, which is the title") {
  CHECK(run_text({.program = "strata bioheat"}).empty());
}

TEST_CASE("a span of time has its date and zone") {
  const Clocks clocks = {.monotonic_ns = 0, .realtime_ns = 1'700'000'000'000'000'000};
  const std::string zone = zone_text(clocks, 0);
  CHECK_FALSE(zone.empty());
  CHECK(span_text(clocks, 0, 2'000'000'000).ends_with(" " + zone + ", 2.00s"));
}

}  // namespace strata
