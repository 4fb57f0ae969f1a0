// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/listening_ports.h"

#include <algorithm>
#include <string>

#include "kern/socket_owners.h"
#include "kern/tcp_sockets.h"

namespace strata {

std::set<uint64_t> listening_ports(const std::vector<uint64_t> &tgids) {
  SocketOwners owners([&](uint32_t tgid, const std::string &) { return std::ranges::count(tgids, tgid) != 0; });
  owners.scan();
  std::set<uint64_t> ports;
  for (const TcpSocket &socket : tcp_sockets(TcpSockets::kListening))
    if (const SocketOwner *owner = owners.find(socket.inode); owner != nullptr && owner->tgid != 0)
      ports.insert(socket.local_port);
  return ports;
}

}  // namespace strata
