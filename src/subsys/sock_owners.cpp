// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/sock_owners.h"

#include <bpf/bpf.h>
#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/outlet.h"
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

// Which of its threads has a socket, /proc does not say: of a process with others than these nobody knows.
bool has_only(const std::vector<uint64_t> &tids, uint32_t tgid) {
  const std::unique_ptr<DIR, int (*)(DIR *)> threads(opendir(("/proc/" + std::to_string(tgid) + "/task").c_str()),
                                                     closedir);
  while (const dirent *one = threads ? readdir(threads.get()) : nullptr) {
    const uint64_t tid = strtoull(one->d_name, nullptr, 10);  // 0: . and ..
    if (tid != 0 && std::find(tids.begin(), tids.end(), tid) == tids.end()) return false;
  }
  return true;
}

Owned owned_sockets(const Session &session, const Object &object) {
  const std::vector<uint64_t> &tids = session.values().numbers("tid");
  SocketOwners processes([&tids, passes = process_filter(session, object)](uint32_t tgid, const std::string &comm) {
    return passes(tgid, comm) && (tids.empty() || has_only(tids, tgid));
  });
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

// Empty where the kernel does not list its sockets.
std::optional<Owned> listed(const Session &session, const Object &object) {
  try {
    return owned_sockets(session, object);
  } catch (const Error &error) {
    if (session.values().given("verbose"))
      say("whose sockets from before the run are is not known: %s\n", error.what());
    return {};
  }
}

void store(const Object &object, const Owned &owned) {
  const int map = object.map_fd("sock_owners");
  size_t refused = 0;
  for (const auto &[key, owner] : owned) refused += bpf_map_update_elem(map, &key, &owner, BPF_ANY) != 0;
  if (refused == 0) return;
  say("whose they are is not known of %zu TCP sockets that appeared while the programs were attached\n", refused);
}

}  // namespace

void store_socket_owners(Session &session, Object &object) {
  constexpr size_t kAppear = 4096;  // in the time of attaching
  const sock_owner_key kAll = {};
  if (session.traced_command() != 0) return;  // the command has none yet
  std::optional<Owned> before = listed(session, object);
  if (!before) return;
  object.set_constant("sock_owners_known", true);
  object.set_max_entries("sock_owners", static_cast<uint32_t>(2 * before->size() + kAppear));
  session.when_loaded([&object, before = std::move(*before)] { store(object, before); });
  session.when_attached([&session, &object, kAll] {
    store(object, listed(session, object).value_or(Owned()));
    store(object, {{kAll, sock_owner()}});
  });
}

void leave_out_socket_owners(Object &object) {
  object.enable("inet_sock_set_state", false);
  object.set_max_entries("sock_infos", 1);
  object.set_max_entries("sock_sets", 1);
}

}  // namespace strata
