/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whose connections are looked at: a server's. src/subsys/server_ports.cpp sets the constant. */
#pragma once

#include "core.h"

#include <bpf/bpf_helpers.h>

#include "lib/net/sock_wire.h"

const volatile __u16 server_ports[SERVER_PORTS]; /* the first 0 ends them */

static __always_inline bool is_server_port(__u32 port)
{
	int i;

	if (!port)
		return false;
	for (i = 0; i < SERVER_PORTS && server_ports[i]; i++)
		if (port == server_ports[i])
			return true;
	return false;
}
