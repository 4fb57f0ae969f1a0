// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/listening_ports.h"

#include <string>

#include "kern/socket_owners.h"
#include "kern/tcp_sockets.h"

namespace strata {

std::set<uint64_t> listening_ports(const std::function<bool(uint32_t tgid)> &passes) {
  SocketOwners owners([&](uint32_t tgid, const std::string &) { return passes(tgid); });
  owners.scan();
  std::set<uint64_t> ports;
  for (const TcpSocket &socket : tcp_sockets(TcpSockets::kListening))
    if (const SocketOwner *owner = owners.find(socket.inode); owner != nullptr && owner->tgid != 0)
      ports.insert(socket.local_port);
  return ports;
}

}  // namespace strata
