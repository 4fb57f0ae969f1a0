// Whose the TCP sockets from before the run are: found in /proc, for the programs of bpf/lib/net/sock_note.h, which see
// a task work on a socket only where its state changes.
#pragma once

namespace strata {

class Object;
class Session;

// Before the object is loaded. Where the kernel does not list its sockets (kern/tcp_sockets.h) they stay nobody's.
void tell_socket_owners(Session &session, Object &object);

}  // namespace strata
