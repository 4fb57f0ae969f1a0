#include "subsys/sock_owners.h"

#include <bpf/bpf.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/socket_owners.h"
#include "kern/tcp_sockets.h"
#include "lib/net/sock_wire.h"
#include "run/session.h"
#include "subsys/process_filter.h"

namespace strata {
namespace {

using Owned = std::vector<std::pair<sock_owner_key, sock_owner>>;

sock_owner owner_of(const SocketOwner &process) {
  sock_owner owner = {.pid_tgid = uint64_t{process.tgid} << 32 | process.tgid, .comm = {}};
  process.comm.copy(owner.comm, sizeof(owner.comm) - 1);
  return owner;
}

Owned owned_sockets(const Session &session, const Object &object) {
  SocketOwners processes(process_filter(session, object));
  Owned owned;
  processes.scan();
  for (const TcpSockets which : {TcpSockets::kListening, TcpSockets::kSessions}) {
    for (const TcpSocket &socket : tcp_sockets(which)) {
      const SocketOwner *process = processes.find(socket.inode);
      if (process == nullptr) continue;
      const sock_owner owner = owner_of(*process);
      owned.push_back({{.cookie = socket.cookie, .netns = 0, .port = 0}, owner});
      if (which == TcpSockets::kSessions) continue;
      owned.push_back({{.cookie = 0, .netns = static_cast<uint32_t>(socket.netns), .port = socket.local_port}, owner});
    }
  }
  return owned;
}

}  // namespace

void store_socket_owners(Session &session, Object &object) {
  const Values &values = session.values();
  if (session.command_pid() != 0 && !values.given("all")) return;  // the command has none yet
  Owned owned;
  try {
    owned = owned_sockets(session, object);
  } catch (const Error &error) {
    if (values.given("verbose"))
      fprintf(stderr, "whose sockets from before the run are is not known: %s\n", error.what());
  }
  if (owned.empty()) return;
  object.set_constant("sock_owners_known", true);
  object.set_max_entries("sock_owners", static_cast<uint32_t>(owned.size()));
  session.when_loaded([&object, owned = std::move(owned)] {
    const int map = object.map_fd("sock_owners");
    for (const auto &[key, owner] : owned) bpf_map_update_elem(map, &key, &owner, BPF_ANY);
  });
}

}  // namespace strata
