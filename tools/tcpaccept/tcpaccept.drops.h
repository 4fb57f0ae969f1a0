// Listening sockets that drop, also while nobody accepts from them: strata looks at their own counters now and then.
#pragma once

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/clock.h"
#include "kern/socket_owners.h"
#include "kern/tcp_sockets.h"
#include "run/session.h"
#include "subsys/process_asked.h"
#include "subsys/sock.h"
#include "tcpaccept.rows.h"

namespace strata {
namespace {

constexpr uint64_t kLookNs = 500'000'000;

class Drops {
 public:
  Drops(Session &session, Object &object)
      : session_(session), asked_(session.asks_for_tasks()), owners_(processes_asked(session, object)) {
    for (const TcpSocket &one : tcp_sockets(TcpSockets::kListening)) known_[one.cookie] = one.drops;
    session.loop().every(kLookNs, [this] { look(); });
  }

 private:
  void look() {
    bool scanned = false;
    for (const TcpSocket &one : tcp_sockets(TcpSockets::kListening)) {
      uint32_t &known = known_.try_emplace(one.cookie, 0).first->second;
      if (one.drops == std::exchange(known, one.drops) || !sock_is_asked(session_.values(), one)) continue;
      if (!std::exchange(scanned, true)) owners_.scan();
      const SocketOwner *owner = owners_.find(one.inode);
      if (owner != nullptr || !asked_) put(one, owner != nullptr ? *owner : SocketOwner());
    }
  }

  void put(const TcpSocket &one, const SocketOwner &owner) {
    accept_event e = {.ts_ns = monotonic_ns(), .listened = 1, .waiting = one.waiting, .limit = one.limit};
    e.ends.local_hi = one.local.hi;
    e.ends.local_lo = one.local.lo;
    e.ends.local_port = one.local_port;
    e.drops = one.drops;
    e.uid = one.uid;
    e.tgid = owner.tgid;
    memcpy(e.comm, owner.comm.data(), std::min(owner.comm.size(), sizeof(e.comm) - 1));
    add_event(session_, kEvents, &e);
  }

  Session &session_;
  const bool asked_;
  SocketOwners owners_;
  std::unordered_map<uint64_t, uint32_t> known_;  // what was dropped, by cookie
};

}  // namespace
}  // namespace strata
