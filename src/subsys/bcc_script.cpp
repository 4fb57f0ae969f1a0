// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/bcc_script.h"

#include <utility>

#include "cli/values.h"
#include "render/writer.h"
#include "run/session.h"

namespace strata {

expr::BccOutput bcc_output(const Values &values) {
  return {.interval_ns = values.duration_ns("interval"),
          .count = values.number("count"),
          .time = values.given("timestamp")};
}

int run_bcc_program(std::string program, BccShown shown, Session &session, Object &object) {
  if (session.values().given("explain")) {
    print(program);
    return 0;
  }
  return run_script({.source = {"program", std::move(program)},
                     .arguments = {},
                     .lines_with = std::move(shown.lines_with),
                     .most_lines = shown.most_lines,
                     .rows = shown.rows,
                     .begins_with_head = true,
                     .order = shown.order,
                     .histograms = std::move(shown.histograms),
                     .cumulative = shown.cumulative,
                     .by_exit = shown.by_exit},
                    session, object);
}

}  // namespace strata
