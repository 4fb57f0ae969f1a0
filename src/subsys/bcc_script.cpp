// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/bcc_script.h"

#include "cli/values.h"
#include "render/writer.h"
#include "run/session.h"

namespace strata {

expr::BccOutput bcc_output(const Values &values) {
  return {.interval_ns = values.duration_ns("interval"),
          .count = values.number("count"),
          .time = values.given("timestamp")};
}

int run_bcc_program(std::string program, const BccLines &lines, Session &session, Object &object) {
  if (session.values().given("explain")) {
    print(program);
    return 0;
  }
  return run_script(
      {.source = {"program", std::move(program)}, .arguments = {}, .lines_with = lines.with, .most_lines = lines.most},
      session, object);
}

}  // namespace strata
