#include "subsys/bcc_script.h"

#include <unistd.h>

#include <cerrno>

#include "base/outlet.h"
#include "cli/values.h"
#include "run/session.h"

namespace strata {

expr::BccOutput bcc_output(const Values &values) {
  return {.interval_ns = values.duration_ns("interval"),
          .count = values.number("count"),
          .time = values.given("timestamp")};
}

int run_bcc_program(const ScriptRun &run, Session &session, Object &object) {
  if (session.values().given("explain")) {
    Outlet out = outlet_of(STDOUT_FILENO);
    const int err = out.write(run.source.text());
    return err == 0 || err == EPIPE ? 0 : 1;
  }
  return run_script(run, session, object);
}

}  // namespace strata
