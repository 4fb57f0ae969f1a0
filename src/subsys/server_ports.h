// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which server's connections are looked at: by its ports, because a segment arrives for a port, and not yet for a
// process.
#pragma once

#include "cli/option.h"

namespace strata {

class Object;
class Session;

inline constexpr Option kServerOptions[] = {
    {.name = "port",
     .value = "PORT,...",
     .kind = OptionKind::kNumbers,
     .help = "of query: the server's; of recv: either end's",
     .low = 1,
     .high = 65535},
    {.name = "client", .help = "of query: what those whom -p names ask of --port"},
};

// Sets the constant of bpf/lib/net/server_ports.h, and of bpf/follow/exchanges.h that of the side. Throws a usage Error
// if no option names a server, or, at its side, if there is another filter; an Error if nobody listens.
void choose_server(const Session &session, Object &object);

// The same of those that --port names; all if it is not given.
void choose_ports(const Session &session, Object &object);
// Of what has nothing to do with ports.
void reject_ports(const Session &session, Object &object);

}  // namespace strata
