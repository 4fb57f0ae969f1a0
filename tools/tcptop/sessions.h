// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What went over TCP sessions between two readings: open ones are read where the kernel has counted it
// (kern/tcp_sockets.h), and a program tells of each that has ended. Nothing runs when data is sent or received.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <unordered_map>
#include <vector>

#include "bpf/ring.h"
#include "kern/socket_owners.h"
#include "kern/tcp_sockets.h"
#include "run/intervals.h"
#include "tcptop/tcptop.h"

namespace strata {

class Object;
class Session;
class Values;

class TcpSessions {
 public:
  static constexpr uint32_t kAsked = 65536;  // sessions whose end is told because a process is asked for

  TcpSessions(Session &session, Object &object);  // after load(): what went over them before is not counted

  void read(const Counters::Each &each);  // what was added since the last time, by tcptop_key

 private:
  struct Known {
    tcptop_key key = {};
    tcptop_count count = {};  // that was reported
    uint32_t reading = 0;     // the last one that it was in
  };
  struct ByBytes {
    bool operator()(const tcptop_key &a, const tcptop_key &b) const { return memcmp(&a, &b, sizeof(a)) < 0; }
  };

  void read_open();
  bool own(Known &known, const TcpSocket &socket, bool &scanned);
  void ask(uint64_t cookie, bool on);
  size_t collect();
  void drain();
  void end(const tcptop_end &end);
  void add(tcptop_key key, const tcptop_count &before, const tcptop_count &now);

  const Values &values_;
  const bool by_process_, asked_;
  SocketOwners owners_;
  Ring ring_;
  const int filter_map_;
  bool told_full_ = false;
  std::vector<tcptop_end> ended_;  // not yet looked at: a reading that is under way may still have them as open
  uint32_t reading_ = 0;
  std::unordered_map<uint64_t, Known> known_;  // by cookie
  std::map<tcptop_key, tcptop_count, ByBytes> added_;
};

Source tcp_sessions(Session &session, Object &object);

}  // namespace strata
