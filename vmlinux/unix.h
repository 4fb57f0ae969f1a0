/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sockets of one machine: include/net/af_unix.h, linux/un.h */
#pragma once

#include "core.h"

#include "fs.h"
#include "net.h"

#define AF_UNIX 1
#define UNIX_PATH 108

struct sockaddr_un {
	unsigned short sun_family;
	char sun_path[UNIX_PATH];
} CORE;

struct unix_address {
	int len; /* of its name */
	struct sockaddr_un name[];
} CORE;

struct unix_sock {
	struct unix_address *addr; /* of an accepted socket, its listener's */
	struct path path;	   /* the same */
	struct sock *peer;
} CORE;
