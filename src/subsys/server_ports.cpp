// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/server_ports.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/listening_ports.h"
#include "lib/net/sock_wire.h"

namespace strata {

void choose_server(const Values &values, Object &object) {
  reject_options(
      values, {"tid", "comm", "cgroup", "unit", "container", "pod", "tree"},
      "is not for a server: all that is for its --port, or for the ports that -p PID listens on, is looked at");
  reject_options(values, {"window", "every-window"}, "would miss what becomes of connections in between");
  if (values.given("port")) reject_options(values, {"pid"}, "names the server, and so does --port: give one of them");
  std::set<uint64_t> chosen(values.numbers("port").begin(), values.numbers("port").end());
  if (chosen.empty() && !values.given("pid")) throw usage_error("a server is named by --port PORT, or by its -p PID");
  if (chosen.empty()) chosen = listening_ports(values.numbers("pid"));
  if (chosen.empty()) throw Error("the processes of -p listen on no TCP port; --port names one");
  std::array<uint16_t, SERVER_PORTS> ports = {};
  if (chosen.size() > ports.size())
    throw usage_error("a server has at most " + std::to_string(ports.size()) + " ports");
  std::ranges::copy(chosen, ports.begin());
  object.set_constant("server_ports", ports);
}

}  // namespace strata
