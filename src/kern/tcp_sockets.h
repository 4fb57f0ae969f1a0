// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// All TCP sockets of this machine as the kernel lists them (sock_diag(7)): no program runs for it, and nothing is asked
// of the host but that the kernel has tcp_diag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kern/inet.h"

namespace strata {

struct TcpSocket {
  uint64_t cookie = 0;  // of this socket alone, as long as the kernel runs
  uint64_t inode = 0;   // of its file; 0 without one
  uint64_t netns = 0;   // inode of its network namespace
  Address local, remote;
  uint32_t local_port = 0, remote_port = 0;
  uint32_t uid = 0;
  uint32_t state = 0;                   // BPF_TCP_*
  uint64_t tx_bytes = 0, rx_bytes = 0;  // data, each byte once
  uint64_t retransmits = 0;             // segments
  uint32_t waiting = 0, limit = 0;      // of a listening one: its accept queue
  uint32_t drops = 0;                   // of a listening one, since it listens
};

enum class TcpSockets : uint8_t {
  kSessions,
  kListening
};  // established ones until they are closed; or those that listen

// In every network namespace that some process is in and that may be entered. Throws Error. What may not wait for all
// of them, `between` does: it is called after each answer of the kernel, of some hundred sockets.
std::vector<TcpSocket> tcp_sockets(
    TcpSockets which, const std::function<void()> &between = [] {});

// Adds what one answer of the kernel holds; true if more answers come. Throws Error where it is an error.
bool parse_tcp_sockets(std::span<const std::byte> answer, std::vector<TcpSocket> &sockets);

}  // namespace strata
