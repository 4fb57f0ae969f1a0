// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sessions.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <unordered_set>
#include <utility>

#include "base/outlet.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "run/session.h"
#include "subsys/process_filter.h"
#include "subsys/sock.h"

namespace strata {
namespace {

constexpr uint32_t kRemembered = 3;  // readings that a session may be absent from before its end is told: it was lost

tcptop_key key_of(const TcpSocket &socket) {
  return {.ends = {.local_hi = socket.local.hi,
                   .local_lo = socket.local.lo,
                   .remote_hi = socket.remote.hi,
                   .remote_lo = socket.remote.lo,
                   .local_port = socket.local_port,
                   .remote_port = socket.remote_port},
          .tgid = 0,
          .uid = socket.uid,
          .comm = {}};
}

tcptop_key key_of(const tcptop_end &end) {
  tcptop_key key = {.ends = end.ends, .tgid = end.tgid, .uid = end.uid, .comm = {}};
  memcpy(key.comm, end.comm, sizeof(key.comm));
  return key;
}

// A counter that went backwards is one of 32 bits that began again.
uint64_t since(uint64_t before, uint64_t now) { return now > before ? now - before : 0; }

// CLOSE_WAIT, LAST_ACK, CLOSING of include/net/tcp_states.h.
bool has_fin(const TcpSocket &socket) { return socket.state == 8 || socket.state == 9 || socket.state == 11; }

// The kernel looks at the state first, and takes the lock and the counts later: a FIN that came between is a byte too
// many. So they are listed twice: what had no FIN afterwards had none before. Of others the next reading tells, or
// their end.
std::vector<TcpSocket> settled_sessions(const std::function<void()> &between) {
  std::vector<TcpSocket> sessions = tcp_sockets(TcpSockets::kSessions, between);
  std::unordered_set<uint64_t> open;
  for (const TcpSocket &one : tcp_sockets(TcpSockets::kSessions, between)) {
    if (!has_fin(one)) open.insert(one.cookie);
  }
  std::erase_if(sessions, [&](const TcpSocket &one) { return !has_fin(one) && !open.contains(one.cookie); });
  return sessions;
}

}  // namespace

TcpSessions::TcpSessions(Session &session, Object &object)
    : values_(session.values()),
      by_process_(values_.given("by-process")),
      asked_(session.filters_tasks()),
      owners_(process_filter(session, object)),
      ring_(object.map_fd("events")),
      filter_map_(object.map_fd("sock_owners")) {
  session.keep(kToSeeProcesses | kToEnterNetns);
  read_open();
  session.loop().watch(ring_.fd(), [this] { drain(); });
  session.loop().every(Ring::kFlushNs, [this] { drain(); });
}

void TcpSessions::read(const Counters::Each &each) {
  read_open();
  drain();
  std::erase_if(known_, [this](const auto &one) {
    const bool gone = one.second.reading + kRemembered < reading_;
    if (gone) ask(one.first, false);
    return gone;
  });
  std::vector<uint64_t> added(sizeof(tcptop_count) / sizeof(uint64_t));
  for (const auto &[key, count] : added_) {
    memcpy(added.data(), &count, sizeof(count));
    each(&key, added);
  }
  added_.clear();
}

void TcpSessions::read_open() {
  const bool first = reading_++ == 0;
  constexpr size_t kSockets = 1024;  // between two looks at the ring, in which ends gather all the while
  const auto between = [this] { collect(); };
  bool scanned = false;
  size_t seen = 0;
  for (const TcpSocket &socket : first ? tcp_sockets(TcpSockets::kSessions) : settled_sessions(between)) {
    if (++seen % kSockets == 0) collect();
    if (!socket_passes(values_, socket)) continue;
    const auto [at, is_new] = known_.try_emplace(socket.cookie);
    Known &known = at->second;
    if (is_new) known.key = key_of(socket);
    known.reading = reading_;
    const tcptop_count now = {socket.tx_bytes, socket.rx_bytes, socket.retransmits};
    if (first) known.count = now;
    if (first && asked_) own(known, socket, scanned);
    if (memcmp(&now, &known.count, sizeof(now)) == 0) continue;
    // Nobody's yet, or any more: its end says whose it was.
    if (!own(known, socket, scanned) && (asked_ || socket.inode == 0)) continue;
    add(known.key, known.count, now);
    known.count = now;
  }
}

// Looks for the process that has it, in /proc once for each reading.
bool TcpSessions::own(Known &known, const TcpSocket &socket, bool &scanned) {
  const uint64_t inode = socket.inode;
  if (known.key.tgid != 0) return true;
  if (inode == 0) return false;
  const SocketOwner *owner = owners_.find(inode);
  if (owner == nullptr && !scanned) {
    owners_.scan([this] { collect(); });
    scanned = true;
    owner = owners_.find(inode);
  }
  if (owner == nullptr) owners_.miss(inode);
  if (owner == nullptr || owner->tgid == 0) return false;
  known.key.tgid = owner->tgid;
  memcpy(known.key.comm, owner->comm.data(), std::min(owner->comm.size(), sizeof(known.key.comm) - 1));
  ask(socket.cookie, true);
  return true;
}

// The program tells of the end of such a session whatever task it thinks that it is of.
void TcpSessions::ask(uint64_t cookie, bool on) {
  const sock_owner_key key = {.cookie = cookie, .netns = 0, .port = 0};
  const sock_owner nobody = {};
  if (!asked_) return;
  if (!on) {
    bpf_map_delete_elem(filter_map_, &key);
  } else if (bpf_map_update_elem(filter_map_, &key, &nobody, BPF_ANY) != 0 && !std::exchange(told_full_, true)) {
    say("more than %u sessions: what goes over one after its last reading may be missing\n", kAsked);
  }
}

size_t TcpSessions::collect() {
  return ring_.consume([this](const void *record, size_t size) {
    if (size >= sizeof(tcptop_end)) ended_.push_back(*static_cast<const tcptop_end *>(record));
  });
}

void TcpSessions::drain() {
  while (collect() > 0) {
  }
  for (const tcptop_end &one : ended_) end(one);
  ended_.clear();
}

// One that nobody has read began in this run, if it was seen to begin; else what went over it before is not known.
void TcpSessions::end(const tcptop_end &end) {
  const auto found = end.cookie != 0 ? known_.find(end.cookie) : known_.end();
  const bool read = found != known_.end();
  const bool owned = read && found->second.key.tgid != 0;
  const tcptop_count now = {end.tx_bytes, end.rx_bytes, end.again};
  if ((read || end.born != 0) && (owned || end.passes != 0)) {
    add(owned ? found->second.key : key_of(end), read ? found->second.count : tcptop_count(), now);
  }
  if (!read) return;
  ask(end.cookie, false);
  known_.erase(found);
}

void TcpSessions::add(tcptop_key key, const tcptop_count &before, const tcptop_count &now) {
  if (by_process_) key.ends = {};
  const tcptop_count added = {since(before.tx_bytes, now.tx_bytes), since(before.rx_bytes, now.rx_bytes),
                              since(before.again, now.again)};
  if (added.tx_bytes == 0 && added.rx_bytes == 0 && added.again == 0) return;
  tcptop_count &count = added_[key];
  count.tx_bytes += added.tx_bytes;
  count.rx_bytes += added.rx_bytes;
  count.again += added.again;
}

Source tcp_sessions(Session &session, Object &object) {
  return {.key_bytes = sizeof(tcptop_key), .open = [&]() -> ReadCounters {
            const auto sessions = std::make_shared<TcpSessions>(session, object);
            return [sessions](const Counters::Each &each) { sessions->read(each); };
          }};
}

}  // namespace strata
