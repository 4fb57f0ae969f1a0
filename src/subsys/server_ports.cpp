// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/server_ports.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/cgroup.h"
#include "kern/listening_ports.h"
#include "lib/net/sock_wire.h"
#include "run/session.h"

namespace strata {

namespace {

constexpr std::array<std::string_view, 4> kServers = {"pid", "unit", "container", "pod"};

// Of the processes that are there now: who comes later has not been seen to listen.
std::set<uint64_t> ports_of(const Session &session) {
  const std::string root = Cgroups::cgroup_root();
  const auto &tgids = session.values().numbers("pid");
  return listening_ports([&](uint32_t tgid) {
    return (tgids.empty() || std::ranges::count(tgids, tgid) != 0) &&
           session.is_in_groups(cgroup_of_process(tgid, root));
  });
}

void set_ports(const std::set<uint64_t> &chosen, Object &object) {
  std::array<uint16_t, SERVER_PORTS> ports = {};
  if (chosen.size() > ports.size())
    throw usage_error("a server has at most " + std::to_string(ports.size()) + " ports");
  std::ranges::copy(chosen, ports.begin());
  object.set_constant("server_ports", ports);
}

std::set<uint64_t> ports_given(const Values &values) {
  return {values.numbers("port").begin(), values.numbers("port").end()};
}

// Who asks is known when it does; its filters are those of any tool.
void choose_clients(const Values &values, Object &object) {
  if (!values.given("port")) throw usage_error("--client needs --port PORT,...: of the servers that are asked");
  object.set_constant("from_client", true);
  object.enable("inet_sock_set_state", true);
  set_ports(ports_given(values), object);
}

}  // namespace

void choose_server(const Session &session, Object &object) {
  const Values &values = session.values();
  reject_options(values, {"window", "every-window"}, "would miss what becomes of connections in between");
  if (values.given("path"))  // of its unix socket
    return reject_options(values,
                          {"port", "client", "pid", "tid", "comm", "cgroup", "tree", "unit", "container", "pod"},
                          "is not for a server that --path names");
  if (values.given("client")) return choose_clients(values, object);
  reject_options(values, {"tid", "comm", "cgroup", "tree"},
                 "is not for a server: all that is for its --port, or for the ports that -p PID, --unit, --container "
                 "or --pod listens on, is looked at (see --client)");
  const auto named = std::ranges::find_if(kServers, [&](std::string_view one) { return values.given(one); });
  const bool by_port = values.given("port");
  if (by_port && named != kServers.end())
    throw usage_error("--" + std::string(*named) + " names the server, and so does --port: give one of them");
  if (!by_port && named == kServers.end())
    throw usage_error("a server is named by --port PORT, or by its -p PID, --unit, --container or --pod");
  const std::set<uint64_t> chosen = by_port ? ports_given(values) : ports_of(session);
  if (chosen.empty())
    throw Error("the processes of --" + std::string(*named) + " listen on no TCP port; --port names one");
  set_ports(chosen, object);
}

void choose_ports(const Session &session, Object &object) { set_ports(ports_given(session.values()), object); }

void reject_ports(const Session &session, Object &) {
  reject_options(session.values(), {"port"}, "is for follow recv and query");
}

}  // namespace strata
