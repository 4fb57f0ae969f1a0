// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whose the TCP sockets from before the run are: found in /proc, for the programs of bpf/lib/net/sock_info.h, which see
// a task work on a socket only where its state changes. An event pays for it only at the first sight of such a socket:
// its owner is found by the cookie, that of a new connection by port and namespace of its listening socket.
//
// They are listed twice: before the programs are loaded, so that an owner is known at the first event, and once they
// are attached, for those that have appeared since. What the programs see themselves goes before what is listed.
//
// Rejected: the same by a BPF iterator (not permitted everywhere, and it finds files task by task as well); the task of
// the next system call on the socket (a hook for each call).
#pragma once

namespace strata {

class Object;
class Session;

// Before the object is loaded. Where the kernel does not list its sockets (kern/tcp_sockets.h) they stay nobody's.
void store_socket_owners(Session &session, Object &object);

// Instead, where nobody asks for them: neither their hook nor their memory.
void leave_out_socket_owners(Object &object);

}  // namespace strata
